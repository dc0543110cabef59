/** Derivatives of a primitive by finite differences, and what of its rules disagrees with them. */
import type { Local, Pull, ScalarPrimitive } from "../../../engine/ops/primitive.js";
import { contribution } from "../../../engine/ops/table.js";
import { smoothPoints, type Operands } from "./samples.js";

function shifted(p: Operands, slot: number, h: number): [number, number, number] {
  const q: [number, number, number] = [...p];
  q[slot] += h;
  return q;
}

/** Central difference of order 4 (two steps, extrapolated): error about 1e-11 for functions of unit scale. */
export function central(row: ScalarPrimitive, p: Operands, slot: number, h = 2e-3): number {
  const d = (k: number): number =>
    (row.value(...shifted(p, slot, k)) - row.value(...shifted(p, slot, -k))) / (2 * k);
  return (4 * d(h / 2) - d(h)) / 3;
}

/** One-sided difference of order 2 from p in the direction of the sign of h. */
export function oneSided(row: ScalarPrimitive, p: Operands, slot: number, h: number): number {
  const f = (k: number): number => row.value(...shifted(p, slot, k * h));
  return (-3 * f(0) + 4 * f(1) - f(2)) / (2 * h);
}

const TOLERANCE = 2e-8;
const close = (x: number, y: number): boolean => Math.abs(x - y) <= TOLERANCE * Math.max(1, Math.abs(y));

/** Every slot's local and contribution against differences at `count` smooth points; what is wrong, as text. */
export function disagreements(row: ScalarPrimitive, count = 60): { checked: number; wrong: string[] } {
  const wrong: string[] = [];
  let checked = 0;
  for (const p of smoothPoints(row, count)) {
    const y = row.value(...p);
    for (let slot = 0; slot < row.arity; slot++) {
      const want = central(row, p, slot);
      const local = row.local[slot](...p, y);
      const pulled = contribution(row, slot, -1.75, ...p, y);
      if (!close(local, want))
        wrong.push(`${row.name}(${p}) slot ${slot}: local ${local}, difference ${want}`);
      if (!close(pulled / -1.75, want))
        wrong.push(`${row.name}(${p}) slot ${slot}: vjp ${pulled}, difference ${want}`);
      checked++;
    }
  }
  return { checked, wrong };
}

/** The row with one slot's rule replaced: how faults are planted. */
export function planted(row: ScalarPrimitive, slot: number, change: (x: number) => number): ScalarPrimitive {
  const local = row.local.map((f, s): Local => (s === slot ? (a, b, c, y) => change(f(a, b, c, y)) : f));
  const vjp = row.local.map((_, s): Pull | undefined =>
    s === slot ? (g, a, b, c, y) => change(contribution(row, s, g, a, b, c, y)) : row.vjp?.[s],
  );
  return { ...row, local, vjp };
}
