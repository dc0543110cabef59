/**
 * Independent checks of a row of the array table at a point: the JVP against finite differences, the VJP against the JVP
 * and with nothing but what it says it saves, Hessian-vector products against differences of the VJP, and forward over
 * reverse against reverse over reverse.
 */
import type { Algebra } from "../../../../engine/ops/array/algebra.js";
import { pullBack } from "../../../../engine/ops/array/composite.js";
import { DualAlgebra } from "../../../../engine/ops/array/dual.js";
import { numeric } from "../../../../engine/ops/array/numeric.js";
import type { Params } from "../../../../engine/ops/array/row.js";
import { pullCost } from "../../../../engine/ops/array/shapes.js";
import { arrayPrimitive } from "../../../../engine/ops/array/table.js";
import { filled, sizeOf, type NDArray, type Shape } from "../../../../engine/tape/ndarray.js";

/** A generator of numbers in [-1, 1) from a seed (mulberry32). */
export function numbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 31 - 1;
  };
}

/** An array of such numbers, each put through `map`. */
export function randomArray(shape: Shape, next: () => number, map = (x: number): number => x): NDArray {
  return { shape, data: Float64Array.from({ length: sizeOf(shape) }, () => map(next())) };
}

/** Shapes as samples write them: "2x3 ()" is a matrix and a scalar. */
export function shapesOf(text: string): Shape[] {
  return text.split(" ").map((shape) => (shape === "()" ? [] : shape.split("x").map(Number)));
}

export interface Point {
  readonly op: string;
  readonly params?: Params;
  readonly operands: readonly NDArray[];
  /** slots that take part in the derivatives; absent: all */
  readonly active?: readonly number[];
  /** maps a tangent to an allowed one (a symmetric one); absent: any is */
  readonly tangent?: (t: NDArray, slot: number) => NDArray;
  readonly seed?: number;
  /** relative tolerance of the comparisons with differences; absent: 1e-6 */
  readonly differences?: number;
  /** relative tolerance of identities; absent: 1e-11 */
  readonly identities?: number;
  /** false: no second derivatives (third-order rules are missing) */
  readonly second?: boolean;
}

function dot(a: NDArray | null, b: NDArray | null): number {
  if (a === null || b === null) return 0;
  let sum = 0;
  for (let i = 0; i < a.data.length; i++) sum += a.data[i] * b.data[i];
  return sum;
}

const along = (x: NDArray, t: NDArray, h: number): NDArray => ({
  shape: x.shape,
  data: x.data.map((value, i) => value + h * t.data[i]),
});

const size = (x: NDArray): number => x.data.reduce((most, value) => Math.max(most, Math.abs(value)), 0);

/** Fourth-order central difference of an array-valued function of a step. */
function difference(f: (h: number) => NDArray, h = 1e-3): NDArray {
  const [a, b, c, d] = [f(-2 * h), f(-h), f(h), f(2 * h)].map(({ data }) => data);
  const { shape } = f(0);
  return { shape, data: a.map((_, i) => (8 * (c[i] - b[i]) - (d[i] - a[i])) / (12 * h)) };
}

function apart(a: NDArray, b: NDArray, tolerance: number, floor = 1e-3): string | null {
  if (a.shape.join() !== b.shape.join()) return `shape [${a.shape.join()}] and [${b.shape.join()}]`;
  const scale = Math.max(size(a), size(b), floor);
  for (let i = 0; i < a.data.length; i++) {
    if (!(Math.abs(a.data[i] - b.data[i]) <= tolerance * scale))
      return `element ${i}: ${a.data[i]} and ${b.data[i]}`;
  }
  return null;
}

/** Everything that does not hold at a point, as readable lines; empty when all is well. */
export function wrongAt(point: Point): string[] {
  const { op, params = {}, operands, seed = 1, differences = 1e-6, identities = 1e-11 } = point;
  const row = arrayPrimitive(op);
  const active = point.active ?? operands.map((_, slot) => slot);
  const next = numbers(seed);
  const direction = (): (NDArray | null)[] =>
    operands.map((x, slot) => {
      const t = randomArray(x.shape, next);
      if (!active.includes(slot)) return null;
      return point.tangent === undefined ? t : point.tangent(t, slot);
    });
  const moved = (h: number, t: readonly (NDArray | null)[]): NDArray[] =>
    operands.map((x, slot) => (t[slot] === null ? x : along(x, t[slot], h)));
  const valueAt = (xs: readonly NDArray[]): NDArray => numeric.apply(op, xs, params);
  const output = valueAt(operands);
  const g = randomArray(output.shape, next);
  const zero = (slot: number): NDArray => filled(operands[slot].shape, 0);
  const pullAt = (xs: readonly NDArray[], slot: number): NDArray =>
    row.vjp(slot, numeric, g, xs, valueAt(xs), params) ?? zero(slot);
  const wrong: string[] = [];
  const say = (what: string, found: string | null): void => {
    if (found !== null) wrong.push(`${op} ${what}: ${found}`);
  };
  const close = (what: string, a: number, b: number, tolerance: number, scale: number): void => {
    if (!(Math.abs(a - b) <= tolerance * Math.max(scale, Math.abs(a), Math.abs(b))))
      wrong.push(`${op} ${what}: ${a} and ${b}`);
  };

  const shapes = operands.map(({ shape }) => shape);
  const costs = [
    row.cost(shapes, output.shape, params),
    ...active.map((slot) => pullCost(row, slot, shapes, output.shape, params)),
  ];
  if (!costs.every((cost) => Number.isInteger(cost) && cost >= 0))
    wrong.push(`${op} costs ${costs.join(", ")} unit operations`);

  const t = direction();
  const push = row.jvp(numeric, t, operands, output, params) ?? filled(output.shape, 0);
  say(
    "JVP and differences",
    apart(
      push,
      difference((h) => valueAt(moved(h, t))),
      differences,
      Math.max(1e-3, size(output)),
    ),
  );
  const cotangents = operands.map((_, slot) => pullAt(operands, slot));
  cotangents.forEach((part, slot) => {
    if (part.shape.join() !== operands[slot].shape.join())
      wrong.push(`${op} contribution ${slot} has the shape [${part.shape.join()}]`);
  });
  operands.forEach((_, slot) => {
    const saved = row.saves(slot, operands.length);
    const lost = (x: NDArray): NDArray => ({ shape: x.shape, data: x.data.map(() => NaN) });
    const kept = operands.map((x, at) => (saved.includes(at) ? x : lost(x)));
    const y = saved.includes("output") ? output : lost(output);
    const part = row.vjp(slot, numeric, g, kept, y, params) ?? zero(slot);
    say(`contribution ${slot} from what the row says it saves`, apart(part, cotangents[slot], 0));
  });
  const pulled = active.reduce((sum, slot) => sum + dot(cotangents[slot], t[slot]), 0);
  const scale = size(push) * Math.max(1, push.data.length) * size(g);
  close("<g, J t> and <Jᵀ g, t>", dot(g, push), pulled, identities, scale);
  if (point.second === false) return wrong;

  const hessian = (v: readonly (NDArray | null)[]): NDArray[] => {
    const k = new DualAlgebra(numeric);
    const duals = operands.map((primal, slot) => ({ primal, tangent: v[slot] }));
    const tangent = row.jvp(numeric, v, operands, output, params);
    return operands.map((_, slot) => {
      const part = row.vjp(slot, k, { primal: g, tangent: null }, duals, { primal: output, tangent }, params);
      return part?.tangent ?? zero(slot);
    });
  };
  const s = direction();
  const ht = hessian(t);
  const hs = hessian(s);
  for (const slot of active) {
    const floor = Math.max(1e-3, size(cotangents[slot]));
    const numericHt = difference((h) => pullAt(moved(h, t), slot));
    say(`HVP of slot ${slot} and differences of the VJP`, apart(ht[slot], numericHt, differences, floor));
    say(
      `HVP of slot ${slot}, forward over reverse and reverse over reverse`,
      apart(ht[slot], reverseOverReverse(point, g, t, slot, active), 100 * identities, floor),
    );
  }
  const a = active.reduce((sum, slot) => sum + dot(ht[slot], s[slot]), 0);
  const b = active.reduce((sum, slot) => sum + dot(hs[slot], t[slot]), 0);
  const most = active.reduce((sum, slot) => sum + size(ht[slot]) * ht[slot].data.length, 0);
  close("HVP symmetry <s, H t> and <t, H s>", a, b, 10 * identities, most);
  return wrong;
}

/** Row `slot` of H t as the gradient of <Jᵀ g, t>, by sweeping the reverse rules themselves backwards. */
function reverseOverReverse(
  { op, params = {}, operands }: Point,
  g: NDArray,
  t: readonly (NDArray | null)[],
  slot: number,
  active: readonly number[],
): NDArray {
  const row = arrayPrimitive(op);
  function pulledAlong<T>(k: Algebra<T>, xs: readonly T[]): T {
    const y = k.apply(op, xs, params);
    const terms = active.map((at) => {
      const part = row.vjp(at, k, k.constant(g), xs, y, params);
      return part === null ? null : k.sum(k.mul(part, k.constant(t[at]!)));
    });
    return k.total(terms) ?? k.number(0);
  }
  return (
    pullBack(numeric, pulledAlong, operands, {}, slot, { shape: [], data: Float64Array.of(1) }) ??
    filled(operands[slot].shape, 0)
  );
}
