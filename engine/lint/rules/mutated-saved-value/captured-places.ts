/** Pullbacks of a loop that read a field or a buffer which each turn stores anew: `state.x`, `h[i]` of one `h` for all turns. */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import { partOf } from "../../lookups.js";
import { lineOf, place } from "../../overwriting/words.js";
import type { Finding } from "../../report.js";
import { loopsAround } from "../../reverse.js";
import { bare, child, endOf, isMember, literal, propertyName, startOf, type Node } from "../../tree.js";
import { valuesOf } from "../../values.js";
import { inside, nodesIn } from "../shared/nodes.js";
import { keptPullbacks } from "./kept-closures.js";

/** `known`: what other looks have found, so that one fault is told once. */
export function* capturedPlaces(facts: FileFacts, known: readonly Finding[]): Iterable<Finding> {
  const told = new Set<string>();
  for (const fn of keptPullbacks(facts)) {
    const loop = fn.node.parent == null ? undefined : loopsAround(facts, fn.node.parent).at(-1)?.node;
    if (loop === undefined) continue;
    if (known.some(({ start, end }) => start >= startOf(loop) && end <= endOf(loop))) continue;
    for (const member of nodesIn(facts, "MemberExpression", fn.node)) {
      const key = placeOf(facts, member);
      if (key === null || told.has(key) || isWritten(member) || !isFromOutside(facts, member, loop)) continue;
      const again = storeIn(facts, fn, member, key, loop);
      if (again === null) continue;
      told.add(key);
      yield {
        start: startOf(again),
        end: endOf(again),
        message: `\`${facts.source(member)}\` is stored anew in each turn, and the pullbacks that are kept for the reverse sweep read it when they run (line ${lineOf(facts, member)}): they find what the last turn stored. Keep the value of the turn in a constant of its own.`,
        evidence: "structural",
        related: [place(member, "read in the reverse sweep")],
      };
    }
  }
}

/** The place that a read shares with a store: a field by its way, an element by its list. */
function placeOf(facts: FileFacts, member: Node): string | null {
  const name = propertyName(member);
  const list = bare(child(member, "object")!);
  const holder = name ?? (isMember(list) ? propertyName(list) : String(list.name ?? ""));
  if (holder === null || holder === "length" || facts.names.gradient(holder) === 2) return null;
  return name !== null ? valuesOf(facts).key(member) : `${valuesOf(facts).key(list)}[]`;
}

const isWritten = (member: Node): boolean =>
  member.parent != null &&
  ((/^(?:Assignment|Update)Expression$/.test(member.parent.type) &&
    (child(member.parent, "left") ?? child(member.parent, "argument")) === member) ||
    (isMember(member.parent) && child(member.parent, "object") === member) ||
    (member.parent.type === "CallExpression" && child(member.parent, "callee") === member));

/** By a name that is declared outside of the loop, through fields alone. */
function isFromOutside(facts: FileFacts, member: Node, loop: Node): boolean {
  let root = bare(child(member, "object")!);
  while (isMember(root)) {
    if (propertyName(root) === null) return false;
    root = bare(child(root, "object")!);
  }
  const binding = facts.binding(root);
  return (
    binding !== null &&
    binding.kind === "variable" &&
    !inside(binding.scope, loop) &&
    binding.definitions.every(({ at, kind }) => kind === "element" || !inside(at, loop))
  );
}

function storeIn(facts: FileFacts, closure: Fn, member: Node, key: string, loop: Node): Node | null {
  const home = facts.outer(closure);
  return (
    partOf(facts.assignments, loop).find((node) => {
      const target = bare(child(node, "left")!);
      if (!isMember(target) || inside(node, closure.node) || facts.home(node) !== home) return false;
      return (
        placeOf(facts, target) === key && (propertyName(member) !== null || refills(facts, target, loop))
      );
    }) ?? null
  );
}

/** `for (let i = 0; ...) h[i] = ...` inside of the turn: the same elements in each. */
function refills(facts: FileFacts, target: Node, loop: Node): boolean {
  const counter = facts.binding(child(target, "property")!);
  const scope = counter?.scope;
  if (scope?.type !== "ForStatement" || scope === loop || !inside(scope, loop)) return false;
  const start = counter!.definitions.find(({ kind }) => kind === "initial");
  return start !== undefined && literal(start.expression) === 0;
}
