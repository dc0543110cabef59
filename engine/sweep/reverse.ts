/**
 * The reverse sweep (Griewank and Walther 2008, algorithm 3.4, one edge at a time): nodes in a reverse topological order,
 * each hands `cotangent x local derivative` to every operand slot, an operand adds what arrives. Linear in the number
 * of edges, no recursion.
 */
import { primitives } from "../ops/table.js";
import type { CustomRule } from "../ops/recorder.js";
import type { Rounder } from "../ops/dtype.js";
import { BacksweepError } from "../trace/failure.js";
import { OP_CUSTOM, OP_CUT, OP_GIVEN, OP_INPUT } from "../tape/tape.js";
import type { NumericAlgebra } from "../ops/array/numeric.js";
import type { NDArray } from "../tape/ndarray.js";
import { total, type Accumulation } from "./accumulate.js";
import { Given, type GivenCotangent } from "./given.js";
import { mixedSweep } from "./mixed.js";
import { operandsOf, operandValue, type FlatTape } from "./flat.js";

export interface Seed {
  readonly node: number;
  /** for an array output the mean of `array` */
  readonly cotangent: number;
  /** the output cotangent of an array node */
  readonly array?: NDArray;
}

export interface SweepResult {
  readonly order: Int32Array;
  /** final cotangent by node; meaningful where the node is active */
  readonly cotangent: Float64Array;
  /** contribution by edge; meaningful where the consumer is active */
  readonly contribution: Float64Array;
  /** of a tape with arrays; absent for scalars alone. `fillMeans` puts the means of arrays into the columns above. */
  readonly arrays?: ArraySweep;
}

/** Cotangents and contributions that are arrays of rank 1 or more. */
export interface ArraySweep {
  readonly cotangent: ReadonlyMap<number, NDArray>;
  readonly contribution: ReadonlyMap<number, NDArray>;
  /** edges along which nothing flows, which is not zero */
  readonly none: ReadonlySet<number>;
}

export interface SweepSettings {
  readonly order: Int32Array;
  readonly seeds: readonly Seed[];
  readonly accumulation: Accumulation;
  /** rounding of contributions and cotangents, null for f64 */
  readonly round: Rounder | null;
  readonly customRules: ReadonlyMap<number, CustomRule>;
  /** 1 where last-writer-wins assigns instead of adding */
  readonly assigns: Uint8Array | null;
  /** cotangents that take the place of what was added up, once that is complete: a what-if */
  readonly given?: readonly GivenCotangent[];
  /** what computes with arrays; absent: ordinary arrays, rounded as `round` says */
  readonly algebra?: NumericAlgebra;
  /**
   * Told each array once nothing of the sweep reads it any more, and that it is then let go: contributions when they have
   * been added, cotangents when they have been handed on (those of inputs are kept). Absent: all are kept in the result.
   */
  readonly spent?: SpentArrays;
}

export interface SpentArrays {
  contribution(edge: number, array: NDArray): void;
  cotangent(node: number, array: NDArray): void;
}

/** A sweep in pieces: whoever drops and replays primals has them there for each piece. */
export interface RunningSweep {
  /** Handles entries `from` to `end - 1` of the order; the pieces follow each other from 0 to its end. */
  visit(from: number, end: number): void;
  result(): SweepResult;
}

/** Runs the sweep. */
export function reverseSweep(flat: FlatTape, settings: SweepSettings): SweepResult {
  const sweep = beginSweep(flat, settings);
  sweep.visit(0, settings.order.length);
  return sweep.result();
}

/** Seeds the outputs; the caller visits the order piece by piece. */
export function beginSweep(flat: FlatTape, settings: SweepSettings): RunningSweep {
  return flat.arrays === null ? scalarSweep(flat, settings) : mixedSweep(flat, settings, handOn);
}

function scalarSweep(flat: FlatTape, settings: SweepSettings): RunningSweep {
  const { order, seeds, accumulation, round, customRules, assigns } = settings;
  const cotangent = new Float64Array(flat.n);
  const contribution = new Float64Array(flat.edgeFrom.length);
  const collect = accumulation.kind === "pairwise" || accumulation.kind === "kahan";
  const arrivals = collect ? new Arrivals(flat) : null;
  const given = settings.given === undefined ? null : new Given(settings.given);
  for (const seed of seeds) {
    const c = round === null ? seed.cotangent : round(seed.cotangent);
    cotangent[seed.node] = round === null ? cotangent[seed.node] + c : round(cotangent[seed.node] + c);
  }
  const seeded = collect ? cotangent.slice() : null;

  const visit = (start: number, stop: number): void => {
    for (let i = start; i < stop; i++) {
      const v = order[i];
      if (arrivals !== null && arrivals.count(v) > 0) {
        const terms = arrivals.terms(v, contribution);
        if (seeds.some((seed) => seed.node === v)) terms.unshift(seeded![v]);
        cotangent[v] = total(accumulation.kind as "pairwise" | "kahan", terms, round);
      }
      if (given !== null) cotangent[v] = given.number(v, cotangent[v], round);
      const first = flat.edgeStart[v];
      const end = flat.edgeStart[v + 1];
      if (first === end) continue;
      handOn(flat, v, cotangent[v], customRules, contribution);
      for (let e = first; e < end; e++) {
        let c = contribution[e];
        if (round !== null) contribution[e] = c = round(c);
        const p = flat.edgeFrom[e];
        if (arrivals !== null) arrivals.add(p, e);
        else if (assigns !== null && assigns[p] === 1) cotangent[p] = c;
        else cotangent[p] = round === null ? cotangent[p] + c : round(cotangent[p] + c);
      }
    }
  };
  return { visit, result: () => ({ order, cotangent, contribution }) };
}

/** Writes the contribution of node `v` along each of its edges. */
function handOn(
  flat: FlatTape,
  v: number,
  g: number,
  customRules: ReadonlyMap<number, CustomRule>,
  contribution: Float64Array,
): void {
  const op = flat.op[v];
  const first = flat.edgeStart[v];
  const end = flat.edgeStart[v + 1];
  if (op >= OP_CUT) {
    if (op === OP_GIVEN) {
      for (let e = first; e < end; e++) {
        contribution[e] = g * flat.givenLocal![flat.operandStart[v] + flat.edgeSlot[e]];
      }
    } else if (op === OP_CUSTOM) {
      const pulled = customRules.get(v)!.vjp(g, operandsOf(flat, v), flat.value[v]);
      for (let e = first; e < end; e++) contribution[e] = pulled[flat.edgeSlot[e]];
    } else if (op !== OP_INPUT && op !== OP_CUT) {
      throw new BacksweepError("no-rule", `opcode ${op} has no derivative rule`, flat.site[v]);
    }
    return;
  }
  const row = primitives[op];
  const at = flat.operandStart[v];
  const slots = flat.operandStart[v + 1] - at;
  const a = operandValue(flat, flat.operand[at]);
  const b = slots > 1 ? operandValue(flat, flat.operand[at + 1]) : 0;
  const c = slots > 2 ? operandValue(flat, flat.operand[at + 2]) : 0;
  const y = flat.value[v];
  for (let e = first; e < end; e++) {
    const slot = flat.edgeSlot[e];
    const pull = row.vjp?.[slot];
    contribution[e] = pull === undefined ? g * row.local[slot](a, b, c, y) : pull(g, a, b, c, y);
  }
}

/** Edges into each node in arrival order, as linked lists, for modes that add when all have arrived. */
class Arrivals {
  private readonly head: Int32Array;
  private readonly tail: Int32Array;
  private readonly next: Int32Array;
  private readonly counts: Int32Array;

  constructor(flat: FlatTape) {
    this.head = new Int32Array(flat.n).fill(-1);
    this.tail = new Int32Array(flat.n).fill(-1);
    this.next = new Int32Array(flat.edgeFrom.length).fill(-1);
    this.counts = new Int32Array(flat.n);
  }

  add(node: number, edge: number): void {
    if (this.head[node] < 0) this.head[node] = edge;
    else this.next[this.tail[node]] = edge;
    this.tail[node] = edge;
    this.counts[node]++;
  }

  count(node: number): number {
    return this.counts[node];
  }

  terms(node: number, contribution: Float64Array): number[] {
    const out: number[] = [];
    for (let e = this.head[node]; e >= 0; e = this.next[e]) out.push(contribution[e]);
    return out;
  }
}
