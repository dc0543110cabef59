/**
 * Sweeps within the sweep: a closure runs a part of the forward pass anew, puts its own cotangent into what that gave and sweeps
 * the new part of the tape: `const again = body(x); again.grad = g; unwind(mark);`.
 */
import type { FileFacts } from "../facts.js";
import type { Fn } from "../functions.js";
import { localFunction } from "../local.js";
import { callsFrom, partOf } from "../lookups.js";
import { loopsAround } from "../reverse.js";
import { bare, child, endOf, isMember, startOf, within, type Node } from "../tree.js";
import type { Write } from "../writes.js";

/** What is stored is a cotangent as it is, and a sweep of this run begins after the store. */
export function startsInnerSweep(facts: FileFacts, write: Write, home: Fn): boolean {
  const value = bare(write.value);
  return (
    (isMember(value) || value.type === "Identifier") &&
    loopsAround(facts, write.node).length === 0 &&
    sweepsAfter(facts, write.node, home)
  );
}

/** A sweep begins after a node, in the run of the same function: written out, or by a call of one that is. */
export function sweepsAfter(facts: FileFacts, node: Node, home: Fn): boolean {
  const later = (one: Node): boolean => startOf(one) > endOf(node) && facts.home(one) === home;
  return (
    sweepsIn(facts, home).some(later) ||
    callsFrom(facts, home).some((call) => {
      const fn = later(call) ? localFunction(facts, call) : null;
      return fn !== null && fn !== home && sweepsIn(facts, fn).length > 0;
    })
  );
}

/** Loops and callbacks of a function that come by what they call from the end. */
function sweepsIn(facts: FileFacts, home: Fn): readonly Node[] {
  const known = facts.once("sweeps by function", () => new Map<Fn, readonly Node[]>());
  let sweeps = known.get(home);
  if (sweeps === undefined) {
    const callbacks = facts.functions.filter(({ inline, node }) => inline && within(node, home.node));
    sweeps = [...partOf(facts.loops, home.node), ...callbacks.map(({ node }) => node)].filter((loop) => {
      const body = child(loop, "body");
      return (
        body !== null &&
        loopsAround(facts, body).some(({ node, reverse }) => node === loop && reverse) &&
        partOf(facts.calls, loop).length > 0
      );
    });
    known.set(home, sweeps);
  }
  return sweeps;
}
