/**
 * A step of an adjoint that stores into what it is handed: `reverseStep(s, bar, grad)` with `grad.mu = ...`, run in a loop with the
 * same `grad`. Seen from the step there is one store; over the turns of the loop the last one stays.
 */
import type { FileFacts } from "../facts.js";
import type { Fn } from "../functions.js";
import { callsOf } from "../local.js";
import { namesOf } from "../lookups.js";
import { loopsAround, type Loop } from "../reverse.js";
import {
  argumentsOf,
  bare,
  child,
  endOf,
  isMember,
  literal,
  propertyName,
  startOf,
  within,
  type Node,
} from "../tree.js";
import { valuesOf } from "../values.js";
import { writesOf, type Write } from "../writes.js";
import { isAdjoint, isCotangentPlace, readsCotangent } from "./cotangents.js";
import { branchOf } from "./guards.js";
import { multiplies } from "./parts.js";
import { isBlank, paramName } from "./slots.js";
import { followsTurn, placeIsFixed } from "./turns.js";

export interface CalledEachTurn {
  readonly write: Write;
  readonly fn: Fn;
  readonly call: Node;
  readonly loop: Node;
}

export const calledEachTurn = (facts: FileFacts): readonly CalledEachTurn[] =>
  facts.once("called each turn", (file) => {
    if (file.names.minified) return [];
    const out: CalledEachTurn[] = [];
    for (const write of writesOf(file)) {
      if (write.form !== "assign" || isBlank(file, write.value)) continue;
      const fn = file.home(write.node);
      if (fn === null || fn.name === "" || fn.kind === "constructor" || !isAdjoint(file, fn)) continue;
      const at = handedIn(file, write, fn);
      if (at === -1 || !storesAlone(file, write, fn)) continue;
      for (const call of callsOf(file, fn)) {
        const loop = file.home(call) === fn ? null : turnsOf(file, call, at);
        if (loop === null) continue;
        out.push({ write, fn, call, loop: loop.node });
        break;
      }
    }
    return out;
  });

/** The parameter that the store goes into; -1: none. */
function handedIn(facts: FileFacts, write: Write, fn: Fn): number {
  let root = bare(write.target);
  while (isMember(root)) root = bare(child(root, "object")!);
  const binding = facts.binding(root);
  return binding?.kind !== "param" || !isMember(bare(write.target))
    ? -1
    : fn.params.findIndex((param) => {
        const name = paramName(param);
        return name !== null && facts.binding(name) === binding;
      });
}

/** Each run stores a product of cotangents in the same place, and does not look at what is there. */
function storesAlone(facts: FileFacts, write: Write, fn: Fn): boolean {
  if (!(isCotangentPlace(facts, write.target, fn) || addsBeside(facts, write, fn))) return false;
  if (branchOf(write.node, fn.node).length > 0) return false;
  if (!multiplies(facts, write.value) || !readsCotangent(facts, write.value, fn)) return false;
  const values = valuesOf(facts);
  const counters = loopsAround(facts, write.node).map(({ counter }) => counter);
  let at = bare(write.target);
  for (; isMember(at); at = bare(child(at, "object")!)) {
    const index = propertyName(at) === null ? child(at, "property")! : null;
    if (index !== null && literal(index) === undefined && !counters.includes(values.key(index))) return false;
  }
  const whole = bare(write.target);
  const key = placeKey(facts, whole);
  return namesOf(facts, facts.binding(at)!).every((name) => {
    if (!within(name, fn.node)) return true;
    let place = name;
    while (place.parent != null && isMember(place.parent) && child(place.parent, "object") === place)
      place = place.parent;
    if (place === whole || place === name) return place !== name || isDeclaration(fn, name);
    const other = placeKey(facts, place);
    return other !== key && !key.startsWith(other) && !other.startsWith(key);
  });
}

/** Another field of what is handed in is added to: `out.mass += q.acc * qBar.vel`. */
const addsBeside = (facts: FileFacts, write: Write, fn: Fn): boolean =>
  write.object !== null &&
  writesOf(facts).some(
    (other) =>
      other.form === "add" &&
      facts.home(other.node) === fn &&
      other.objectKey === write.objectKey &&
      readsCotangent(facts, other.value, fn),
  );

const isDeclaration = (fn: Fn, name: Node): boolean =>
  fn.params.some((param) => within(name, param)) || within(name, child(fn.node, "id") ?? fn.params[0]);

/** Without the indices: two elements of one list may be one. */
function placeKey(facts: FileFacts, place: Node): string {
  let at = place;
  while (isMember(at) && propertyName(at) === null) at = bare(child(at, "object")!);
  return valuesOf(facts).key(at);
}

/** The loop whose turns all hand over the same place, which is read when they are done. */
function turnsOf(facts: FileFacts, call: Node, at: number): Loop | null {
  const args = argumentsOf(call);
  const given = args[at] === undefined ? null : bare(args[at]);
  let root = given;
  while (root !== null && isMember(root)) root = bare(child(root, "object")!);
  const binding = root === null ? null : facts.binding(root);
  if (given === null || binding === null) return null;
  const home = facts.home(call);
  const loop = loopsAround(facts, call).find(
    (one) =>
      placeIsFixed(facts, given, one) &&
      args.some((argument, i) => i !== at && followsTurn(facts, argument, one)) &&
      branchOf(call, home?.node ?? one.node).every(({ branch }) => within(one.node, branch)),
  );
  if (loop === undefined) return null;
  const key = valuesOf(facts).key(given);
  const uses = namesOf(facts, binding).filter((name) => {
    let place = name;
    while (
      place !== given &&
      place.parent != null &&
      isMember(place.parent) &&
      child(place.parent, "object") === place
    )
      place = place.parent;
    const other = valuesOf(facts).key(place);
    return place !== given && (other.startsWith(key) || key.startsWith(other));
  });
  if (uses.some((name) => within(name, loop.node))) return null;
  return binding.kind === "param" || uses.some((name) => startOf(name) > endOf(loop.node)) ? loop : null;
}
