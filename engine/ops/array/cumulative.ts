/**
 * Running sums, products and log-sum-exps along an axis. Their rules are linear recurrences r_j = u_j + m_j r_(j-1), whose
 * own rules are recurrences again: linear time, right with zeros among the factors, and differentiable to any order.
 */
import { sizeOf, type NDArray, type Shape } from "../../tape/ndarray.js";
import type { Algebra } from "./algebra.js";
import { axesOf } from "./axes.js";
import { byGroup, groupsOf } from "./groups.js";
import { axisMoves, defineMove, type AxisMap } from "./moves.js";
import { broadcastData, broadcastShapes } from "./broadcast.js";
import { defineArray, type ArrayPrimitive, type Params } from "./row.js";

/** The axis, from 0; the last where none is given. */
const axisOf = (name: string, params: Params, shape: Shape): number =>
  axesOf(name, params.axis ?? -1, shape)[0];

function sameShapeFor(name: string): (shapes: readonly Shape[], params: Params) => Shape {
  return ([x], params) => {
    axisOf(name, params, x);
    return x;
  };
}

/** A result of x's shape from several arrays of that shape, group by group. */
function together(
  arrays: readonly NDArray[],
  axis: number,
  fill: (data: readonly Float64Array[], to: Float64Array, start: number, n: number) => void,
): Float64Array {
  const groups = arrays.map((array) => groupsOf(array, [axis]));
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

/** x_(j + by), `value` beyond the ends. */
function shifted<T>(k: Algebra<T>, x: T, axis: number, by: number, value = 0): T {
  return k.apply("shift", [x], { axis, by, value });
}

function recurrence<T>(k: Algebra<T>, u: T, m: T, axis: number, reverse: boolean): T {
  return k.apply("recurrence", [u, m], { axis, reverse });
}

/** exp(a - b), 1 where both are the same infinity. */
function ratio<T>(k: Algebra<T>, a: T, b: T): T {
  return k.unary("exp", k.apply("gap", [a, b]));
}

export const cumulative: readonly ArrayPrimitive[] = [
  defineArray({
    name: "cumsum",
    operands: ["x"],
    shape: sameShapeFor("cumsum"),
    value([x], params, _shape, k) {
      const { round } = k;
      const backwards = params.reverse === true;
      return byGroup(x, [axisOf("cumsum", params, x.shape)], (from, to, start, n) => {
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
    value([x], params, _shape, k) {
      const { round } = k;
      return byGroup(x, [axisOf("cumprod", params, x.shape)], (from, to, start, n) => {
        let product = 1;
        for (let j = start; j < start + n; j++)
          to[j] = product = round === null ? product * from[j] : round(product * from[j]);
      });
    },
    vjp(_slot, k, g, [x], output, params) {
      const axis = axisOf("cumprod", params, k.shape(x));
      const adjoint = recurrence(k, g, shifted(k, x, axis, 1), axis, true);
      return k.mul(adjoint, shifted(k, output, axis, -1, 1));
    },
    jvp(k, [t], [x], output, params) {
      if (t === null) return null;
      const axis = axisOf("cumprod", params, k.shape(x));
      return recurrence(k, k.mul(t, shifted(k, output, axis, -1, 1)), x, axis, false);
    },
    saves: () => [0, "output"],
    cost: ([x]) => sizeOf(x),
    formula: "products of the first elements",
    rule: "the adjoint recurrence, from the end",
    doc: "Running product along an axis; right with zeros among the factors.",
  }),
  defineArray({
    name: "logcumsumexp",
    operands: ["x"],
    shape: sameShapeFor("logcumsumexp"),
    value: ([x], params) =>
      byGroup(x, [axisOf("logcumsumexp", params, x.shape)], (from, to, start, n) => {
        let y = -Infinity;
        for (let j = start; j < start + n; j++) to[j] = y = logAdd(y, from[j]);
      }),
    vjp(_slot, k, g, [x], output, params) {
      const axis = axisOf("logcumsumexp", params, k.shape(x));
      const carried = ratio(k, output, shifted(k, output, axis, 1, Infinity));
      return k.mul(recurrence(k, g, carried, axis, true), ratio(k, x, output));
    },
    jvp(k, [t], [x], output, params) {
      if (t === null) return null;
      const axis = axisOf("logcumsumexp", params, k.shape(x));
      const carried = ratio(k, shifted(k, output, axis, -1, -Infinity), output);
      return recurrence(k, k.mul(t, ratio(k, x, output)), carried, axis, false);
    },
    saves: () => [0, "output"],
    cost: ([x]) => 5 * sizeOf(x),
    formula: "log(cumsum(exp(x)))",
    rule: "the adjoint recurrence, from the end",
    doc: "Running log-sum-exp along an axis.",
  }),
  defineArray({
    name: "recurrence",
    operands: ["u", "m"],
    shape: sameShapeFor("recurrence"),
    value(operands, params, _shape, k) {
      const { round } = k;
      const axis = axisOf("recurrence", params, operands[0].shape);
      return together(operands, axis, ([u, m], to, start, n) => {
        const step = params.reverse === true ? -1 : 1;
        let at = step === 1 ? start : start + n - 1;
        for (let i = 0; i < n; i++, at += step) {
          if (i === 0) to[at] = u[at];
          else if (round === null) to[at] = u[at] + m[at] * to[at - step];
          else to[at] = round(u[at] + round(m[at] * to[at - step]));
        }
      });
    },
    vjp(slot, k, g, [u, m], output, params) {
      const axis = axisOf("recurrence", params, k.shape(u));
      const reverse = params.reverse === true;
      const step = reverse ? -1 : 1;
      const adjoint = recurrence(k, g, shifted(k, m, axis, step), axis, !reverse);
      return slot === 0 ? adjoint : k.mul(adjoint, shifted(k, output, axis, -step));
    },
    jvp(k, [tu, tm], [u, m], output, params) {
      const axis = axisOf("recurrence", params, k.shape(u));
      const reverse = params.reverse === true;
      const moved = tm === null ? null : k.mul(tm, shifted(k, output, axis, reverse ? 1 : -1));
      const sum = k.total([tu, moved]);
      return sum === null ? null : recurrence(k, sum, m, axis, reverse);
    },
    saves: (slot) => (slot === 0 ? [1] : [1, "output"]),
    cost: ([u]) => 2 * sizeOf(u),
    formula: "r_j = u_j + m_j r_(j-1)",
    rule: "the recurrence of g the other way",
    doc: "Linear recurrence along an axis, from the end with `reverse`; what running products are differentiated with.",
  }),
  defineMove({
    name: "shift",
    shape(x, params) {
      axisOf("shift", params, x);
      return x;
    },
    moves(x, params) {
      const axis = axisOf("shift", params, x);
      const maps: AxisMap[] = x.map(() => null);
      const by = params.by as number;
      maps[axis] = Int32Array.from({ length: x[axis] }, (_, j) =>
        j + by < 0 || j + by >= x[axis] ? -1 : j + by,
      );
      return axisMoves(x, maps);
    },
    fill: (params) => params.value as number,
    formula: "x_(j + by)",
    rule: "g shifted back",
    doc: "Elements moved along an axis, `value` where none comes from.",
  }),
  defineArray({
    name: "gap",
    operands: ["a", "b"],
    shape: (shapes) => broadcastShapes("gap", shapes),
    value([x, y], _params, shape) {
      const a = broadcastData(x, shape);
      const b = broadcastData(y, shape);
      return a.map((value, i) => (value === b[i] ? 0 : value - b[i]));
    },
    vjp: (slot, k, g, operands) => k.sumTo(slot === 0 ? g : k.neg(g), k.shape(operands[slot])),
    jvp: (k, [ta, tb]) => k.total([ta, tb === null ? null : k.neg(tb)]),
    saves: () => [],
    cost: (_shapes, shape) => sizeOf(shape),
    formula: "a - b",
    rule: "g, -g",
    doc: "Difference that is 0 between equal infinities.",
  }),
];
