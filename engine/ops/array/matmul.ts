/**
 * Matrix product over the last two axes, leading axes broadcast (batches); either operand may be taken transposed, so
 * that its rules need no transposed copies. A rank-1 operand is a row on the left and a column on the right.
 */
import { shapeText, sizeOf, type NDArray, type Shape } from "../../tape/ndarray.js";
import { kernels, Product, type ProductKind } from "../../kernels/kernels.js";
import type { Rounder } from "../dtype.js";
import { broadcastData, broadcastShapes } from "./broadcast.js";
import { transposeData } from "./layout.js";
import type { NumericAlgebra } from "./numeric.js";
import { defineArray, ShapeError, type ArrayPrimitive, type Params } from "./row.js";

interface Plan {
  readonly batch: Shape;
  readonly m: number;
  readonly k: number;
  readonly n: number;
  readonly transposeA: boolean;
  readonly transposeB: boolean;
  readonly shape: Shape;
}

function planOf([a, b]: readonly Shape[], params: Params): Plan {
  const fail = (why: string): never => {
    throw new ShapeError(`matmul: shapes ${shapeText(a)} and ${shapeText(b)} do not fit: ${why}`);
  };
  if (a.length === 0 || b.length === 0) fail("both operands need at least one axis");
  const transposeA = params.transposeA === true && a.length > 1;
  const transposeB = params.transposeB === true && b.length > 1;
  const [ar, ac] = a.length === 1 ? [1, a[0]] : a.slice(-2);
  const [br, bc] = b.length === 1 ? [b[0], 1] : b.slice(-2);
  const [m, k] = transposeA ? [ac, ar] : [ar, ac];
  const [kb, n] = transposeB ? [bc, br] : [br, bc];
  if (k !== kb) fail(`the inner lengths are ${k} and ${kb}`);
  const batch = broadcastShapes("matmul", [a.slice(0, -2), b.slice(0, -2)]);
  const shape = [...batch, ...(a.length > 1 ? [m] : []), ...(b.length > 1 ? [n] : [])];
  return { batch, m, k, n, transposeA, transposeB, shape };
}

/** Products of fewer multiplications are not worth a call into the kernels. */
const SMALL = 256;

/**
 * All products of a batch by the kernels, whose sums run over k upwards too: the results are those of `product`. An operand
 * that is the same in every product of the batch is not repeated.
 */
function kernelProducts([a, b]: readonly NDArray[], plan: Plan, out: Float64Array): void {
  const { batch, m, n, k } = plan;
  const count = sizeOf(batch);
  let { transposeA } = plan;
  const single = ({ shape }: NDArray): boolean => sizeOf(shape.slice(0, -2)) === 1;
  let left = single(a) ? a.data : batched(a, batch);
  const right = single(b) ? b.data : batched(b, batch);
  if (transposeA && plan.transposeB) {
    const copies = single(a) ? 1 : count;
    left = transposeData({ shape: [copies, k, m], data: left }, [0, 2, 1]);
    transposeA = false;
  }
  const kind: ProductKind = transposeA ? Product.TN : plan.transposeB ? Product.NT : Product.NN;
  const aStep = single(a) ? 0 : m * k;
  const bStep = single(b) ? 0 : k * n;
  kernels().f64.matmul(kind, out, left, right, m, n, k, false, count, m * n, aStep, bStep);
}

/** The elements with leading axes repeated to the batch. */
function batched(x: NDArray, batch: Shape): Float64Array {
  const matrix = x.shape.slice(-2);
  return broadcastData(x, [...batch, ...matrix]);
}

/** One product into `out` at `at`; the sum over k runs upwards for every element. */
function product(
  a: Float64Array,
  aAt: number,
  b: Float64Array,
  bAt: number,
  out: Float64Array,
  at: number,
  { m, k, n, transposeA, transposeB }: Plan,
  round: Rounder | null,
): void {
  const aRow = transposeA ? 1 : k;
  const aCol = transposeA ? m : 1;
  const bRow = transposeB ? 1 : n;
  const bCol = transposeB ? k : 1;
  if (round !== null) {
    for (let i = 0; i < m; i++)
      for (let j = 0; j < n; j++) {
        let sum = 0;
        for (let l = 0; l < k; l++)
          sum = round(sum + round(a[aAt + i * aRow + l * aCol] * b[bAt + l * bRow + j * bCol]));
        out[at + i * n + j] = sum;
      }
    return;
  }
  for (let i = 0; i < m; i++) {
    for (let l = 0; l < k; l++) {
      const x = a[aAt + i * aRow + l * aCol];
      const from = bAt + l * bRow;
      const to = at + i * n;
      for (let j = 0; j < n; j++) out[to + j] += x * b[from + j * bCol];
    }
  }
}

/** The product of two matrices, either taken transposed but not both; undefined for so few elements that a loop is as good. */
function matrices(
  a: NDArray,
  transposeA: boolean,
  b: NDArray,
  transposeB: boolean,
  algebra: NumericAlgebra,
): NDArray | undefined {
  const [m, k] = transposeA ? [a.shape[1], a.shape[0]] : a.shape;
  const n = transposeB ? b.shape[0] : b.shape[1];
  if ((transposeA && transposeB) || m * n * k < SMALL) return undefined;
  const kind: ProductKind = transposeA ? Product.TN : transposeB ? Product.NT : Product.NN;
  const data = algebra.alloc(m * n);
  (algebra.kernels ?? kernels()).f64.matmul(kind, data, a.data, b.data, m, n, k);
  return { shape: [m, n], data };
}

export const products: readonly ArrayPrimitive[] = [
  defineArray({
    name: "matmul",
    operands: ["a", "b"],
    shape(shapes, params) {
      const [a, b] = shapes;
      if (a.length === 2 && b.length === 2 && params.transposeA !== true && params.transposeB !== true) {
        if (a[1] === b[0]) return [a[0], b[1]];
      }
      return planOf(shapes, params).shape;
    },
    value(operands, params, shape, k) {
      const [left, right] = operands;
      if (k.round === null && left.shape.length === 2 && right.shape.length === 2) {
        const made = matrices(left, params.transposeA === true, right, params.transposeB === true, k);
        if (made !== undefined) return made.data;
      }
      const plan = planOf(
        operands.map((operand) => operand.shape),
        params,
      );
      if (k.round === null && sizeOf(shape) * plan.k >= SMALL) {
        const made = k.alloc(sizeOf(shape));
        kernelProducts(operands, plan, made);
        return made;
      }
      const out = k.zeros(sizeOf(shape));
      const [a, b] = operands.map((operand) => batched(operand, plan.batch));
      const count = sizeOf(plan.batch);
      const { m, n } = plan;
      for (let i = 0; i < count; i++)
        product(a, i * m * plan.k, b, i * plan.k * n, out, i * m * n, plan, k.round);
      return out;
    },
    pull(slot, k, g, [a, b], _output, params) {
      if (a.shape.length !== 2 || b.shape.length !== 2) return undefined;
      const transposeA = params.transposeA === true;
      const transposeB = params.transposeB === true;
      if (slot === 0)
        return transposeA ? matrices(b, transposeB, g, true, k) : matrices(g, false, b, !transposeB, k);
      return transposeB ? matrices(g, true, a, transposeA, k) : matrices(a, !transposeA, g, false, k);
    },
    vjp(slot, k, g, [a, b], _output, params) {
      const shapes = [k.shape(a), k.shape(b)];
      const plan = planOf(shapes, params);
      const { m, n, transposeA, transposeB } = plan;
      // rank-1 operands as matrices, g with both axes
      const whole = k.reshape(g, [...plan.batch, m, n]);
      const left = shapes[0].length === 1 ? k.reshape(a, [1, plan.k]) : a;
      const right = shapes[1].length === 1 ? k.reshape(b, [plan.k, 1]) : b;
      let part;
      if (slot === 0) {
        part = transposeA
          ? k.matmul(right, whole, { transposeA: transposeB, transposeB: true })
          : k.matmul(whole, right, { transposeB: !transposeB });
      } else {
        part = transposeB
          ? k.matmul(whole, left, { transposeA: true, transposeB: transposeA })
          : k.matmul(left, whole, { transposeA: !transposeA });
      }
      const wanted = shapes[slot];
      if (wanted.length === 1) {
        // sum the batch first, then drop the axis of length 1
        return k.reshape(k.sumTo(part, slot === 0 ? [1, plan.k] : [plan.k, 1]), wanted);
      }
      return k.sumTo(part, wanted);
    },
    jvp: (k, [ta, tb], [a, b], _output, params) =>
      k.total([
        ta === null ? null : k.apply("matmul", [ta, b], params),
        tb === null ? null : k.apply("matmul", [a, tb], params),
      ]),
    saves: (slot) => [1 - slot],
    cost(shapes, shape, params) {
      const { k } = planOf(shapes, params);
      return sizeOf(shape) * Math.max(0, 2 * k - 1);
    },
    formula: "a b",
    rule: "g bᵀ, aᵀ g",
    doc: "Matrix product over the last two axes; leading axes are batches and broadcast.",
  }),
];
