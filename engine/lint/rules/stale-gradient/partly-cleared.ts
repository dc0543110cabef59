/** A graph that was made before a loop, seeded and swept in each turn of it, where no more than its leaves are set back to nothing. */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import { slotNamesOf } from "../../overwriting/slots.js";
import { place } from "../../overwriting/words.js";
import type { Finding } from "../../report.js";
import { endOf, startOf } from "../../tree.js";
import { valuesOf } from "../../values.js";
import { writesOf, type Write } from "../../writes.js";
import { listLoops, stepsOn, type ListLoop } from "../shared/loops.js";
import { inside, runsIn } from "../shared/nodes.js";
import { clearedIn } from "./clearing.js";
import { isFixed, stripped } from "./fixed-lists.js";
import { placeOf } from "./places.js";
import { paidNames, startsOfSweeps } from "./starts.js";
import { isIn, regionOf, sweepIn, type Region } from "./sweeps.js";
import { turnsOf } from "./turns.js";

/** `known`: what other looks have found, so that one sweep is told of once. */
export function* partlyCleared(
  facts: FileFacts,
  known: readonly Finding[],
): Iterable<{ readonly finding: Finding; readonly cleared: readonly Write[] }> {
  const starts = startsOfSweeps(facts);
  if (starts.length === 0) return;
  const told = new Set<number>();
  for (const { loop, alone } of [
    ...turnsOf(facts).map((node) => ({ loop: node, alone: false })),
    ...startingFunctions(facts).map(({ node }) => ({ loop: node, alone: true })),
  ]) {
    if (known.some(({ start }) => start >= startOf(loop) && start < endOf(loop))) continue;
    const region = regionOf(facts, loop);
    if (region === null) continue;
    const slot = starts
      .filter(({ node }) => isIn(node, region))
      .map(({ write }) => slotNamesOf(facts).canonical(write.name))
      .find((name) => sumsUp(facts, name));
    if (slot === undefined) continue;
    const sweep = sweepIn(facts, region);
    if (sweep === null || !isFixed(facts, sweep, region)) continue;
    const cleared = clearedIn(facts, region, slot, sweep);
    if (cleared === "all") continue;
    if (alone && (cleared.length === 0 || !isEvaluated(facts, sweep, region))) continue;
    const at = placeOf(facts, loop, sweep, cleared);
    if (told.has(at.start)) continue;
    told.add(at.start);
    const finding: Finding = {
      ...at,
      message: `the graph is made once and swept in each turn of this loop, and ${cleared.length > 0 ? "only the leaves are" : "nothing is"} set back to zero in between: interior nodes still hold the cotangents of the turn before, and hand them on once more. Clear every node before a sweep.`,
      evidence: "structural",
      related: cleared.slice(0, 2).map(({ node }) => place(node, "set back to zero")),
    };
    yield { finding, cleared };
  }
}

/** Functions that begin a sweep: where one evaluates its graph anew before that, each call of it is a turn. */
const startingFunctions = (facts: FileFacts): readonly Fn[] => [
  ...new Set(
    startsOfSweeps(facts).flatMap(({ node }) => {
      const fn = runsIn(facts, node);
      return fn === null || fn.kind === "constructor" ? [] : [fn];
    }),
  ),
];

/** `for (const n of this.schedule) n.refresh();`: the nodes that are swept get their values anew. */
function isEvaluated(facts: FileFacts, sweep: ListLoop, region: Region): boolean {
  const values = valuesOf(facts);
  const key = values.key(stripped(sweep.list));
  return listLoops(facts).some((one) => {
    if (one.node === sweep.node || values.key(stripped(one.list)) !== key || !isIn(one.node, region))
      return false;
    const sets = writesOf(facts).some(
      ({ node, object, objectKey, name }) =>
        object !== null &&
        inside(node, one.body) &&
        objectKey === one.current &&
        facts.names.gradient(name) === 0,
    );
    return sets || stepsOn(facts, one.body, new Set([one.current])).length > 0;
  });
}

const sumsUp = (facts: FileFacts, slot: string): boolean => paidNames(facts).has(slot);
