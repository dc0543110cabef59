/**
 * Modes that the reverse sweep sets before it runs a step again: `training = false;` in front of the loop towards the start, where
 * the forward pass ran with `true`. The step asks for the mode, and takes another way than it did.
 */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import { callsOf } from "../../local.js";
import type { Binding } from "../../scopes.js";
import { argumentsOf, bare, child, isMember, literal, propertyName, startOf, type Node } from "../../tree.js";
import { isPropertyPosition } from "../../value-forms.js";
import { valuesOf } from "../../values.js";
import { inside, nodesIn, runsIn } from "../shared/nodes.js";
import type { BothPasses } from "./both-passes.js";
import { flowsOut } from "./flows-out.js";
import { isSetter } from "./generators.js";
import { decides, type Source } from "./sources.js";

/** Whether a tape is written, or something is said, is for the sweep to choose. */
const OF_THE_SWEEP = /grad|enabl|record|tape|trac|debug|log|verb|check|verif|profil|cach|sav|keep_?graph/i;

/** A setting that the sweep gives another value than the forward pass left there, where the function works with it. */
export function modeIn(facts: FileFacts, both: BothPasses, fn: Fn): Source | null {
  if (!hasSettings(facts)) return null;
  for (const type of ["Identifier", "MemberExpression"])
    for (const node of nodesIn(facts, type, fn.node)) {
      if (type === "Identifier" && isPropertyPosition(node)) continue;
      const setting = settings(facts).get(keyOf(facts, node) ?? "");
      if (setting === undefined || runsIn(facts, node) !== fn || !decides(node) || isLeftOut(node)) continue;
      if (changes(facts, both, setting) && flowsOut(facts, fn, [node]))
        return { node, what: `\`${facts.source(node)}\`, which the sweep sets to something else,` };
    }
  return null;
}

export const hasSettings = (facts: FileFacts): boolean => settings(facts).size > 0;

interface Setting {
  /** what it begins as */
  readonly first: unknown;
  readonly stores: Node[];
}

const isConstant = (value: unknown): boolean => /^(?:number|string|boolean)$/.test(typeof value);

/** `training` of the module, `cfg.training` of an object of the module. */
function keyOf(facts: FileFacts, node: Node): string | null {
  const binding = facts.binding(isMember(node) ? child(node, "object")! : node);
  const held = binding?.kind === "variable" && binding.scope.type === "Program";
  const named = !isMember(node) || propertyName(node) !== null;
  return held && named ? valuesOf(facts).key(node) : null;
}

/** Settings of the module that functions of this file give constants to. */
const settings = (facts: FileFacts): ReadonlyMap<string, Setting> =>
  facts.once("settings of the module", (file) => {
    const found = new Map<string, Setting>();
    for (const node of file.assignments) {
      const target = bare(child(node, "left")!);
      if (node.operator !== "=" || runsIn(file, node) === null) continue;
      const key = keyOf(file, target);
      if (key === null || OF_THE_SWEEP.test(file.source(target))) continue;
      const known = found.get(key);
      if (known === undefined) found.set(key, { first: firstOf(file, target), stores: [node] });
      else known.stores.push(node);
    }
    return found;
  });

function firstOf(facts: FileFacts, target: Node): unknown {
  const binding: Binding | null = facts.binding(target);
  const made = binding?.definitions.find(({ kind }) => kind === "initial");
  return made === undefined ? undefined : literal(made.expression);
}

interface Set {
  readonly at: Node;
  readonly home: Fn | null;
  readonly value: unknown;
}

/** Where it is set to what: the stores, or calls of a helper that does no more than store. */
const setsOf = (facts: FileFacts, { stores }: Setting): readonly Set[] =>
  stores.flatMap((store) => {
    const home = runsIn(facts, store)!;
    const value = child(store, "right")!;
    const calls = isSetter(home) ? callsOf(facts, home) : [];
    if (calls.length === 0) return [{ at: store, home: isSetter(home) ? null : home, value: literal(value) }];
    const handed = home.params.findIndex((one) => facts.binding(one) === facts.binding(value));
    return calls.map((call) => {
      const given = handed < 0 || facts.binding(value) === null ? value : argumentsOf(call)[handed];
      return { at: call, home: runsIn(facts, call), value: given === undefined ? undefined : literal(given) };
    });
  });

function changes(facts: FileFacts, both: BothPasses, setting: Setting): boolean {
  const sets = setsOf(facts, setting);
  if (sets.some(({ value }) => !isConstant(value))) return false;
  const back: Set[] = [];
  const forward: Set[] = [];
  for (const one of sets) {
    if (one.home === null) continue;
    const sweeps = facts.calls.filter((call) => inside(call, one.home!.node) && both.inSweep(call));
    // what comes after the sweep puts the mode back
    if (sweeps.length === 0) forward.push(one);
    else if (sweeps.some((call) => startOf(call) > startOf(one.at))) back.push(one);
  }
  const last = back.at(-1);
  if (last === undefined || new Set(back.map(({ home }) => home)).size > 1) return false;
  const before = forward.length > 0 ? forward.map(({ value }) => value) : [setting.first];
  return before.every((value) => isConstant(value) && value !== last.value);
}

/** `training ? kept : null`: something is kept, or not. */
function isLeftOut(node: Node): boolean {
  const { parent } = node;
  if (parent?.type !== "ConditionalExpression") return false;
  return [child(parent, "consequent")!, child(parent, "alternate")!].some(
    (one) => literal(one) === null || (bare(one).type === "Identifier" && bare(one).name === "undefined"),
  );
}
