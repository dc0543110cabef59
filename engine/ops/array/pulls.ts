/**
 * Contributions of the commonest element-wise primitives in tight loops of their own. Bit for bit those of the scalar
 * rows, which the general path reads; a test holds them to that.
 */
import { Op } from "../../kernels/kernels.js";
import { tanhSlope } from "../../kernels/slopes.js";
import { sigmoid } from "../activation.js";
import type { NumericAlgebra } from "./numeric.js";

type Loop = (g: Float64Array, x: Float64Array, y: Float64Array, out: Float64Array) => void;

const loops: Readonly<Record<string, Loop>> = {
  square: (g, x, _y, out) => {
    for (let i = 0; i < out.length; i++) out[i] = g[i] * (2 * x[i]);
  },
  exp: (g, _x, y, out) => {
    for (let i = 0; i < out.length; i++) out[i] = g[i] * y[i];
  },
  log: (g, x, _y, out) => {
    for (let i = 0; i < out.length; i++) out[i] = g[i] / x[i];
  },
  sqrt: (g, _x, y, out) => {
    for (let i = 0; i < out.length; i++) out[i] = (0.5 * g[i]) / y[i];
  },
  tanh: (g, x, _y, out) => {
    for (let i = 0; i < out.length; i++) out[i] = g[i] * tanhSlope(x[i]);
  },
  softplus: (g, x, _y, out) => {
    for (let i = 0; i < out.length; i++) out[i] = g[i] * sigmoid(x[i]);
  },
  relu: (g, x, _y, out) => {
    for (let i = 0; i < out.length; i++) out[i] = x[i] > 0 ? g[i] : x[i] <= 0 ? 0 : NaN;
  },
  sin: (g, x, _y, out) => {
    for (let i = 0; i < out.length; i++) out[i] = g[i] * Math.cos(x[i]);
  },
  cos: (g, x, _y, out) => {
    for (let i = 0; i < out.length; i++) out[i] = g[i] * -Math.sin(x[i]);
  },
};

/** Names that have a loop. */
export const loopedPulls: readonly string[] = Object.keys(loops);

/** The contributions g * f'(x), or null where the primitive has no loop. */
export function loopedPull(
  name: string,
  g: Float64Array,
  x: Float64Array,
  y: Float64Array,
  k: NumericAlgebra,
): Float64Array | null {
  if (!Object.hasOwn(loops, name)) return null;
  const out = k.alloc(g.length);
  const kernels = k.fast(g.length);
  if (kernels === null) loops[name](g, x, y, out);
  else if (name === "square") kernels.scaledProduct(out, g, 2, x);
  else if (name === "exp") kernels.binary(Op.mul, out, g, y);
  else if (name === "log") kernels.binary(Op.div, out, g, x);
  else if (name === "tanh") kernels.tanhPull(out, g, x);
  else loops[name](g, x, y, out);
  return out;
}
