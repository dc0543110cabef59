/**
 * Running sums, products and log-sum-exps along an axis. Each is a recursion y_j = f(y_(j-1), x_j); its rule runs the
 * adjoint recursion backwards, in time linear in the length and right with zeros among the factors.
 */
import { sizeOf, type NDArray, type Shape } from "../../tape/ndarray.js";
import { axesOf } from "./axes.js";
import { byGroup, groupsOf } from "./groups.js";
import { ThirdDerivative } from "./lift.js";
import { defineArray, type ArrayPrimitive, type Params } from "./row.js";

const axisOf = (name: string, params: Params, shape: Shape): number[] =>
  axesOf(name, params.axis ?? -1, shape);

function sameShapeFor(name: string): (shapes: readonly Shape[], params: Params) => Shape {
  return ([x], params) => {
    axisOf(name, params, x);
    return x;
  };
}

/** A result of x's shape from several arrays of that shape, group by group. */
function together(
  arrays: readonly NDArray[],
  axes: readonly number[],
  fill: (data: readonly Float64Array[], to: Float64Array, start: number, n: number) => void,
): Float64Array {
  const groups = arrays.map((array) => groupsOf(array, axes));
  const data = groups.map((group) => group.data);
  const { count, n, restore } = groups[0];
  const out = new Float64Array(data[0].length);
  for (let i = 0; i < count; i++) fill(data, out, i * n, n);
  return restore(out);
}

/** log(exp(a) + exp(b)) */
function logAdd(a: number, b: number): number {
  if (a === -Infinity) return b;
  if (b === -Infinity) return a;
  const high = Math.max(a, b);
  if (!Number.isFinite(high)) return high;
  return high + Math.log1p(Math.exp(Math.min(a, b) - high));
}

/** exp(a - b), 1 where both are the same infinity. */
const weight = (a: number, b: number): number => (a === b ? 1 : Math.exp(a - b));

export const cumulative: readonly ArrayPrimitive[] = [
  defineArray({
    name: "cumsum",
    operands: ["x"],
    shape: sameShapeFor("cumsum"),
    value([x], params, _shape, k) {
      const { round } = k;
      const backwards = params.reverse === true;
      return byGroup(x, axisOf("cumsum", params, x.shape), (from, to, start, n) => {
        let sum = 0;
        for (let i = 0; i < n; i++) {
          const j = backwards ? start + n - 1 - i : start + i;
          sum = round === null ? sum + from[j] : round(sum + from[j]);
          to[j] = sum;
        }
      });
    },
    vjp: (_slot, k, g, _operands, _output, params) =>
      k.apply("cumsum", [g], { ...params, reverse: params.reverse !== true }),
    jvp: (k, [t], _operands, _output, params) => (t === null ? null : k.apply("cumsum", [t], params)),
    saves: () => [],
    cost: ([x]) => sizeOf(x),
    formula: "sums of the first elements",
    rule: "cumsum of g from the end",
    doc: "Running sum along an axis; `reverse` begins at the end.",
  }),
  defineArray({
    name: "cumprod",
    operands: ["x"],
    shape: sameShapeFor("cumprod"),
    value: ([x], params) =>
      byGroup(x, axisOf("cumprod", params, x.shape), (from, to, start, n) => {
        let product = 1;
        for (let j = start; j < start + n; j++) to[j] = product *= from[j];
      }),
    vjp: (_slot, k, g, [x], _output, params) => k.apply("cumprodPull", [g, x], params),
    jvp: (k, [t], [x], _output, params) => (t === null ? null : k.apply("cumprodPush", [t, x], params)),
    cost: ([x]) => sizeOf(x),
    formula: "products of the first elements",
    rule: "the adjoint recursion, from the end",
    doc: "Running product along an axis.",
  }),
  defineArray({
    name: "cumprodPush",
    operands: ["t", "x"],
    shape: sameShapeFor("cumprod"),
    value: (operands, params) =>
      together(operands, axisOf("cumprod", params, operands[0].shape), ([t, x], to, start, n) => {
        let y = 1;
        let dy = 0;
        for (let j = start; j < start + n; j++) {
          dy = dy * x[j] + y * t[j];
          y *= x[j];
          to[j] = dy;
        }
      }),
    vjp(slot, k, u, [t, x], _output, params) {
      if (slot === 0) return k.apply("cumprodPull", [u, x], params);
      return k.apply("cumprodPullAlong", [k.scale(u, 0), t, u, x], params);
    },
    jvp(k, [tt, tx], [, x], _output, params) {
      if (tx !== null) throw new ThirdDerivative("cumprod");
      return tt === null ? null : k.apply("cumprodPush", [tt, x], params);
    },
    cost: ([x]) => 4 * sizeOf(x),
    formula: "tangent of cumprod(x)",
    rule: "cumprodPull",
    doc: "Tangent of a running product.",
  }),
  defineArray({
    name: "cumprodPull",
    operands: ["g", "x"],
    shape: sameShapeFor("cumprod"),
    value: (operands, params) =>
      together(operands, axisOf("cumprod", params, operands[0].shape), ([g, x], to, start, n) => {
        let y = 1;
        for (let j = start; j < start + n; j++) {
          to[j] = y;
          y *= x[j];
        }
        let adjoint = 0;
        for (let j = start + n - 1; j >= start; j--) {
          adjoint += g[j];
          to[j] *= adjoint;
          adjoint *= x[j];
        }
      }),
    vjp(slot, k, u, [g, x], _output, params) {
      if (slot === 0) return k.apply("cumprodPush", [u, x], params);
      // second derivatives are symmetric
      return k.apply("cumprodPullAlong", [k.scale(g, 0), u, g, x], params);
    },
    jvp(k, [tg, tx], [g, x], _output, params) {
      return k.total([
        tg === null ? null : k.apply("cumprodPull", [tg, x], params),
        tx === null ? null : k.apply("cumprodPullAlong", [k.scale(g, 0), tx, g, x], params),
      ]);
    },
    cost: ([x]) => 4 * sizeOf(x),
    formula: "contribution of cumprod(x)",
    rule: "cumprodPush",
    doc: "The adjoint of a running product.",
  }),
  defineArray({
    name: "cumprodPullAlong",
    operands: ["tg", "tx", "g", "x"],
    shape: sameShapeFor("cumprod"),
    value: (operands, params) =>
      together(operands, axisOf("cumprod", params, operands[0].shape), ([tg, tx, g, x], to, start, n) => {
        const y = new Float64Array(n);
        const dy = new Float64Array(n);
        let p = 1;
        let dp = 0;
        for (let j = 0; j < n; j++) {
          y[j] = p;
          dy[j] = dp;
          dp = dp * x[start + j] + p * tx[start + j];
          p *= x[start + j];
        }
        let a = 0;
        let da = 0;
        for (let j = n - 1; j >= 0; j--) {
          a += g[start + j];
          da += tg[start + j];
          to[start + j] = da * y[j] + a * dy[j];
          da = da * x[start + j] + a * tx[start + j];
          a *= x[start + j];
        }
      }),
    vjp() {
      throw new ThirdDerivative("cumprod");
    },
    jvp() {
      throw new ThirdDerivative("cumprod");
    },
    cost: ([x]) => 10 * sizeOf(x),
    formula: "derivative of cumprodPull(g, x)",
    rule: "none: a third derivative",
    doc: "Second derivatives of a running product, along a direction.",
  }),
  defineArray({
    name: "logcumsumexp",
    operands: ["x"],
    shape: sameShapeFor("logcumsumexp"),
    value: ([x], params) =>
      byGroup(x, axisOf("logcumsumexp", params, x.shape), (from, to, start, n) => {
        let y = -Infinity;
        for (let j = start; j < start + n; j++) to[j] = y = logAdd(y, from[j]);
      }),
    vjp: (_slot, k, g, [x], output, params) => k.apply("logcumsumexpPull", [g, x, output], params),
    jvp: (k, [t], [x], output, params) =>
      t === null ? null : k.apply("logcumsumexpPush", [t, x, output], params),
    saves: () => [0, "output"],
    cost: ([x]) => 5 * sizeOf(x),
    formula: "log(cumsum(exp(x)))",
    rule: "the adjoint recursion, from the end",
    doc: "Running log-sum-exp along an axis.",
  }),
  defineArray({
    name: "logcumsumexpPush",
    operands: ["t", "x", "y"],
    shape: sameShapeFor("logcumsumexp"),
    value: (operands, params) =>
      together(operands, axisOf("logcumsumexp", params, operands[0].shape), ([t, x, y], to, start, n) => {
        let dy = 0;
        for (let j = start; j < start + n; j++) {
          const carried = j === start ? 0 : dy * weight(y[j - 1], y[j]);
          to[j] = dy = carried + t[j] * weight(x[j], y[j]);
        }
      }),
    vjp(slot, k, u, [, x, y], _output, params) {
      if (slot !== 0) throw new ThirdDerivative("logcumsumexp");
      return k.apply("logcumsumexpPull", [u, x, y], params);
    },
    jvp(k, [tt, tx, ty], [, x, y], _output, params) {
      if (tx !== null || ty !== null) throw new ThirdDerivative("logcumsumexp");
      return tt === null ? null : k.apply("logcumsumexpPush", [tt, x, y], params);
    },
    cost: ([x]) => 6 * sizeOf(x),
    formula: "tangent of logcumsumexp(x)",
    rule: "logcumsumexpPull",
    doc: "Tangent of a running log-sum-exp.",
  }),
  defineArray({
    name: "logcumsumexpPull",
    operands: ["g", "x", "y"],
    shape: sameShapeFor("logcumsumexp"),
    value: (operands, params) =>
      together(operands, axisOf("logcumsumexp", params, operands[0].shape), ([g, x, y], to, start, n) => {
        let adjoint = 0;
        for (let j = start + n - 1; j >= start; j--) {
          adjoint = g[j] + (j === start + n - 1 ? 0 : adjoint * weight(y[j], y[j + 1]));
          to[j] = adjoint * weight(x[j], y[j]);
        }
      }),
    vjp(slot, k, u, [, x, y], _output, params) {
      if (slot !== 0) throw new ThirdDerivative("logcumsumexp");
      return k.apply("logcumsumexpPush", [u, x, y], params);
    },
    jvp(k, [tg, tx, ty], [g, x, y], _output, params) {
      const zero = k.scale(g, 0);
      const along =
        tx === null && ty === null
          ? null
          : k.apply("logcumsumexpPullAlong", [tx ?? zero, ty ?? zero, g, x, y], params);
      return k.total([tg === null ? null : k.apply("logcumsumexpPull", [tg, x, y], params), along]);
    },
    cost: ([x]) => 6 * sizeOf(x),
    formula: "contribution of logcumsumexp(x)",
    rule: "logcumsumexpPush",
    doc: "The adjoint of a running log-sum-exp.",
  }),
  defineArray({
    name: "logcumsumexpPullAlong",
    operands: ["tx", "ty", "g", "x", "y"],
    shape: sameShapeFor("logcumsumexp"),
    value: (operands, params) =>
      together(
        operands,
        axisOf("logcumsumexp", params, operands[0].shape),
        ([tx, ty, g, x, y], to, start, n) => {
          let a = 0;
          let da = 0;
          for (let j = start + n - 1; j >= start; j--) {
            if (j < start + n - 1) {
              const w = weight(y[j], y[j + 1]);
              da = w * (da + a * (ty[j] - ty[j + 1]));
              a *= w;
            }
            a += g[j];
            const e = weight(x[j], y[j]);
            to[j] = e * (da + a * (tx[j] - ty[j]));
          }
        },
      ),
    vjp() {
      throw new ThirdDerivative("logcumsumexp");
    },
    jvp() {
      throw new ThirdDerivative("logcumsumexp");
    },
    cost: ([x]) => 12 * sizeOf(x),
    formula: "derivative of logcumsumexpPull",
    rule: "none: a third derivative",
    doc: "Second derivatives of a running log-sum-exp, along a direction.",
  }),
];
