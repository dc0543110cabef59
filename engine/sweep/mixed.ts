/**
 * The reverse sweep over a tape of scalars and arrays: the same order and the same accumulation, element by element where
 * a cotangent is an array.
 */
import type { Rounder } from "../ops/dtype.js";
import { NumericAlgebra, numeric } from "../ops/array/numeric.js";
import { arrayPrimitive } from "../ops/array/table.js";
import { placed } from "../ops/array/third-derivative.js";
import type { CustomRule } from "../ops/recorder.js";
import { filled, scalar, sizeOf, type NDArray } from "../tape/ndarray.js";
import { OP_ARRAY, OP_INPUT } from "../tape/tape.js";
import { total, type SumMode } from "./accumulate.js";
import { isArrayNode, nodeArray, operandArrays, type FlatTape } from "./flat.js";
import { Given } from "./given.js";
import type { RunningSweep, SweepResult, SweepSettings } from "./reverse.js";

/** Writes the contributions of a scalar node along its edges. */
type ScalarRule = (
  flat: FlatTape,
  v: number,
  g: number,
  customRules: ReadonlyMap<number, CustomRule>,
  contribution: Float64Array,
) => void;

/** Arithmetic mean of the elements; NaN or infinite where an element is. 0 for no elements. */
export function meanOf({ data }: NDArray): number {
  if (data.length === 0) return 0;
  let sum = 0;
  for (let i = 0; i < data.length; i++) sum += data[i];
  const mean = sum / data.length;
  if (Number.isFinite(mean)) return mean;
  // a sum that overflowed though no element is infinite
  let scaled = 0;
  for (let i = 0; i < data.length; i++) scaled += data[i] / data.length;
  return scaled;
}

/** Writes the means of arrays into the columns of a sweep, for whoever reads the columns alone. */
export function fillMeans({ arrays, cotangent, contribution }: SweepResult): void {
  if (arrays === undefined) return;
  for (const [node, array] of arrays.cotangent) cotangent[node] = meanOf(array);
  for (const [edge, array] of arrays.contribution) contribution[edge] = meanOf(array);
}

export function mixedSweep(flat: FlatTape, settings: SweepSettings, scalarRule: ScalarRule): RunningSweep {
  const sweep = new MixedSweep(flat, settings);
  const { order } = settings;
  return {
    visit: (from, end) => {
      for (let i = from; i < end; i++) sweep.visit(order[i], scalarRule);
    },
    result: () => sweep.result(),
  };
}

class MixedSweep {
  private readonly cotangent: Float64Array;
  private readonly contribution: Float64Array;
  private readonly arrayCotangent = new Map<number, NDArray>();
  private readonly arrayContribution = new Map<number, NDArray>();
  private readonly none = new Set<number>();
  private readonly k: NumericAlgebra;
  private readonly round: Rounder | null;
  /** edges that have arrived at a node, for modes that add when all have; null where each is added at once */
  private readonly arrivals: Map<number, number[]> | null;
  private readonly seeds = new Map<number, NDArray>();
  private readonly given: Given | null;

  constructor(
    private readonly flat: FlatTape,
    private readonly settings: SweepSettings,
  ) {
    const { accumulation, round } = settings;
    this.round = round;
    this.given = settings.given === undefined ? null : new Given(settings.given);
    this.cotangent = new Float64Array(flat.n);
    this.contribution = new Float64Array(flat.edgeFrom.length);
    this.k = settings.algebra ?? (round === null ? numeric : new NumericAlgebra(round));
    this.arrivals = accumulation.kind === "pairwise" || accumulation.kind === "kahan" ? new Map() : null;
    for (const { node, cotangent, array } of settings.seeds) this.seed(node, array ?? scalar(cotangent));
  }

  private seed(node: number, given: NDArray): void {
    const { round } = this;
    const data = round === null ? given.data : given.data.map((c) => round(c));
    const value = { shape: given.shape, data };
    this.seeds.set(node, value);
    if (isArrayNode(this.flat, node)) this.addArray(node, value);
    else
      this.cotangent[node] =
        round === null ? this.cotangent[node] + data[0] : round(this.cotangent[node] + data[0]);
  }

  visit(v: number, scalarRule: ScalarRule): void {
    const { flat } = this;
    this.finish(v);
    const first = flat.edgeStart[v];
    const end = flat.edgeStart[v + 1];
    if (first < end) this.handOn(v, first, end, scalarRule);
    if (this.settings.spent !== undefined && flat.op[v] !== OP_INPUT) this.spendCotangent(v);
  }

  private handOn(v: number, first: number, end: number, scalarRule: ScalarRule): void {
    const { flat, contribution } = this;
    if (flat.op[v] === OP_ARRAY) placed(flat.site[v], () => this.arrayRule(v));
    else {
      scalarRule(flat, v, this.cotangent[v], this.settings.customRules, contribution);
      if (this.round !== null)
        for (let e = first; e < end; e++) contribution[e] = this.round(contribution[e]);
    }
    for (let e = first; e < end; e++) this.arrive(flat.edgeFrom[e], e);
  }

  /** Contributions of an array operation, by its row's rule. */
  private arrayRule(v: number): void {
    const { flat, k } = this;
    const { op, params } = flat.arrays!.get(v)!;
    const row = arrayPrimitive(op!);
    const operands = operandArrays(flat, v);
    const output = nodeArray(flat, v);
    const g =
      this.arrayCotangent.get(v) ??
      (output.shape.length === 0 ? scalar(this.cotangent[v]) : filled(output.shape, 0));
    for (let e = flat.edgeStart[v]; e < flat.edgeStart[v + 1]; e++) {
      const part = k.contribution(row, flat.edgeSlot[e], g, operands, output, params);
      if (part === null) this.none.add(e);
      else if (isArrayNode(flat, flat.edgeFrom[e])) this.arrayContribution.set(e, part);
      else this.contribution[e] = part.data[0];
    }
  }

  private arrive(node: number, edge: number): void {
    if (this.none.has(edge)) return;
    const { assigns } = this.settings;
    if (this.arrivals !== null) {
      const list = this.arrivals.get(node);
      if (list === undefined) this.arrivals.set(node, [edge]);
      else list.push(edge);
      return;
    }
    const assign = assigns !== null && assigns[node] === 1;
    const part = this.arrayContribution.get(edge);
    if (part !== undefined) {
      if (assign) this.arrayCotangent.set(node, part);
      else this.addArray(node, part);
      this.spendContribution(edge, part);
      return;
    }
    const c = this.contribution[edge];
    if (assign) this.cotangent[node] = c;
    else
      this.cotangent[node] =
        this.round === null ? this.cotangent[node] + c : this.round(this.cotangent[node] + c);
  }

  private addArray(node: number, part: NDArray): void {
    const before = this.arrayCotangent.get(node);
    if (before === undefined) {
      // the sum of one term is the term; arrays are never changed
      this.arrayCotangent.set(node, part);
      return;
    }
    this.arrayCotangent.set(node, this.k.accumulated(before, part));
  }

  /** Sums what has arrived, in the modes that wait for all of it. */
  private finish(v: number): void {
    const list = this.arrivals?.get(v);
    if (list !== undefined) this.collect(v, list);
    if (isArrayNode(this.flat, v) && !this.arrayCotangent.has(v))
      this.arrayCotangent.set(v, filled(nodeArray(this.flat, v).shape, 0));
    if (this.given !== null) this.give(v, this.given);
  }

  /** What a what-if says of this cotangent takes the place of what was added up. */
  private give(v: number, given: Given): void {
    const array = this.arrayCotangent.get(v);
    if (array === undefined) {
      this.cotangent[v] = given.number(v, this.cotangent[v], this.round);
      return;
    }
    const data = given.elements(v, array.data, this.round);
    if (data !== null) this.arrayCotangent.set(v, { shape: array.shape, data });
  }

  private collect(v: number, edges: readonly number[]): void {
    const mode = this.settings.accumulation.kind as SumMode;
    const { shape } = nodeArray(this.flat, v);
    const seed = this.seeds.get(v);
    const element = (at: number): number => {
      const terms = edges.map((e) =>
        shape.length === 0 ? this.contribution[e] : this.arrayContribution.get(e)!.data[at],
      );
      if (seed !== undefined) terms.unshift(seed.data[at]);
      return total(mode, terms, this.round);
    };
    if (shape.length === 0) this.cotangent[v] = element(0);
    else {
      const data = Float64Array.from({ length: sizeOf(shape) }, (_, at) => element(at));
      this.arrayCotangent.set(v, { shape, data });
      for (const e of edges) this.spendContribution(e, this.arrayContribution.get(e)!);
    }
  }

  private spendContribution(edge: number, array: NDArray): void {
    const { spent } = this.settings;
    if (spent === undefined) return;
    this.contribution[edge] = meanOf(array);
    spent.contribution(edge, array);
    this.arrayContribution.delete(edge);
  }

  private spendCotangent(node: number): void {
    const array = this.arrayCotangent.get(node);
    if (array === undefined) return;
    this.cotangent[node] = meanOf(array);
    this.settings.spent!.cotangent(node, array);
    this.arrayCotangent.delete(node);
  }

  result(): SweepResult {
    const { cotangent, contribution } = this;
    return {
      order: this.settings.order,
      cotangent,
      contribution,
      arrays: { cotangent: this.arrayCotangent, contribution: this.arrayContribution, none: this.none },
    };
  }
}
