/** Largest and smallest element over axes, and products; ties and zeros are what their rules take care of. */
import { shapeText, sizeOf, type NDArray, type Shape } from "../../tape/ndarray.js";
import type { Algebra } from "./algebra.js";
import { axesOf, reductionOf } from "./axes.js";
import { byGroup, groupsOf, reduceGroups } from "./groups.js";
import { ThirdDerivative } from "./third-derivative.js";
import { defineArray, ShapeError, type ArrayPrimitive, type Params } from "./row.js";

function extreme(data: Float64Array, start: number, n: number, largest: boolean): number {
  let best = data[start];
  for (let j = start + 1; j < start + n; j++)
    best = largest ? Math.max(best, data[j]) : Math.min(best, data[j]);
  return best;
}

function ties(x: NDArray, axes: readonly number[], largest: boolean): boolean {
  const { count, n, data } = groupsOf(x, axes);
  for (let i = 0; i < count; i++) {
    const best = extreme(data, i * n, n, largest);
    let found = 0;
    for (let j = i * n; j < (i + 1) * n; j++) if (data[j] === best) found++;
    if (found > 1) return true;
  }
  return false;
}

function extremeRow(name: "reduceMax" | "reduceMin", largest: boolean): ArrayPrimitive {
  const word = largest ? "max" : "min";
  const share = <T>(k: Algebra<T>, x: T, params: Params): T =>
    k.apply("extremeShare", [x], { axis: params.axis ?? null, largest });
  return defineArray({
    name,
    operands: ["x"],
    shape([x], params) {
      const { axes, shape } = reductionOf(word, params, x);
      if (axes.some((axis) => x[axis] === 0))
        throw new ShapeError(`${word}: the shape ${shapeText(x)} has no element along the reduced axes`);
      return shape;
    },
    value: ([x], params) =>
      reduceGroups(x, axesOf(word, params.axis, x.shape), (data, start, n) =>
        extreme(data, start, n, largest),
      ),
    vjp(_slot, k, g, [x], _output, params) {
      const { kept } = reductionOf(word, params, k.shape(x));
      return k.apply("masked", [k.reshape(g, kept), share(k, x, params)]);
    },
    jvp(k, [t], [x], output, params) {
      if (t === null) return null;
      const { axes } = reductionOf(word, params, k.shape(x));
      return k.reshape(k.sum(k.apply("masked", [t, share(k, x, params)]), axes), k.shape(output));
    },
    cost: ([x], shape) => Math.max(0, sizeOf(x) - sizeOf(shape)),
    kink: ([x], params) =>
      x.data.length > 0 && ties(x, axesOf(word, params.axis, x.shape), largest)
        ? "equal elements share the derivative evenly"
        : null,
    formula: `${word}(x, axis)`,
    rule: `g shared evenly among the ${largest ? "largest" : "smallest"}`,
    doc: `The ${largest ? "largest" : "smallest"} element over axes; ties share the derivative evenly, NaN wins.`,
  });
}

/** Products over a group without one element each: prefix times suffix, right with any number of zeros. */
function others(from: Float64Array, to: Float64Array, start: number, n: number): void {
  let before = 1;
  for (let j = start; j < start + n; j++) {
    to[j] = before;
    before *= from[j];
  }
  let after = 1;
  for (let j = start + n - 1; j >= start; j--) {
    to[j] *= after;
    after *= from[j];
  }
}

/** Derivative of the products of the others along `t`, by prefix and suffix products with their tangents. */
function othersAlong(x: Float64Array, t: Float64Array, out: Float64Array, start: number, n: number): void {
  let p = 1;
  let dp = 0;
  const prefixes = new Float64Array(2 * n);
  for (let j = 0; j < n; j++) {
    prefixes[2 * j] = p;
    prefixes[2 * j + 1] = dp;
    dp = dp * x[start + j] + p * t[start + j];
    p *= x[start + j];
  }
  let s = 1;
  let ds = 0;
  for (let j = n - 1; j >= 0; j--) {
    out[start + j] = prefixes[2 * j + 1] * s + prefixes[2 * j] * ds;
    ds = ds * x[start + j] + s * t[start + j];
    s *= x[start + j];
  }
}

const productOfOthers = <T>(k: Algebra<T>, x: T, params: Params): T =>
  k.apply("prodOthers", [x], { axis: params.axis ?? null });

/** Shape of an operation that keeps its operand's. */
function sameAs(name: string): (shapes: readonly Shape[], params: Params) => Shape {
  return ([x], params) => {
    axesOf(name, params.axis, x);
    return x;
  };
}

export const extremes: readonly ArrayPrimitive[] = [
  extremeRow("reduceMax", true),
  extremeRow("reduceMin", false),
  defineArray({
    name: "extremeShare",
    operands: ["x"],
    shape: sameAs("max"),
    value: ([x], params) =>
      byGroup(x, axesOf("max", params.axis, x.shape), (from, to, start, n) => {
        if (n === 0) return;
        const best = extreme(from, start, n, params.largest === true);
        let found = 0;
        for (let j = start; j < start + n; j++) if (from[j] === best) found++;
        // NaN among the elements: nothing can be said of any share
        for (let j = start; j < start + n; j++)
          to[j] = best !== best ? NaN : from[j] === best ? 1 / found : 0;
      }),
    vjp: () => null,
    jvp: () => null,
    saves: () => [],
    cost: ([x]) => 2 * sizeOf(x),
    formula: "share of the extreme",
    rule: "none: it is constant almost everywhere",
    doc: "What each element's share of the derivative of a maximum or minimum is.",
  }),
  defineArray({
    name: "prod",
    operands: ["x"],
    shape: ([x], params) => reductionOf("prod", params, x).shape,
    value([x], params, _shape, k) {
      const { round } = k;
      return reduceGroups(x, axesOf("prod", params.axis, x.shape), (data, start, n) => {
        let product = 1;
        for (let j = start; j < start + n; j++)
          product = round === null ? product * data[j] : round(product * data[j]);
        return product;
      });
    },
    vjp(_slot, k, g, [x], _output, params) {
      const { kept } = reductionOf("prod", params, k.shape(x));
      return k.mul(k.reshape(g, kept), productOfOthers(k, x, params));
    },
    jvp(k, [t], [x], output, params) {
      if (t === null) return null;
      const { axes } = reductionOf("prod", params, k.shape(x));
      return k.reshape(k.sum(k.mul(t, productOfOthers(k, x, params)), axes), k.shape(output));
    },
    cost: ([x], shape) => Math.max(0, sizeOf(x) - sizeOf(shape)),
    formula: "prod(x, axis)",
    rule: "g times the product of the others",
    doc: "Product over axes; right with zeros and infinities among the factors.",
  }),
  defineArray({
    name: "prodOthers",
    operands: ["x"],
    shape: sameAs("prod"),
    value: ([x], params) => byGroup(x, axesOf("prod", params.axis, x.shape), others),
    // the second derivatives of a product are symmetric
    vjp: (_slot, k, g, [x], _output, params) => k.apply("prodOthersAlong", [x, g], params),
    jvp: (k, [t], [x], _output, params) => (t === null ? null : k.apply("prodOthersAlong", [x, t], params)),
    cost: ([x]) => 3 * sizeOf(x),
    formula: "product of the others",
    rule: "prodOthersAlong(x, g)",
    doc: "For each element the product of the other elements of its group.",
  }),
  defineArray({
    name: "prodOthersAlong",
    operands: ["x", "t"],
    shape: sameAs("prod"),
    value([x, t], params) {
      const axes = axesOf("prod", params.axis, x.shape);
      const groups = groupsOf(x, axes);
      const along = groupsOf(t, axes).data;
      const out = new Float64Array(groups.data.length);
      for (let i = 0; i < groups.count; i++) othersAlong(groups.data, along, out, i * groups.n, groups.n);
      return groups.restore(out);
    },
    vjp(slot, k, g, [x], _output, params) {
      if (slot === 0) throw new ThirdDerivative("prod");
      return k.apply("prodOthersAlong", [x, g], params);
    },
    jvp(k, [tx, tt], [x], _output, params) {
      if (tx !== null) throw new ThirdDerivative("prod");
      return tt === null ? null : k.apply("prodOthersAlong", [x, tt], params);
    },
    cost: ([x]) => 8 * sizeOf(x),
    formula: "derivative of prodOthers(x) along t",
    rule: "prodOthersAlong(x, g)",
    doc: "Second derivatives of a product, along a direction.",
  }),
];
