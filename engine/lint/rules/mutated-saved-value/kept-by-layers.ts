/**
 * A layer keeps an array by reference, and the array is changed before the layer runs back: by the caller, who goes on to use it, or
 * by the layer itself, which works in place and needs the input all the same.
 */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import { callsFrom, callsNamed } from "../../lookups.js";
import { isBackward } from "../../overwriting/entries.js";
import { lineOf, place } from "../../overwriting/words.js";
import type { Finding } from "../../report.js";
import { loopsAround } from "../../reverse.js";
import {
  argumentsOf,
  bare,
  calleeName,
  child,
  endOf,
  identifier,
  isCall,
  isMember,
  propertyName,
  receiver,
  startOf,
  type Node,
} from "../../tree.js";
import { valuesOf } from "../../values.js";
import { inside, partsOf } from "../shared/nodes.js";
import { inPlaceForwards } from "./in-place-layers.js";
import { classOf, keepsOf, madeAs, type Keep } from "./layer-keeps.js";
import { exclusive, fillOf } from "./refills.js";

export function* keptByLayers(facts: FileFacts): Iterable<Finding> {
  const keeps = keepsOf(facts);
  if (keeps.length === 0) return;
  const told = new Set<Node>();
  for (const keep of keeps) {
    for (const found of inPlaceForwards(facts, keep)) {
      if (told.has(found)) continue;
      told.add(found);
      yield report(facts, keep, found, `\`${keep.forward.name}\` then writes over it`);
    }
    for (const call of keep.param < -1 ? [] : callsNamed(facts, keep.forward.name)) {
      const found = changedAfter(facts, keep, call);
      if (found === null || told.has(found)) continue;
      told.add(found);
      yield report(facts, keep, found, `the call at line ${lineOf(facts, call)} has it keep the array`);
    }
  }
}

/** The change of what a call had kept, before anything runs back. */
function changedAfter(facts: FileFacts, keep: Keep, call: Node): Node | null {
  const home = facts.home(call);
  const object = receiver(call);
  if (home === null || object === null || bare(object).type === "ThisExpression") return null;
  if (isBackward(facts, home) || home === keep.forward || !mayRunBack(facts, home)) return null;
  const made = madeAs(facts, object);
  if (made !== null && made !== ownClass(keep)) return null;
  const kept = keep.param >= 0 ? argumentsOf(call)[keep.param] : resultOf(call);
  if (kept == null || !isPlace(kept)) return null;
  const binding = facts.binding(kept);
  if (binding === null && !isMember(bare(kept))) return null;
  const buffer = { key: valuesOf(facts).key(kept), name: binding?.name ?? "" };
  const [loop] = loopsAround(facts, call);
  // in each turn of a loop the change may stand before the call, in a buffer older than the loop
  const turns = loop !== undefined && (binding === null || !inside(binding.declaration, loop.node));
  const region = turns ? loop.node : home.node;
  const back = callsFrom(facts, home).filter(
    (one) => facts.names.backward(calleeName(one) ?? "") && (!turns || inside(one, loop.node)),
  );
  const next = back.filter((one) => startOf(one) > endOf(call));
  // each turn runs back at once: only what stands before that changes what was kept
  const soon = turns && back.length > 0;
  if (soon && next.length === 0) return null;
  if (binding !== null && renewed(facts, binding.name, kept, call, region)) return null;
  return fillOf(facts, buffer, region, (node) => {
    if (facts.home(node) !== home || inside(call, node)) return false;
    if ((!turns || soon) && startOf(node) < endOf(call)) return false;
    if (turns && !keep.alone && inside(node, call)) return false;
    if (exclusive(call, node) || next.some((one) => startOf(one) < startOf(node))) return false;
    const value = child(node, "right");
    return value === null || !movesByGradient(facts, value);
  });
}

/** `x[i] -= rate * dx[i]`; a `delta` that a forward method gave is none. */
const movesByGradient = (facts: FileFacts, value: Node): boolean =>
  partsOf(value).some((part) => {
    const name = isMember(part) ? propertyName(part) : identifier(part);
    const strength = name === null ? 0 : facts.names.gradient(name);
    if (strength !== 1) return strength === 2;
    const [made] = facts.binding(part)?.definitions ?? [];
    const call = made === undefined ? null : bare(made.expression);
    return call === null || !isCall(call) || facts.names.backward(calleeName(call) ?? "");
  });

const ownClass = ({ forward }: Keep): string | null => {
  const owner = classOf(forward);
  return typeof owner === "string" ? owner : owner === null ? null : identifier(child(owner, "id"));
};

/** It runs something back itself, or is a method of a class with one that does. */
const mayRunBack = (facts: FileFacts, home: Fn): boolean =>
  !/predict|infer|eval|sample|generate|test/i.test(home.name) &&
  (callsFrom(facts, home).some((call) => facts.names.backward(calleeName(call) ?? "")) ||
    (classOf(home) !== null &&
      facts.functions.some((fn) => classOf(fn) === classOf(home) && isBackward(facts, fn))));

/** `const y = layer.forward(x)`, `y = layer.forward(x)`. */
function resultOf(call: Node): Node | null {
  const { parent } = call;
  if (parent?.type === "VariableDeclarator") return child(parent, "id");
  return parent?.type === "AssignmentExpression" && parent.operator === "=" ? child(parent, "left") : null;
}

const isPlace = (node: Node): boolean => bare(node).type === "Identifier" || isMember(bare(node));

/** The name is given another array: what is changed is not what was kept. */
function renewed(facts: FileFacts, name: string, kept: Node, call: Node, region: Node): boolean {
  const binding = facts.binding(kept);
  return facts.assignments.some(
    (node) =>
      identifier(bare(child(node, "left")!)) === name &&
      facts.binding(child(node, "left")!) === binding &&
      inside(node, region) &&
      child(node, "left") !== kept &&
      (startOf(node) > startOf(call) || inside(call, node) || loopsAround(facts, node).length > 0),
  );
}

function report(facts: FileFacts, keep: Keep, change: Node, why: string): Finding {
  return {
    start: startOf(change),
    end: endOf(change),
    message: `\`${facts.source(change).replace(/\s+/g, " ").slice(0, 50)}\` changes an array that \`this.${keep.field}\` holds for \`${keep.backward.name}\` (line ${lineOf(facts, keep.read)}); ${why}. Write into a new one, or keep a copy.`,
    evidence: "structural",
    related: [place(keep.node, "kept by reference"), place(keep.read, "read in the backward pass")],
  };
}
