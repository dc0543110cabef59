/**
 * The part of a Hessian-vector product that no direction changes: slopes by edge, cotangents by node, and for every pair
 * of operand slots that are nodes the weight `cotangent * second partial` (Griewank and Walther 2008, 5.2).
 */
import type { Rounder } from "../ops/dtype.js";
import type { Local } from "../ops/primitive.js";
import type { CustomRule } from "../ops/recorder.js";
import { primitives } from "../ops/table.js";
import { OP_CUSTOM } from "../tape/tape.js";
import { operandsOf, operandValue, type FlatTape } from "./flat.js";
import type { Seed } from "./reverse.js";
import { NOTHING, pullAgain, slopesOf, type Slopes } from "./slopes.js";

export interface LineariseSettings {
  /** 1 for nodes on a path to an output */
  readonly active: Uint8Array;
  /** a reverse topological order of those */
  readonly order: Int32Array;
  readonly seeds: readonly Seed[];
  /** rounding of cotangents and tangents, null for f64 */
  readonly round: Rounder | null;
  readonly customRules: ReadonlyMap<number, CustomRule>;
}

/** Pairs of operand slots through which a node is curved; those of node v are start[v] .. start[v + 1). */
export interface Pairs {
  readonly start: Int32Array;
  readonly p: Int32Array;
  /** -1 where a slot is paired with itself */
  readonly q: Int32Array;
  readonly weight: Float64Array;
}

export interface Linearised {
  readonly slopes: Slopes;
  readonly cotangent: Float64Array;
  readonly pairs: Pairs;
}

/** A second partial that is not zero throughout: of slots s and t, s <= t. */
export interface Curve {
  readonly s: number;
  readonly t: number;
  readonly rule: Local;
}

/** Second partials by opcode; none for what is straight between kinks. */
const CURVES: readonly (readonly Curve[])[] = primitives.map(({ arity, second }) => {
  const out: Curve[] = [];
  let k = 0;
  for (let s = 0; s < arity; s++) {
    for (let t = s; t < arity; t++) {
      const rule = second[k++];
      if (rule !== null) out.push({ s, t, rule });
    }
  }
  return out;
});

const none: readonly Curve[] = [];

/** Second partials of the operation of node `v`; none for what is not in the table. */
export function curvesOf(flat: FlatTape, v: number): readonly Curve[] {
  return flat.op[v] < primitives.length ? CURVES[flat.op[v]] : none;
}

/** Slopes, one reverse sweep, and the weights. Throws `no-rule` where a node has no derivative rule. */
export function linearise(flat: FlatTape, settings: LineariseSettings): Linearised {
  const { active, order, seeds, round, customRules } = settings;
  const slopes = slopesOf(flat, active, customRules);
  const { local, exact } = slopes;
  const cotangent = new Float64Array(flat.n);
  const pairs = emptyPairs(flat, active);
  for (const { node, cotangent: c } of seeds) {
    cotangent[node] = round === null ? cotangent[node] + c : round(cotangent[node] + round(c));
  }
  for (let i = 0; i < order.length; i++) {
    const v = order[i];
    const first = flat.edgeStart[v];
    const end = flat.edgeStart[v + 1];
    if (first === end) continue;
    const g = cotangent[v];
    const own =
      flat.op[v] === OP_CUSTOM ? customRules.get(v)!.vjp(g, operandsOf(flat, v), flat.value[v]) : null;
    for (let e = first; e < end; e++) {
      if (exact[e] === NOTHING) continue;
      const from = flat.edgeFrom[e];
      const term =
        own !== null ? own[flat.edgeSlot[e]] : exact[e] === 0 ? g * local[e] : pullAgain(flat, v, e, g);
      cotangent[from] = round === null ? cotangent[from] + term : round(cotangent[from] + round(term));
    }
    const curves = curvesOf(flat, v);
    if (curves.length > 0) weigh(flat, v, curves, g, pairs);
  }
  return { slopes, cotangent, pairs };
}

/** Columns for all pairs of node operands that have a second partial, the pairs of each node together. */
function emptyPairs(flat: FlatTape, active: Uint8Array): Pairs {
  const start = new Int32Array(flat.n + 1);
  let count = 0;
  for (let v = 0; v < flat.n; v++) {
    start[v] = count;
    if (active[v] === 0) continue;
    const curves = curvesOf(flat, v);
    const at = flat.operandStart[v];
    for (let i = 0; i < curves.length; i++) {
      if (flat.operand[at + curves[i].s] >= 0 && flat.operand[at + curves[i].t] >= 0) count++;
    }
  }
  start[flat.n] = count;
  return { start, p: new Int32Array(count), q: new Int32Array(count), weight: new Float64Array(count) };
}

/** Writes the pairs of node `v`. */
function weigh(
  flat: FlatTape,
  v: number,
  curves: readonly Curve[],
  g: number,
  { start, p, q, weight }: Pairs,
): void {
  const at = flat.operandStart[v];
  const slots = flat.operandStart[v + 1] - at;
  const a = operandValue(flat, flat.operand[at]);
  const b = slots > 1 ? operandValue(flat, flat.operand[at + 1]) : 0;
  const c = slots > 2 ? operandValue(flat, flat.operand[at + 2]) : 0;
  let k = start[v];
  for (let i = 0; i < curves.length; i++) {
    const { s, t, rule } = curves[i];
    const from = flat.operand[at + s];
    const other = flat.operand[at + t];
    if (from < 0 || other < 0) continue;
    const curvature = rule(a, b, c, flat.value[v]);
    p[k] = from;
    q[k] = s === t ? -1 : other;
    // where the piece taken is straight, an infinite cotangent must not make NaN of it
    weight[k++] = curvature === 0 ? 0 : g * curvature;
  }
}
