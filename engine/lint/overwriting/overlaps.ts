/**
 * Indices under which several turns meet: windows that overlap (`oy * stride + ky`), sums of two counters (`i + k`), and the
 * places of maxima in such windows. The gradient of a place is the sum over the windows that it lies in
 * (Dumoulin and Visin, A guide to convolution arithmetic for deep learning, 2016, section 4).
 */
import type { FileFacts } from "../facts.js";
import { loopsAround, type Loop } from "../reverse.js";
import { bare, child, identifier, isMember, propertyName, type Node } from "../tree.js";
import { writesOf } from "../writes.js";
import { sumOfCounters, type Counting } from "./counters.js";
import { moves } from "./indices.js";
import { factorsOf, numberOf, type Sum } from "./sums.js";

/** Sizes of a step that a window need not keep to. */
const STEP = /(?:^|[.~_])(?:strides?|steps?|hop|dilation|s|sx|sy|sh|sw|str)(?:[XYHW]|~\d+|$)/i;

/** Two loops whose turns come to one place, by the indices of an element; null when none are seen. */
export function meetingLoops(
  facts: FileFacts,
  dims: readonly Node[],
  between: readonly Loop[],
): readonly [Loop, Loop] | null {
  const sums = dims.map((dim) => sumOfCounters(facts, dim, between));
  if (sums.some((one) => one === null)) return null;
  for (const [at, one] of sums.entries()) {
    const inIt = one!.loops.filter(({ name }) => occursOnce(one!.sum, name));
    for (const [i, a] of inIt.entries())
      for (const b of inIt.slice(i + 1)) {
        const apart = sums.some(
          (other, k) => k !== at && [a, b].some(({ name }) => mentions(other!.sum, name)),
        );
        if (!apart && (overlap(one!.sum, a, b) || overlap(one!.sum, b, a))) return [a.loop, b.loop];
      }
  }
  return null;
}

const mentions = (sum: Sum, name: string): boolean =>
  [...sum.keys()].some((product) => factorsOf(product).includes(name));

const occursOnce = (sum: Sum, name: string): boolean =>
  [...sum.keys()].filter((product) => factorsOf(product).includes(name)).length === 1;

/** The turns of the inner loop reach over what one turn of the outer moves by. */
function overlap(sum: Sum, outer: Counting, inner: Counting): boolean {
  const far = moves(sum, outer.name);
  const near = moves(sum, inner.name);
  const counters = [...far.factors, ...near.factors].some((factor) => factor.startsWith("#"));
  if (counters || inner.bound === null || far.times * near.times <= 0) return false;
  const rest = without(far.factors, near.factors);
  if (rest === null) return false;
  const reach = numberOf(inner.bound);
  if (rest.length === 0) {
    const step = Math.abs(far.times / near.times);
    return Number.isInteger(step) && (reach === null ? step === 1 : reach > step);
  }
  // `stride` beside a window of another size
  const [by, ...more] = rest;
  return (
    more.length === 0 &&
    STEP.test(by) &&
    Math.abs(far.times) === Math.abs(near.times) &&
    [...inner.bound.keys()].every((product) => !factorsOf(product).includes(by)) &&
    (reach === null || reach > 1)
  );
}

/** What is left of a product when the factors of another are taken out; null when it has not all of them. */
function without(all: readonly string[], some: readonly string[]): readonly string[] | null {
  const left = [...all];
  for (const factor of some) {
    const at = left.indexOf(factor);
    if (at === -1) return null;
    left.splice(at, 1);
  }
  return left;
}

/** `this.argmax[o]`, where the forward pass keeps a place in windows that overlap. */
export function keepsMeetingPlace(facts: FileFacts, index: Node): boolean {
  const list = listOf(facts, index);
  if (list === null) return false;
  return writesOf(facts).some((write) => {
    if (!write.element || write.form !== "assign" || lastName(bare(write.target)) !== list) return false;
    return meetingLoops(facts, [write.value], loopsAround(facts, write.node)) !== null;
  });
}

function listOf(facts: FileFacts, index: Node): string | null {
  const inner = bare(index);
  const made = inner.type === "Identifier" ? facts.binding(inner)?.definitions : undefined;
  const place = made?.length === 1 && made[0].path.length === 0 ? bare(made[0].expression) : inner;
  return isMember(place) && propertyName(place) === null ? lastName(place) : null;
}

/** The name in front of the indices: `argmax` of `this.argmax[o]`. */
function lastName(place: Node): string | null {
  let at = place;
  while (isMember(at) && propertyName(at) === null) at = bare(child(at, "object")!);
  return isMember(at) ? propertyName(at) : identifier(at);
}
