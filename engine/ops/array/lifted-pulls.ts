/**
 * Contributions of lifted scalar rows over plain arrays, without the detour through the rule. A cotangent that is a smaller array repeated is not written out where a kernel can repeat it.
 */
import { Op } from "../../kernels/kernels.js";
import { sameShape, scalar, type NDArray, type Shape } from "../../tape/ndarray.js";
import type { ScalarPrimitive } from "../primitive.js";
import { combine, unaryPath } from "./elementwise.js";
import type { NumericAlgebra } from "./numeric.js";
import { loopedPull, loopedPulls } from "./pulls.js";
import { Repeated } from "./repeated.js";
import type { ArrayPull } from "./row.js";

const negated = unaryPath("neg")!;

/** -g, of a repeated array repeated. */
function minus(g: NDArray, k: NumericAlgebra): NDArray {
  if (!(g instanceof Repeated)) return { shape: g.shape, data: negated(g.data, k)! };
  const { small, shape } = g;
  return new Repeated(shape, { shape: small.shape, data: negated(small.data, k)! }, k.room);
}

/** The part an operand of this shape gets: what was repeated for it is summed. */
function fitted(part: NDArray | null, shape: Shape, k: NumericAlgebra): NDArray | undefined {
  if (part === null) return undefined;
  return sameShape(part.shape, shape) ? part : k.sumTo(part, shape);
}

const basic: Readonly<Record<string, ArrayPull>> = {
  add: (slot, k, g, x) => fitted(g, x[slot].shape, k),
  sub(slot, k, g, x) {
    if (slot === 0) return fitted(g, x[0].shape, k);
    const { shape } = x[1];
    if (sameShape(g.shape, shape)) return minus(g, k);
    // the sum of what is turned about is the sum turned about, when it is short; 0 - 0 keeps the sign that adding up gives
    return combine(Op.sub, scalar(0), k.sumTo(g, shape), shape, k) ?? undefined;
  },
  mul: (slot, k, g, x) => fitted(combine(Op.mul, g, x[1 - slot], g.shape, k), x[slot].shape, k),
  neg: (_slot, k, g) => minus(g, k),
};

/** g * (2 x) with a cotangent that is repeated: for rows and columns the factor first, then the product. */
function repeatedSquare(k: NumericAlgebra, g: Repeated, x: NDArray): NDArray | undefined {
  const kernels = k.fast(x.data.length);
  if (kernels === null) return undefined;
  const { shape } = x;
  const data = k.alloc(x.data.length);
  const small = g.small.data;
  if (small.length === 1) {
    kernels.scaledBy(data, small[0], 2, x.data);
    return { shape, data };
  }
  kernels.binaryScalar(Op.mul, data, x.data, 2);
  return combine(Op.mul, g, { shape, data }, shape, k) ?? undefined;
}

/** The way of a scalar row, undefined where it has none. */
export function liftedPull(row: ScalarPrimitive): ArrayPull | undefined {
  const { name } = row;
  if (Object.hasOwn(basic, name)) return basic[name];
  if (!loopedPulls.includes(name)) return undefined;
  return (_slot, k, g, [x], output) => {
    if (name === "square" && g instanceof Repeated) {
      const part = repeatedSquare(k, g, x);
      if (part !== undefined) return part;
    }
    return { shape: x.shape, data: loopedPull(name, g.data, x.data, output.data, k)! };
  };
}
