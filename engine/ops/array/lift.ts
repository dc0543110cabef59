/**
 * Scalar primitives lifted to arrays, element by element with broadcasting. The row of the scalar table stays the only
 * place where the operation is described: value, local derivatives and second derivatives are read from it.
 *
 * A contribution is the row `pull` of the scalar row's name and slot, summed back to the operand's shape; the basic four
 * operations and negation use each other instead, so that they can be differentiated any number of times.
 */
import { sameShape, sizeOf, type NDArray, type Shape } from "../../tape/ndarray.js";
import type { ScalarPrimitive } from "../primitive.js";
import { contribution, primitive, primitives } from "../table.js";
import type { Algebra } from "./algebra.js";
import { broadcastData, broadcastShapes } from "./broadcast.js";
import { basicCode, combined, unaryPath } from "./elementwise.js";
import { liftedPull } from "./lifted-pulls.js";
import { numeric, type NumericAlgebra } from "./numeric.js";
import { loopedPull } from "./pulls.js";
import { defineArray, type ArrayPrimitive, type Params } from "./row.js";
import { ThirdDerivative } from "./third-derivative.js";

/** Operands repeated to the output's shape. */
function aligned(operands: readonly NDArray[], shape: Shape, k: NumericAlgebra): readonly Float64Array[] {
  return operands.map((operand) =>
    sameShape(operand.shape, shape) ? operand.data : broadcastData(operand, shape, (n) => k.alloc(n)),
  );
}

function generalValue(
  row: ScalarPrimitive,
  operands: readonly NDArray[],
  shape: Shape,
  k: NumericAlgebra,
): Float64Array {
  const out = k.alloc(sizeOf(shape));
  const [a, b, c] = aligned(operands, shape, k);
  const { value } = row;
  if (b === undefined) for (let i = 0; i < out.length; i++) out[i] = value(a[i], 0, 0);
  else if (c === undefined) for (let i = 0; i < out.length; i++) out[i] = value(a[i], b[i], 0);
  else for (let i = 0; i < out.length; i++) out[i] = value(a[i], b[i], c[i]);
  return out;
}

/** The elements of a scalar row's lifted operation, by its loop where it has one for these operands. */
function liftedValue(row: ScalarPrimitive): ArrayPrimitive["value"] {
  const path = row.arity === 1 ? unaryPath(row.name) : null;
  const code = row.arity === 2 ? basicCode(row.name) : null;
  return (operands, _params, shape, k) =>
    path?.(operands[0].data, k) ??
    (code === null ? null : combined(code, operands[0], operands[1], shape, k)) ??
    generalValue(row, operands, shape, k);
}

/** Contributions written in basic operations instead of `pull`. */
const basicPulls: Readonly<
  Record<string, <T>(slot: number, k: Algebra<T>, g: T, x: readonly T[], y: T) => T>
> = {
  add: (_slot, _k, g) => g,
  sub: (slot, k, g) => (slot === 0 ? g : k.neg(g)),
  mul: (slot, k, g, x) => k.mul(g, x[1 - slot]),
  // -g·y/b and not -g·a/b², as the scalar row has it
  div: (slot, k, g, x, y) => (slot === 0 ? k.div(g, x[1]) : k.neg(k.div(k.mul(g, y), x[1]))),
  neg: (_slot, k, g) => k.neg(g),
};

function pulled<T>(row: ScalarPrimitive, slot: number, k: Algebra<T>, g: T, operands: readonly T[], y: T): T {
  const basic = basicPulls[row.name];
  if (basic !== undefined) return basic(slot, k, g, operands, y);
  return k.apply("pull", [g, ...operands, y], { op: row.name, slot });
}

/** The array row of a scalar one. */
function lift(row: ScalarPrimitive): ArrayPrimitive {
  return defineArray({
    name: row.name,
    operands: row.operands,
    shape: (shapes) => broadcastShapes(row.name, shapes),
    value: liftedValue(row),
    pull: liftedPull(row),
    vjp: (slot, k, g, operands, output) =>
      k.sumTo(
        k.broadcastTo(pulled(row, slot, k, g, operands, output), k.shape(output)),
        k.shape(operands[slot]),
      ),
    jvp: (k, tangents, operands, output) =>
      k.total(
        tangents.map((t, slot) =>
          t === null ? null : k.broadcastTo(pulled(row, slot, k, t, operands, output), k.shape(output)),
        ),
      ),
    saves: (slot) => row.saves[slot],
    cost: (_shapes, shape) => row.cost.value * sizeOf(shape),
    kink(operands, _params, constants) {
      const { kink } = row;
      if (kink === undefined) return null;
      const shape = broadcastShapes(
        row.name,
        operands.map((operand) => operand.shape),
      );
      const [a, b, c] = aligned(operands, shape, numeric);
      for (let i = 0; i < a.length; i++) {
        if (kink.at(a[i], b === undefined ? 0 : b[i], c === undefined ? 0 : c[i], constants))
          return kink.convention;
      }
      return null;
    },
    domain: row.domain,
    formula: row.formula,
    rule: row.derivatives.map((derivative) => `g * (${derivative})`).join(", "),
    doc: `${row.doc} Element by element, with broadcasting.`,
  });
}

/** Entry of the upper triangle of second derivatives: slots i <= j of `arity`. */
function secondIndex(arity: number, i: number, j: number): number {
  const [low, high] = i <= j ? [i, j] : [j, i];
  return low * arity - (low * (low - 1)) / 2 + (high - low);
}

interface PullParams {
  readonly op: string;
  readonly slot: number;
}

function pullParams(params: Params): { row: ScalarPrimitive; slot: number } {
  const { op, slot } = params as unknown as PullParams;
  return { row: primitive(op), slot };
}

/** d(local derivative of `slot`)/d(operand `by`), times what it is multiplied with; null: identically zero. */
function secondTerm<T>(
  k: Algebra<T>,
  params: Params,
  by: number,
  factor: T,
  operands: readonly T[],
): T | null {
  const { row, slot } = pullParams(params);
  const at = secondIndex(row.arity, slot, by);
  if (row.second[at] === null) return null;
  return k.apply("second", [factor, ...operands], { op: row.name, entry: at });
}

/**
 * `pull(g, operands..., y)`: what a scalar primitive's rule hands to one slot. Its own derivative reads the scalar row's
 * second derivatives, so a Hessian-vector product goes through it; a third derivative does not.
 */
const pull = defineArray({
  name: "pull",
  operands: ["g", "...x"],
  shape: (shapes, params) => broadcastShapes(String(params.op), shapes),
  value(operands, params, shape, k) {
    const { row, slot } = pullParams(params);
    const [g, ...x] = aligned(operands, shape, k);
    const looped = row.arity === 1 ? loopedPull(row.name, g, x[0], x[1], k) : null;
    if (looped !== null) return looped;
    const out = k.alloc(sizeOf(shape));
    const { arity } = row;
    const y = x[arity];
    const a = x[0];
    const b = arity > 1 ? x[1] : null;
    const c = arity > 2 ? x[2] : null;
    for (let i = 0; i < out.length; i++) {
      out[i] = contribution(row, slot, g[i], a[i], b === null ? 0 : b[i], c === null ? 0 : c[i], y[i]);
    }
    return out;
  },
  vjp(at, k, u, [g, ...x], output, params) {
    const { row, slot } = pullParams(params);
    const to = (part: typeof u): typeof u =>
      k.sumTo(k.broadcastTo(part, k.shape(output)), k.shape(at === 0 ? g : x[at - 1]));
    if (at === 0) return to(k.apply("pull", [u, ...x], { op: row.name, slot }));
    if (at > row.arity) return null; // y follows from the operands, whose second derivatives say it all
    const term = secondTerm(k, params, at - 1, k.mul(u, g), x.slice(0, row.arity));
    return term === null ? null : to(term);
  },
  jvp(k, [tangentOfG, ...tangents], [g, ...x], output, params) {
    const { row, slot } = pullParams(params);
    const terms = [tangentOfG === null ? null : k.apply("pull", [tangentOfG, ...x], { op: row.name, slot })];
    for (let by = 0; by < row.arity; by++) {
      const t = tangents[by];
      if (t !== null) terms.push(secondTerm(k, params, by, k.mul(g, t), x.slice(0, row.arity)));
    }
    const sum = k.total(terms);
    return sum === null ? null : k.broadcastTo(sum, k.shape(output));
  },
  cost(_shapes, shape, params) {
    const { row, slot } = pullParams(params);
    return row.cost.vjp[slot] * sizeOf(shape);
  },
  formula: "g * d(op)/d(slot)",
  rule: "g's: pull(u); an operand's: u * g * second derivative",
  doc: "The contribution a scalar primitive hands to one operand slot.",
});

/** `second(factor, operands...)`: factor times one second derivative of a scalar primitive. */
const second = defineArray({
  name: "second",
  operands: ["factor", "...x"],
  shape: (shapes, params) => broadcastShapes(String(params.op), shapes),
  value(operands, params, shape, k) {
    const row = primitive(String(params.op));
    const rule = row.second[params.entry as number];
    const out = k.zeros(sizeOf(shape));
    if (rule === null) return out;
    const [factor, a, b, c] = aligned(operands, shape, k);
    for (let i = 0; i < out.length; i++) {
      // a factor of exactly 0 stays 0: the piece was not taken
      if (factor[i] === 0) continue;
      const bi = b === undefined ? 0 : b[i];
      const ci = c === undefined ? 0 : c[i];
      out[i] = factor[i] * rule(a[i], bi, ci, row.value(a[i], bi, ci));
    }
    return out;
  },
  vjp(slot, k, u, [factor, ...x], output, params) {
    if (slot > 0) throw new ThirdDerivative(String(params.op));
    const part = k.apply("second", [u, ...x], params);
    return k.sumTo(k.broadcastTo(part, k.shape(output)), k.shape(factor));
  },
  jvp(k, [t, ...others], [, ...x], output, params) {
    if (others.some((tangent) => tangent !== null)) throw new ThirdDerivative(String(params.op));
    return t === null ? null : k.broadcastTo(k.apply("second", [t, ...x], params), k.shape(output));
  },
  cost: (_shapes, shape) => 2 * sizeOf(shape),
  formula: "factor * d²(op)",
  rule: "second(u)",
  doc: "A second derivative of a scalar primitive, times a factor.",
});

export const lifted: readonly ArrayPrimitive[] = [...primitives.map(lift), pull, second];
