/** Operations of the same engine that do it right, and what they say of a doubtful write. */
import type { FileFacts } from "../facts.js";
import { callsOf } from "../local.js";
import { operationOf } from "../operations.js";
import { derivedIndex } from "./upstream.js";
import { ENOUGH, weigh } from "./evidence.js";
import { isBackward, isEntry } from "./entries.js";
import type { Write } from "../writes.js";
import type { Judged } from "./judge.js";
import { storingKernels } from "./kernels.js";
import { paidElsewhere } from "./paid.js";

/** Operations of the same engine that add into the same slot speak for those that only structure speaks for. */
export function withSiblings(facts: FileFacts, first: readonly Judged[]): readonly Judged[] {
  const paid = besideAdders(facts);
  return first.map((judged) => {
    const { write, weighed } = judged;
    if (judged.verdict === "other" && paid.has(write))
      return { ...judged, verdict: "overwrites", open: false, weighed: weighed ?? weigh(facts, write) };
    if (!judged.open || weighed === null || weighed.upstream === null || weighed.own || !weighed.reverse)
      return judged;
    if (isEntry(write) && (write.index === null || !derivedIndex(facts, write)) && write.form !== "map-set")
      return judged;
    const spoken =
      (weighed.score + 3 >= ENOUGH && siblingsOf(facts, first, judged).length > 0) ||
      // an engine that assigns throughout: the clear writes of a slot speak for the plain ones
      (weighed.score + 2 >= ENOUGH &&
        first.some(
          (other) =>
            other.verdict === "overwrites" &&
            other.slot === judged.slot &&
            isEntry(other.write) === isEntry(write),
        ));
    if (!spoken) return judged;
    return { ...judged, verdict: "overwrites", open: false };
  });
}

/** Stores that others speak against whatever the names are, with what the others do. */
const besideAdders = (facts: FileFacts): ReadonlyMap<Write, readonly Write[]> =>
  facts.once("beside adders", (file) => new Map([...storingKernels(file), ...paidElsewhere(file)]));

/** Adding writes of functions that backward closures call: `receive(g) { this.grad += g }`. */
function addingHelpers(facts: FileFacts, all: readonly Judged[]): ReadonlySet<Write> {
  const found = new Set<Write>();
  for (const { write, verdict } of all) {
    const fn = verdict === "accumulates" ? facts.home(write.node) : null;
    if (fn === null || fn.name === "" || fn.params.length === 0) continue;
    const called = callsOf(facts, fn).some((call) => {
      const home = facts.home(call);
      return home !== null && home !== fn && (operationOf(facts, home) !== null || isBackward(facts, home));
    });
    if (called) found.add(write);
  }
  return found;
}

/** Accumulating writes of the reverse sweep into the same slot, elsewhere in the file. */
export function siblingsOf(facts: FileFacts, all: readonly Judged[], judged: Judged): readonly Judged[] {
  const adders = facts.once("adding helpers", () => addingHelpers(facts, all));
  const paid = besideAdders(facts).get(judged.write) ?? [];
  return all.filter(
    (other) =>
      paid.includes(other.write) ||
      (other !== judged &&
        other.verdict === "accumulates" &&
        other.slot === judged.slot &&
        isEntry(other.write) === isEntry(judged.write) &&
        other.weighed !== null &&
        other.weighed.carried &&
        ((other.weighed.reverse && !other.weighed.own && other.weighed.upstream !== null) ||
          adders.has(other.write))),
  );
}
