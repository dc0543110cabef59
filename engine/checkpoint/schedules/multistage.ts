/**
 * `multistage:ram,disk`: binomial checkpointing with ram + disk slots, as many advances as revolve with all of them; the slots that
 * are written and read most lie in RAM. Stumm and Walther 2009, "MultiStage approaches for optimal offline checkpointing", SIAM J.
 * Sci. Comput. 31(3).
 *
 * The slot of a depth is used C(r + d, d) times or so, r the repetition number and d the depth counted from the start of the chain,
 * so deep slots are the busy ones; for lengths between two binomials it is counted.
 */
import type { Schedule } from "../actions.js";
import { exactRepetitions } from "../binomial.js";
import { reverseSegment, type SlotPlace } from "../segment.js";
import { binomialCounts, binomialLength, clipped, usableSlots } from "./revolve.js";
import { amount } from "../words.js";

/** Chains longer than this are not run through to count the use of slots: the deepest slots go to RAM. */
const MOST_COUNTED = 2_000_000;

const plainPlace = (depth: number): SlotPlace => ({ slot: depth, level: "ram" });

/** Reads and writes of the slot of every depth. */
function traffic(steps: number, slots: number): Float64Array {
  const uses = new Float64Array(slots);
  for (const action of reverseSegment(0, steps, plainPlace, slots))
    if (action.kind === "store" || action.kind === "restore") uses[action.slot]++;
  return uses;
}

/** The place of every depth: the `ram` busiest ones in RAM, of equally busy ones the deeper. */
export function placesByTraffic(steps: number, ram: number, disk: number): (depth: number) => SlotPlace {
  const slots = usableSlots(steps, ram + disk);
  if (steps > MOST_COUNTED) {
    const shallow = slots - Math.min(ram, slots);
    return (depth) =>
      depth < shallow ? { slot: depth, level: "disk" } : { slot: depth - shallow, level: "ram" };
  }
  const uses = traffic(steps, slots);
  const byUse = Array.from(uses.keys()).sort((a, b) => uses[b] - uses[a] || b - a);
  const inRam = new Set(byUse.slice(0, ram));
  const places: SlotPlace[] = [];
  let ramSlots = 0;
  let diskSlots = 0;
  for (let depth = 0; depth < slots; depth++) {
    places.push(inRam.has(depth) ? { slot: ramSlots++, level: "ram" } : { slot: diskSlots++, level: "disk" });
  }
  return (depth) => places[depth];
}

/** @param ram, disk slots of each level, one of them at least */
export function multistage(name: string, ram: number, disk: number): Schedule {
  return {
    name,
    actions: (steps) => reverseSegment(0, steps, placesByTraffic(steps, ram, disk), ram + disk),
    length: binomialLength,
    remarks(steps) {
      const { advances } = binomialCounts(steps, ram + disk);
      const r = exactRepetitions(BigInt(steps), BigInt(usableSlots(steps, ram + disk)));
      return [
        ...clipped(steps, ram + disk),
        `Binomial over all slots: ${amount(advances, "advance")}, none more than ${amount(r, "time")}, as revolve:${ram + disk}.`,
        steps > MOST_COUNTED
          ? "The deepest slots lie in RAM; of so long a chain their use is not counted."
          : "The slots used most lie in RAM, counted by reads and writes.",
      ];
    },
  };
}
