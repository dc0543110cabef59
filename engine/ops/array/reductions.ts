/** Reductions over axes: `axis` a number, a list or null (all), `keepdims` keeps reduced axes with length 1. */
import { kernels } from "../../kernels/kernels.js";
import { sizeOf, type NDArray } from "../../tape/ndarray.js";
import { reductionOf, type Reduction } from "./axes.js";
import { sumToData } from "./broadcast.js";
import type { NumericAlgebra } from "./numeric.js";
import { defineArray, type ArrayPrimitive } from "./row.js";

/** Sums of fewer elements are not worth a call into the kernels. */
const SMALL = 64;

/** Sums over neighbouring axes by the kernels (pairwise blocks: the error grows with log n); null for other axes. */
function kernelSums({ shape, data }: NDArray, { axes }: Reduction, k: NumericAlgebra): Float64Array | null {
  const first = axes[0];
  if (data.length < SMALL) return null;
  for (let i = 1; i < axes.length; i++) if (axes[i] !== first + i) return null;
  let outer = 1;
  for (let axis = 0; axis < first; axis++) outer *= shape[axis];
  let middle = 1;
  for (const axis of axes) middle *= shape[axis];
  const inner = data.length / (outer * middle);
  const out = k.alloc(outer * inner);
  (k.kernels ?? kernels()).f64.sumAxis(out, data, outer, middle, inner);
  return out;
}

export const reductions: readonly ArrayPrimitive[] = [
  defineArray({
    name: "sum",
    operands: ["x"],
    shape: ([x], params) => reductionOf("sum", params, x).shape,
    value([x], params, _shape, k) {
      const reduction = reductionOf("sum", params, x.shape);
      const sums = k.round === null ? kernelSums(x, reduction, k) : null;
      return sums ?? sumToData(x, reduction.kept, k.round, (n) => k.zeros(n));
    },
    pull(_slot, k, g, [x], _output, params) {
      const { shape } = x;
      if ((params.axis ?? null) === null) return k.broadcastTo({ shape: [], data: g.data }, shape);
      return k.broadcastTo(k.reshape(g, reductionOf("sum", params, shape).kept), shape);
    },
    vjp(_slot, k, g, [x], _output, params) {
      const shape = k.shape(x);
      return k.broadcastTo(k.reshape(g, reductionOf("sum", params, shape).kept), shape);
    },
    jvp: (k, [t], _operands, _output, params) => (t === null ? null : k.apply("sum", [t], params)),
    saves: () => [],
    cost: ([x], shape) => Math.max(0, sizeOf(x) - sizeOf(shape)),
    formula: "sum(x, axis)",
    rule: "g repeated over the summed axes",
    doc: "Sum over axes; 0 over an empty axis.",
  }),
];
