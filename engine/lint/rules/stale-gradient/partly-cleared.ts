/** A graph that was made before a loop, seeded and swept in each turn of it, where no more than its leaves are set back to nothing. */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import { partOf } from "../../lookups.js";
import { slotNamesOf } from "../../overwriting/slots.js";
import { place } from "../../overwriting/words.js";
import type { Finding } from "../../report.js";
import { loopsAround } from "../../reverse.js";
import { calleeName, endOf, startOf, type Node } from "../../tree.js";
import { writesOf } from "../../writes.js";
import { backwardClosures, contributionsOf, seedsOf, stepNames } from "../shared/contributions.js";
import { listLoops, type ListLoop } from "../shared/loops.js";
import { inside, targetsOf } from "../shared/nodes.js";
import { clearedIn } from "./clearing.js";
import { isFixed } from "./fixed-lists.js";
import { turnsOf } from "./turns.js";

/** `known`: what other looks have found, so that one sweep is told of once. */
export function* partlyCleared(facts: FileFacts, known: readonly Finding[]): Iterable<Finding> {
  if (seedsOf(facts).length === 0) return;
  const told = new Set<Node>();
  for (const loop of turnsOf(facts)) {
    if (known.some(({ start }) => start >= startOf(loop) && start < endOf(loop))) continue;
    const region = regionOf(facts, loop);
    if (region === null) continue;
    const seed = seedsOf(facts).find(({ node }) => isIn(node, region));
    const slot = seed === undefined ? null : slotOf(facts, seed.node);
    if (seed === undefined || slot === null || !sumsUp(facts, slot)) continue;
    const sweep = sweepIn(facts, region);
    if (sweep === null || !isFixed(facts, sweep, region)) continue;
    const cleared = clearedIn(facts, region, slot, sweep);
    if (cleared === "all") continue;
    const at = placeOf(facts, [...cleared, seed], sweep, loop);
    if (told.has(at)) continue;
    told.add(at);
    yield {
      start: startOf(at),
      end: endOf(at),
      message: `the graph is made once and swept in each turn of this loop, and ${cleared.length > 0 ? "only the leaves are" : "nothing is"} set back to zero in between: interior nodes still hold the cotangents of the turn before, and hand them on once more. Clear every node before a sweep.`,
      evidence: "structural",
      related: [place(sweep.node, "swept in each turn")],
    };
  }
}

/** In the loop itself: a reset, the seed, or the call that sweeps. */
function placeOf(
  facts: FileFacts,
  stores: readonly { readonly node: Node }[],
  sweep: ListLoop,
  loop: Node,
): Node {
  const own = stores.find(({ node }) => inside(node, loop));
  if (own !== undefined) return own.node;
  const call = partOf(facts.calls, loop).find((one) =>
    targetsOf(facts, one).some((fn) => inside(sweep.node, fn.node)),
  );
  return call ?? stores[stores.length - 1].node;
}

/** What runs in a turn of a loop: the loop, and functions of this file that are called in it. */
export interface Region {
  readonly loop: Node;
  readonly runs: ReadonlySet<Fn>;
}

const DEPTH = 3;

/** Null where the turn may make nodes: a graph of its own. */
function regionOf(facts: FileFacts, loop: Node): Region | null {
  const runs = new Set<Fn>();
  let next: readonly Node[] = partOf(facts.calls, loop);
  for (let depth = 0; depth < DEPTH && next.length > 0; depth++) {
    const found = next
      .flatMap((call) => targetsOf(facts, call))
      .filter((fn) => !runs.has(fn) && !inside(loop, fn.node));
    for (const fn of found) runs.add(fn);
    next = found.flatMap((fn) => [...partOf(facts.calls, fn.node)]);
  }
  const makers = new Set(backwardClosures(facts).map((fn) => facts.outer(fn)));
  for (const fn of runs) if (makers.has(fn)) return null;
  return { loop, runs };
}

export const isIn = (node: Node, { loop, runs }: Region): boolean =>
  inside(node, loop) || [...runs].some((fn) => inside(node, fn.node));

/** Name of the slot that a seed goes into, as all of its spellings have it. */
function slotOf(facts: FileFacts, seed: Node): string | null {
  const write = writesOf(facts).find(({ node }) => node === seed);
  return write === undefined ? null : slotNamesOf(facts).canonical(write.name);
}

const sumsUp = (facts: FileFacts, slot: string): boolean =>
  contributionsOf(facts).some(
    ({ write, verdict }) => verdict === "accumulates" && slotNamesOf(facts).canonical(write.name) === slot,
  );

/** The loop over the nodes or the tape that pays. */
function sweepIn(facts: FileFacts, region: Region): ListLoop | null {
  return (
    listLoops(facts).find((one) => {
      const strictly = inside(one.node, region.loop)
        ? one.node !== region.loop && one.body !== region.loop
        : isIn(one.node, region);
      if (!strictly || !(one.backwards || runsBack(facts, one))) return false;
      return (
        contributionsOf(facts).some(({ write }) => inside(write.node, one.body)) ||
        partOf(facts.calls, one.body).some((call) => stepNames(facts).has(calleeName(call) ?? ""))
      );
    }) ?? null
  );
}

const runsBack = (facts: FileFacts, { node, body }: ListLoop): boolean =>
  loopsAround(facts, body).some((loop) => loop.reverse && (loop.node === node || loop.node === body));
