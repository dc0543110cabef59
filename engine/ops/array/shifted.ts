/**
 * Exponentials of groups, each shifted by its largest element: what log-sum-exp and cross entropy are made of, and their rules
 * too. An algebra whose arrays are not to be kept hands them from the value on to the rule.
 */
import { Op } from "../../kernels/kernels.js";
import type { NumericAlgebra } from "./numeric.js";

export interface Shifted {
  /** elements a group */
  readonly n: number;
  /** exp(x - shift), in the operand's order */
  readonly e: Float64Array;
  /** by group: the largest element */
  readonly shifts: Float64Array;
  /** by group: the sum of the exponentials */
  readonly sums: Float64Array;
}

/** By algebra, which lives as long as its recording, and by operand, whose elements do not change. */
const kept = new WeakMap<NumericAlgebra, Map<Float64Array, Shifted>>();

/** exp by the kernels where they are worth a call. */
function exponentials(out: Float64Array, x: Float64Array, k: NumericAlgebra): void {
  const kernels = k.fast(x.length);
  if (kernels !== null) kernels.unary(Op.exp, out, x);
  else for (let j = 0; j < x.length; j++) out[j] = Math.exp(x[j]);
}

/**
 * The exponentials of groups of `n` neighbours; null where a group has no finite largest element to shift by.
 *
 * @param keep they will be asked for again: by the rule, when the value asks
 */
export function shifted(x: Float64Array, n: number, k: NumericAlgebra, keep: boolean): Shifted | null {
  const mine = k.kernels === null ? undefined : kept.get(k);
  const known = mine?.get(x);
  if (known?.n === n) return known;
  const count = n === 0 ? 0 : x.length / n;
  const e = k.alloc(x.length);
  const shifts = k.alloc(count);
  const sums = k.alloc(count);
  for (let i = 0, start = 0; i < count; i++, start += n) {
    let shift = -Infinity;
    for (let j = start; j < start + n; j++) shift = Math.max(shift, x[j]);
    if (!Number.isFinite(shift)) return null;
    for (let j = start; j < start + n; j++) e[j] = x[j] - shift;
    shifts[i] = shift;
  }
  exponentials(e, e, k);
  for (let i = 0, start = 0; i < count; i++, start += n) {
    let sum = 0;
    for (let j = start; j < start + n; j++) sum += e[j];
    sums[i] = sum;
  }
  const made = { n, e, shifts, sums };
  if (keep && k.kernels !== null) {
    if (mine === undefined) kept.set(k, new Map([[x, made]]));
    else mine.set(x, made);
  }
  return made;
}
