/**
 * Where a second sweep is told of: at the statement of the turn that sweeps again, which is the loop that runs the steps or the
 * call of what does. A function that sets leaves back itself and sweeps then means to begin anew with each call: there it is
 * its own loop.
 */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import { callsFrom, partOf } from "../../lookups.js";
import { endOf, startOf, type Node } from "../../tree.js";
import type { ListLoop } from "../shared/loops.js";
import { inside, runsIn, targetsOf } from "../shared/nodes.js";
import type { Driver } from "./drivers.js";

export interface Span {
  readonly start: number;
  readonly end: number;
}

export const spanOf = (node: Node): Span => ({ start: startOf(node), end: endOf(node) });

/** Of a call of a driver: the call, unless the driver sets leaves back before it sweeps. */
export function placeOfCall(call: Node, { sweep, cleared }: Driver): Span {
  const first = sweep !== null && cleared.some(({ node }) => startOf(node) < startOf(sweep.node));
  return first ? sweep.head : spanOf(call);
}

/** `cleared`: the resets of the turn. */
export function placeOf(
  facts: FileFacts,
  turn: Node,
  sweep: ListLoop,
  cleared: readonly { readonly node: Node }[],
): Span {
  const home = runsIn(facts, sweep.node);
  const clears =
    home !== null &&
    cleared.some(({ node }) => inside(node, home.node) && startOf(node) < startOf(sweep.node));
  if (inside(sweep.node, turn) || clears) return sweep.head;
  const call = partOf(facts.calls, turn).find((one) => getsTo(facts, one, sweep.node, 3));
  return call === undefined ? sweep.head : spanOf(call);
}

/** The call runs what the node stands in, itself or through what it calls. */
export function getsTo(facts: FileFacts, call: Node, node: Node, depth: number): boolean {
  return targetsOf(facts, call).some(
    (fn) =>
      inside(node, fn.node) ||
      (depth > 1 && callsFrom(facts, fn).some((inner) => getsTo(facts, inner, node, depth - 1))),
  );
}

/** Functions that a function runs: itself, and what it calls, up to two calls away. */
export function runBy(facts: FileFacts, fn: Fn): ReadonlySet<Fn> {
  const found = new Set([fn]);
  let next: readonly Fn[] = [fn];
  for (let depth = 0; depth < 2; depth++) {
    const met = next
      .flatMap((one) => callsFrom(facts, one))
      .flatMap((call) => [...targetsOf(facts, call)])
      .filter((one) => !found.has(one));
    for (const one of met) found.add(one);
    next = met;
  }
  return found;
}
