/**
 * Layers that keep the cotangent of their input in a buffer of their own: it is made once, each backward pass adds into it and
 * hands it on, and nothing sets it back. From the second sample on it holds the samples before.
 */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import { callsOf } from "../../local.js";
import { isBackward } from "../../overwriting/entries.js";
import { place } from "../../overwriting/words.js";
import type { Finding } from "../../report.js";
import { loopsAround } from "../../reverse.js";
import { argumentsOf, bare, child, isFunction, isMember, propertyName, type Node } from "../../tree.js";
import { writesOf, type Write } from "../../writes.js";
import { inside, runsIn } from "../shared/nodes.js";
import { spanOf } from "./places.js";

export function* ownBuffers(facts: FileFacts): Iterable<Finding> {
  const seen = new Set<Fn>();
  for (const write of writesOf(facts)) {
    if (write.form !== "add" || !write.element || !isOwn(write)) continue;
    const fn = runsIn(facts, write.node);
    if (fn === null || fn.kind !== "method" || seen.has(fn)) continue;
    if (facts.names.gradient(write.name) === 0 && !isBackward(facts, fn)) continue;
    if (!fn.returns.some((value) => isOwnField(value, write.name)) || isSetBack(facts, write)) continue;
    seen.add(fn);
    for (const call of callsOf(facts, fn)) {
      const turn = turnOf(facts, call);
      if (turn === null) continue;
      yield {
        ...spanOf(turn),
        message: `\`${fn.name}\` adds into \`this.${write.name}\`, which is made once and is never set back to zero, and hands it on: from the second turn on it still holds the cotangents of the turns before. Clear it, or make it anew.`,
        evidence: "structural",
        related: [place(write.node, "added here")],
      };
      break;
    }
  }
}

/** `this.inGrad[i] += ...` by no other object's hand. */
const isOwn = ({ object, objectKey }: Write): boolean => object !== null && objectKey === "this";

const isOwnField = (value: Node, name: string): boolean => {
  const at = bare(value);
  return isMember(at) && propertyName(at) === name && bare(child(at, "object")!).type === "ThisExpression";
};

/** Anything but sums gets into a field of the name after the constructor. */
const isSetBack = (facts: FileFacts, { name }: Write): boolean =>
  writesOf(facts).some((other) => {
    if (other.name !== name || other.form === "add") return false;
    const home = runsIn(facts, other.node);
    return home === null || home.kind !== "constructor";
  });

/**
 * The loop or the call that sweeps, where that runs again: `for (...) g = layers[i].backward(g);` in a loop over samples. The
 * result has to go on as the next cotangent.
 */
function turnOf(facts: FileFacts, call: Node): Node | null {
  const loops = loopsAround(facts, call);
  if (loops.length === 0 || !isThreadedOn(facts, call)) return null;
  const [inner, outer] = loops;
  if (outer !== undefined) return isFunction(inner.node) ? inner.node.parent! : inner.node;
  const home = runsIn(facts, call);
  const again =
    home === null ? undefined : callsOf(facts, home).find((one) => loopsAround(facts, one).length > 0);
  return again ?? null;
}

/** `g = layer.backward(g)`, `reduceRight((g, layer) => layer.backward(g), seed)`. */
function isThreadedOn(facts: FileFacts, call: Node): boolean {
  const given = argumentsOf(call).flatMap((one) => facts.binding(one) ?? []);
  const parent = call.parent!;
  if (parent.type === "AssignmentExpression")
    return given.some((one) => one === facts.binding(child(parent, "left")!));
  const fn = facts.enclosing(call);
  return (
    fn !== null &&
    fn.inline &&
    fn.returns.some((value) => inside(call, value)) &&
    given.some((one) => one === facts.binding(fn.params[0]))
  );
}
