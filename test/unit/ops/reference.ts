/** The reference cases of test/fixtures/primitives, flattened to scalars, and how one is compared. */
import { readFileSync } from "node:fs";
import { contribution, primitive } from "../../../engine/ops/table.js";
import type { ScalarPrimitive } from "../../../engine/ops/primitive.js";

type Nested = number | string | Nested[];
type Engine = "torch" | "jax" | "mpmath" | "ref";

export interface Disagreement extends Partial<Record<Engine, number | string>> {
  readonly path: string;
  readonly kind: string;
}

export interface Case {
  readonly id: string;
  readonly op: string;
  readonly cls: string;
  readonly params: Readonly<Record<string, number | string | null>>;
  readonly shapes: readonly (readonly number[])[];
  readonly inputs: readonly Nested[];
  readonly cotangent: Nested;
  readonly valueShape: readonly number[];
  readonly value: Nested;
  readonly vjp: readonly Nested[];
  readonly tangent: readonly Nested[];
  readonly jvp: Nested;
  /** derivative of each vjp along the tangents; absent at special points and kinks */
  readonly hvp?: readonly Nested[];
  readonly disagree?: readonly Disagreement[];
}

export function cases(file: "unary" | "binary" | "broadcast"): Case[] {
  const url = new URL(`../../fixtures/primitives/${file}.json`, import.meta.url);
  return JSON.parse(readFileSync(url, "utf8")) as Case[];
}

export const number = (x: number | string): number => (typeof x === "string" ? Number(x) : x);

export function flat(x: Nested): number[] {
  return Array.isArray(x) ? x.flatMap(flat) : [number(x)];
}

/** Index paths of an array of a shape, as `disagree` writes them: "", "[3]", "[0][2]", in the order of `flat`. */
export function indexPaths(shape: readonly number[]): string[] {
  return shape.reduce<string[]>(
    (paths, n) => paths.flatMap((p) => Array.from({ length: n }, (_, i) => `${p}[${i}]`)),
    [""],
  );
}

/** For every element of a result of shape `to`, the flat index of the element of shape `from` it comes from. */
export function broadcastIndex(from: readonly number[], to: readonly number[]): number[] {
  const size = to.reduce((p, n) => p * n, 1);
  return Array.from({ length: size }, (_, flatIndex) => {
    let rest = flatIndex;
    let index = 0;
    let stride = 1;
    for (let d = 1; d <= to.length; d++) {
      const n = to[to.length - d];
      const i = rest % n;
      rest = Math.floor(rest / n);
      const m = from[from.length - d];
      if (m === undefined) continue;
      index += (m === 1 ? 0 : i) * stride;
      stride *= m;
    }
    return index;
  });
}

/** The row a case is about and the constants that fill its remaining slots. */
export function rowOf(c: Case): { row: ScalarPrimitive; constants: number[] } {
  const p = c.params;
  switch (c.op) {
    case "mod":
      return { row: primitive(p.kind === "floor" ? "floorMod" : "mod"), constants: [] };
    case "gelu":
      return { row: primitive(p.approximate === "tanh" ? "geluTanh" : "gelu"), constants: [] };
    case "elu":
      return { row: primitive("elu"), constants: [Number(p.alpha)] };
    case "leakyRelu":
      return { row: primitive("leakyRelu"), constants: [Number(p.slope)] };
    case "powScalar":
      return { row: primitive("pow"), constants: [Number(p.exponent)] };
    case "clip":
      return {
        row: primitive("clip"),
        constants: [Number(p.min ?? -Infinity), Number(p.max ?? Infinity)],
      };
    default:
      return { row: primitive(c.op), constants: [] };
  }
}

/** What the table makes of a case: value, vjp an input, jvp; each flat. */
export function evaluate(c: Case): { value: number[]; vjp: number[][]; jvp: number[] } {
  const { row, constants } = rowOf(c);
  const inputs = c.inputs.map(flat);
  const tangents = c.tangent.map(flat);
  const cotangent = flat(c.cotangent);
  const indices = c.shapes.map((shape) => broadcastIndex(shape, c.valueShape));
  const value: number[] = [];
  const jvp: number[] = [];
  const vjp = inputs.map((x) => x.map(() => 0));
  for (let i = 0; i < cotangent.length; i++) {
    const [a, b = 0, d = 0] = [...inputs.map((x, slot) => x[indices[slot][i]]), ...constants];
    const y = row.value(a, b, d);
    value.push(y);
    let tangent = 0;
    inputs.forEach((_, slot) => {
      const at = indices[slot][i];
      vjp[slot][at] += contribution(row, slot, cotangent[i], a, b, d, y);
      tangent += contribution(row, slot, tangents[slot][at], a, b, d, y);
    });
    jvp.push(tangent);
  }
  return { value, vjp, jvp };
}

/** |a - b| / max(|a|, |b|, floor); 0 for equal values, for NaN against NaN. */
export function relativeError(a: number, b: number, floor = 0): number {
  if (a === b || (a !== a && b !== b)) return 0;
  const e = Math.abs(a - b) / Math.max(Math.abs(a), Math.abs(b), floor);
  return e === e ? e : Infinity;
}

/** Tolerances of the reference's README; `derivative` is for vjp and jvp. */
export function tolerances(c: Case): { value: number; derivative: number } {
  if (c.id.startsWith("broadcast/")) return { value: 1e-13, derivative: 1e-12 };
  if (c.op === "lgamma" || c.op === "digamma") return { value: 1e-13, derivative: 1e-12 };
  if (c.cls === "nearSingular") return { value: 1e-13, derivative: 1e-10 };
  return { value: 4e-15, derivative: 1e-13 };
}
