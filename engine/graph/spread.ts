/**
 * How far the sum at a fan-out depends on the order of its contributions: for every accumulation mode and every format
 * of cotangents, over all orders and over those that a reverse topological order can have.
 */
import { rounder } from "../ops/dtype.js";
import { philoxUniform } from "../replay/philox.js";
import type { Note } from "../report/report.js";
import { parseAccumulation, type Accumulation, type SumMode } from "../sweep/accumulate.js";
import { flatten, isArrayNode, nodeArray, type FlatTape } from "../sweep/flat.js";
import { activeNodes, sweepOrder } from "../sweep/order.js";
import { reverseSweep, type Seed } from "../sweep/reverse.js";
import { SpreadCounter, type Spread } from "../sweep/spread.js";
import { exactSum } from "../sweep/spread-exact.js";
import { arrivalsOf, type Arrivals } from "../sweep/spread-orders.js";
import { shapeText } from "../tape/ndarray.js";
import { placeOf } from "../tape/sites.js";
import { BacksweepError } from "../trace/failure.js";
import type { Dtype } from "../trace/trace.js";
import { noMore } from "./arguments.js";
import { subjectOf } from "./complete.js";
import { tellCuts } from "./warnings.js";
import type { GraphDefinition, Inputs } from "./definition.js";
import { outsideOnly } from "./inside.js";
import { namesOf, type NodeNames } from "./node-names.js";
import { recordedNotes } from "./notes.js";
import { dtypes } from "./options.js";
import { mergeSeeds } from "./outputs.js";
import type { At } from "./point.js";
import { record, type Recording, type Subject } from "./record.js";
import { allOrders, reachableOrders, type OrdersTried } from "./spread-tried.js";
import { RandomStream } from "./stream.js";

export const spreadModes: readonly SumMode[] = ["sum", "pairwise", "kahan"];

export interface SpreadContribution {
  /** the consumer that hands it over, by name, expression or as `node 7`; null for the seed of an output */
  readonly from: string | null;
  readonly consumer: number;
  readonly slot: number;
  /** in the format of the cotangents that was asked for */
  readonly value: number;
}

export interface ModeSpread {
  readonly mode: SumMode;
  /** in the order of arrival of the sweep's own order */
  readonly arrival: number;
  readonly all: Spread;
  readonly reachable: Spread;
}

export interface FormatSpread {
  /** of cotangents and contributions */
  readonly dtype: Dtype;
  /** the exact sum of the contributions as they are in this format, rounded once to it */
  readonly exact: number;
  /** sum of |contributions| over |sum|: what cancels (Higham, Accuracy and Stability, 4.2) */
  readonly condition: number;
  readonly modes: readonly ModeSpread[];
}

export interface SpreadTable {
  readonly node: number;
  readonly name: string;
  readonly contributions: readonly SpreadContribution[];
  /** pairs of consumers of which the first always hands over before the second; null where they were not looked for */
  readonly always: readonly (readonly [before: string, after: string])[] | null;
  readonly all: OrdersTried;
  readonly reachable: OrdersTried;
  /** none for fewer than two contributions */
  readonly formats: readonly FormatSpread[];
  /** cuts and kinks met while recording */
  readonly notes: readonly Note[];
}

/**
 * The spread at one node.
 *
 * @param node its name, or its id as text; an element of an array as `W[0][1]`
 * @throws BacksweepError `option` for an unknown node, or an array as a whole; and what a run throws
 */
export function spreadTable(subject: Subject, node: string): SpreadTable {
  const { settings } = subject;
  const accumulation = parseAccumulation(settings.accumulate);
  if (accumulation.kind === "last-writer-wins") {
    throw new BacksweepError(
      "option",
      "spread: last-writer-wins makes no sum (use sum, pairwise or kahan for the sums on the way to the node)",
    );
  }
  const recording = record(subject);
  const { recorder, outputs } = recording;
  subject.context.recorded?.(recorder.customRules.size > 0);
  const flat = flatten(recorder.tape);
  const names = namesOf(recorder, flat.n, outputs);
  const nameOf = (v: number): string => names.text(v) ?? placeOf(flat.site[v])?.expression ?? `node ${v}`;
  const seeds = mergeSeeds(outputs);
  const active = activeNodes(
    flat,
    seeds.map((seed) => seed.node),
  );
  const { v, element, label } = elementOf(flat, names, active, node, nameOf);
  const outputNodes = seeds.map((seed) => seed.node);
  const order = sweepOrder(flat, active, outputNodes, settings.order, nameOf);
  const arrivals = arrivalsOf(flat, v, order, active, outputNodes.includes(v));
  const sweeps = sweepsByFormat(recording, flat, accumulation, order, seeds, arrivals, v, element);
  const contributions = arrivals.edges.map((edge, i) => ({
    from: edge < 0 ? null : nameOf(flat.edgeTo[edge]),
    consumer: edge < 0 ? -1 : flat.edgeTo[edge],
    slot: edge < 0 ? -1 : flat.edgeSlot[edge],
    value: sweeps.get(settings.cotangentDtype)![i],
  }));
  const head = { node: v, name: label, contributions, notes: recordedNotes(recorder) };
  if (contributions.length < 2) {
    const one: OrdersTried = { tried: contributions.length, total: contributions.length, complete: true };
    return { ...head, always: [], all: one, reachable: one, formats: [] };
  }
  const counters = Array.from(sweeps, ([dtype, terms]) => countersOf(dtype, terms));
  const random = uniform(settings.seed);
  const every = counters.flatMap(({ modes }) => modes);
  const terms = sweeps.get(settings.cotangentDtype)!;
  const all = allOrders(terms, random, (permutation) => every.forEach(({ all }) => all.add(permutation)));
  const found = reachableOrders(flat, arrivals, active, random, (permutation) =>
    every.forEach(({ reachable }) => reachable.add(permutation)),
  );
  return {
    ...head,
    always: found.always?.map(([a, b]) => [nameOf(a), nameOf(b)] as const) ?? null,
    all,
    reachable: found.tried,
    formats: counters.map(({ dtype, exact, condition, modes }) => ({
      dtype,
      exact,
      condition,
      modes: modes.map(({ mode, arrival, all: a, reachable: r }) => ({
        mode,
        arrival,
        all: a.result(),
        reachable: r.result(),
      })),
    })),
  };
}

/** Contributions to the node in order of arrival, by format of the cotangents; the seed among them. */
function sweepsByFormat(
  { recorder }: Recording,
  flat: FlatTape,
  accumulation: Accumulation,
  order: Int32Array,
  seeds: readonly Seed[],
  arrivals: Arrivals,
  node: number,
  element: number | null,
): Map<Dtype, number[]> {
  const given = seeds.find((one) => one.node === node);
  const seed = element === null ? given?.cotangent : given?.array?.data[element];
  const out = new Map<Dtype, number[]>();
  for (const dtype of dtypes) {
    const round = dtype === "f64" ? null : rounder(dtype);
    const { contribution, arrays } = reverseSweep(flat, {
      order,
      seeds,
      accumulation,
      round,
      customRules: recorder.customRules,
      assigns: null,
    });
    const arrived = (edge: number): number =>
      element === null ? contribution[edge] : (arrays?.contribution.get(edge)?.data[element] ?? 0);
    const first = round === null ? (seed ?? 0) : round(seed ?? 0);
    out.set(
      dtype,
      arrivals.edges.map((edge) => (edge >= 0 ? arrived(edge) : first)),
    );
  }
  return out;
}

interface Counters {
  readonly dtype: Dtype;
  readonly exact: number;
  readonly condition: number;
  readonly modes: readonly {
    readonly mode: SumMode;
    readonly arrival: number;
    readonly all: SpreadCounter;
    readonly reachable: SpreadCounter;
  }[];
}

function countersOf(dtype: Dtype, terms: readonly number[]): Counters {
  const exact = exactSum(terms, dtype);
  const size = exactSum(terms.map(Math.abs), "f64");
  const identity = terms.map((_, i) => i);
  return {
    dtype,
    exact,
    condition: size === 0 ? 1 : size / Math.abs(exactSum(terms, "f64")),
    modes: spreadModes.map((mode) => ({
      mode,
      arrival: new SpreadCounter(mode, dtype, terms, exact).add(identity),
      all: new SpreadCounter(mode, dtype, terms, exact),
      reachable: new SpreadCounter(mode, dtype, terms, exact),
    })),
  };
}

function uniform(seed: number): () => number {
  const stream = new RandomStream(seed);
  return () => philoxUniform(stream.next());
}

/**
 * The node that is asked for, and which element of it where it is an array: `W[0][1]`.
 *
 * @throws BacksweepError `option` for a node that is not there, or an array of which no element is named
 */
function elementOf(
  flat: FlatTape,
  names: NodeNames,
  active: Uint8Array,
  wanted: string,
  nameOf: (v: number) => string,
): { readonly v: number; readonly element: number | null; readonly label: string } {
  const [, base, indices] = /^(.*?)((?:\[\d+\])*)$/.exec(wanted)!;
  for (let v = 0; indices !== "" && v < flat.n; v++) {
    if (!isArrayNode(flat, v) || (names.text(v) !== base && String(v) !== base)) continue;
    const { shape } = nodeArray(flat, v);
    const index = Array.from(indices.matchAll(/\d+/g), ([digits]) => Number(digits));
    if (index.length !== shape.length || index.some((i, axis) => i >= shape[axis])) {
      throw new BacksweepError(
        "option",
        `spread: ${nameOf(v)} has the shape ${shapeText(shape)}, there is no element ${indices}`,
      );
    }
    const element = index.reduce((at, i, axis) => at * shape[axis] + i, 0);
    return { v, element, label: `${nameOf(v)}${indices}` };
  }
  const v = findNode(flat, names, active, wanted);
  if (!isArrayNode(flat, v)) return { v, element: null, label: nameOf(v) };
  const { shape } = nodeArray(flat, v);
  const example = `${nameOf(v)}${shape.map(() => "[0]").join("")}`;
  throw new BacksweepError(
    "option",
    `spread: ${nameOf(v)} is an array of shape ${shapeText(shape)}, and every element is a sum of its own: name one, as ${example}`,
  );
}

function findNode(flat: FlatTape, names: NodeNames, active: Uint8Array, wanted: string): number {
  for (let v = 0; v < flat.n; v++) if (names.text(v) === wanted) return v;
  if (/^\d+$/.test(wanted) && Number(wanted) < flat.n) return Number(wanted);
  const uses = new Int32Array(flat.n);
  for (let e = 0; e < flat.edgeFrom.length; e++) if (active[flat.edgeTo[e]] === 1) uses[flat.edgeFrom[e]]++;
  const several: string[] = [];
  for (let v = 0; v < flat.n && several.length < 7; v++) {
    if (uses[v] > 1) several.push(names.text(v) ?? String(v));
  }
  const shown = `${several.slice(0, 6).join(", ")}${several.length > 6 ? ", ..." : ""}`;
  throw new BacksweepError(
    "option",
    `there is no node "${wanted}"; ${several.length === 0 ? "no node is used more than once" : `used more than once: ${shown}`}`,
  );
}

/**
 * The spread of the sum at a node over the orders of its contributions: all orders when there are at most 8, else random
 * ones of the graph's seed and sorted ones.
 *
 * @param node its name; an element of an array as `W[0][1]`
 * @param at inputs by name that differ from the definition's
 */
export function spread<I extends Inputs>(
  definition: GraphDefinition<I>,
  node: string,
  at?: At<I>,
  ...surplus: never[]
): SpreadTable {
  noMore("spread(graph, node, at)", surplus);
  outsideOnly("spread");
  const subject = subjectOf(definition as unknown as GraphDefinition, at);
  const table = spreadTable({ ...subject, settings: { ...subject.settings, order: "breadth" } }, node);
  tellCuts(table.notes);
  return table;
}
