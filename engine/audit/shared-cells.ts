/**
 * Two nodes whose gradients are one number: their handles hold one object that the sweep writes it to, or one index into
 * the store of all. The engine then says the same of both, where the truth is another for each.
 */
import { diagnosis, type Diagnosis } from "./diagnosis.js";
import type { Foreign } from "./engine.js";
import type { Judged } from "./judge.js";
import type { Write } from "./outcome.js";
import { nodeNames } from "./print.js";
import { afterOf } from "./slots.js";

/** The later node, the earlier one, and what both hold. */
export interface SharedCell {
  readonly later: number;
  readonly earlier: number;
  readonly held: unknown;
}

const near = (a: number, b: number): boolean =>
  Math.abs(a - b) <= 1e-6 * Math.max(Math.abs(a), Math.abs(b)) + 1e-12;

/** Numbers the sweep left, by object and key. */
function leftBySweep({ outcome }: Judged): Map<unknown, Map<unknown, number>> {
  const left = new Map<unknown, Map<unknown, number>>();
  for (const write of outcome.writes) {
    if (write.phase === "forward" || typeof write.object !== "object" || write.object === null) continue;
    const after = afterOf(write);
    if (Number.isNaN(after)) continue;
    const keys = left.get(write.object) ?? new Map<unknown, number>();
    left.set(write.object, keys);
    keys.set(isIndex(write.key) ? Number(write.key) : write.key, after);
  }
  return left;
}

const isIndex = (key: unknown): boolean => typeof key === "number" || /^\d+$/.test(String(key));

function fieldsOf(handle: unknown): [string, unknown][] {
  if (typeof handle !== "object" || handle === null) return [];
  return Object.entries(Object.getOwnPropertyDescriptors(handle)).map(([key, { value }]) => [
    key,
    value as unknown,
  ]);
}

/** A node's gradient as the engine tells it; null where that is no number. */
function told({ outcome }: Judged, v: number): number | null {
  const data = outcome.gradient[v];
  return data?.length === 1 ? data[0] : null;
}

/** Of nodes that hold one thing two of which the engine says the same, and says it wrongly. */
function confused(judged: Judged, holders: readonly number[], held: unknown): SharedCell | null {
  const { truth, graph } = judged;
  const pairs = holders.flatMap((later) =>
    holders.filter((earlier) => earlier < later).map((earlier) => ({ later, earlier })),
  );
  // one that was made of the other says most, if it was made of no second one that holds the same
  const rank = ({ later, earlier }: { later: number; earlier: number }): number => {
    const operands = graph.steps[later - graph.inputs.length]?.operands ?? [];
    return !operands.includes(earlier)
      ? 2
      : operands.some((v) => v !== earlier && holders.includes(v))
        ? 1
        : 0;
  };
  pairs.sort((a, b) => rank(a) - rank(b));
  for (const { later, earlier } of pairs) {
    const [a, b] = [told(judged, earlier), told(judged, later)];
    if (a === null || !Object.is(a, b)) continue;
    const [x, y] = [truth.cotangent[earlier][0], truth.cotangent[later][0]];
    if (!near(x, y) && !(near(a, x) && near(a, y))) return { later, earlier, held };
  }
  return null;
}

/** An object of two handles in which the sweep writes one number. */
function byObject(judged: Judged, left: Map<unknown, Map<unknown, number>>): SharedCell | null {
  const { handles } = judged.outcome;
  const isHandle = new Set(handles);
  const holders = new Map<unknown, number[]>();
  handles.forEach((handle, v) => {
    for (const value of new Set(fieldsOf(handle).map(([, held]) => held))) {
      const keys = left.get(value);
      // an object with more than one number is the store of all nodes
      if (keys?.size !== 1 || isHandle.has(value)) continue;
      if (told(judged, v) === null || !near(told(judged, v)!, [...keys.values()][0])) continue;
      holders.set(value, [...(holders.get(value) ?? []), v]);
    }
  });
  for (const [held, list] of holders) {
    const found = confused(judged, list, held);
    if (found !== null) return found;
  }
  return null;
}

/** A field of all handles that is the place of a node's gradient in one store, and is the same in two. */
function byIndex(judged: Judged, left: Map<unknown, Map<unknown, number>>): SharedCell | null {
  const { handles } = judged.outcome;
  for (const [field] of fieldsOf(handles[0])) {
    const places = handles.map((handle) => fieldsOf(handle).find(([key]) => key === field)?.[1]);
    if (!places.every((place) => Number.isInteger(place) && (place as number) >= 0)) continue;
    for (const keys of left.values()) {
      const fits = places.every((place, v) => {
        const [got, stands] = [told(judged, v), keys.get(place)];
        return got === null || (stands === undefined ? got === 0 : near(got, stands));
      });
      if (!fits || !places.some((place) => keys.has(place))) continue;
      for (const place of new Set(places)) {
        const holders = places.flatMap((one, v) => (one === place ? [v] : []));
        const found = keys.has(place) ? confused(judged, holders, place) : null;
        if (found !== null) return found;
      }
    }
  }
  return null;
}

/** True where the sweep itself puts the object into a second node. */
function handedOn({ outcome }: Judged, held: unknown): boolean {
  return (
    typeof held === "object" &&
    outcome.writes.some(({ phase, value }) => phase !== "forward" && value === held)
  );
}

/** The write, while the later node is made, that gives it what the earlier one holds; null where none was seen. */
export function sharingWrite(judged: Judged): Write | null {
  const cell = sharedCell(judged);
  if (cell === null || handedOn(judged, cell.held)) return null;
  const { outcome } = judged;
  return (
    outcome.writes.find(
      ({ phase, node, object, value }) =>
        phase === "forward" &&
        node === cell.later &&
        object === outcome.handles[cell.later] &&
        value === cell.held,
    ) ?? null
  );
}

export function sharedCell(judged: Judged): SharedCell | null {
  if (judged.symptom?.kind !== "gradient") return null;
  const left = leftBySweep(judged);
  return byObject(judged, left) ?? byIndex(judged, left);
}

/** Nodes that share a gradient, in a graph whose operations are right by themselves. */
export function bySharedCell(judged: Judged, foreign: Foreign): Diagnosis | null {
  const found = sharedCell(judged);
  if (found === null) return null;
  const { graph } = judged;
  const step = graph.steps[found.later - graph.inputs.length];
  const name = step === undefined ? null : foreign.operations[step.op].name;
  const slot = step?.operands.indexOf(found.earlier) ?? -1;
  const evidence =
    "the handles of two nodes hold one place for the gradient, and the engine says the same of both";
  const names = nodeNames(graph);
  const pair = `${names[found.earlier]} and ${names[found.later]} hold one buffer`;
  // handed on in the sweep, or held since the node was made
  if (name === null || handedOn(judged, found.held)) return diagnosis("aliasing", pair, [evidence]);
  // x - x, where it does not show which of the two it was
  const ordinal = new Set(step.operands).size === 1 ? "" : ["first ", "second ", "third "][slot];
  const whose = slot < 0 ? "another node" : `its ${ordinal}operand`;
  return diagnosis(
    "aliasing",
    `${name}: its result is made with the gradient of ${whose}`,
    [evidence],
    [name],
  );
}
