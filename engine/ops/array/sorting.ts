/**
 * Sorting along an axis. The order of the elements is a decision, through which no derivative flows; given the order,
 * sorting only moves elements. Equal elements keep their order; NaN counts as the largest (as NumPy has it).
 */
import { sizeOf, type NDArray, type Shape } from "../../tape/ndarray.js";
import { argsort } from "./argsort.js";
import { axisOf } from "./axes.js";
import { defineArray, ShapeError, type ArrayPrimitive, type Params } from "./row.js";

interface Order {
  readonly axis: number;
  readonly descending: boolean;
}

function orderOf(x: Shape, params: Params): Order {
  const { descending = false } = params;
  if (typeof descending !== "boolean") throw new ShapeError("sort: descending must be true or false");
  return { axis: axisOf("sort", params.axis ?? -1, x), descending };
}

/** For every element of the output the flat index of the element that stands there. */
function sources({ shape, data }: NDArray, params: Params): Int32Array {
  const { axis, descending } = orderOf(shape, params);
  const length = shape[axis];
  const stride = sizeOf(shape.slice(axis + 1));
  const out = new Int32Array(data.length);
  const line = new Float64Array(length);
  for (let block = 0; block < data.length; block += length * stride) {
    for (let start = block; start < block + stride; start++) {
      for (let i = 0; i < length; i++) line[i] = data[start + i * stride];
      const order = argsort(line, descending);
      for (let i = 0; i < length; i++) out[start + i * stride] = start + order[i] * stride;
    }
  }
  return out;
}

/** True if two elements of one line are equal. */
function hasTies(x: NDArray, params: Params): boolean {
  const { axis } = orderOf(x.shape, params);
  const stride = sizeOf(x.shape.slice(axis + 1));
  const length = x.shape[axis];
  const order = sources(x, params);
  for (let i = 0; i < order.length; i++) {
    const place = Math.floor(i / stride) % length;
    if (place > 0 && x.data[order[i]] === x.data[order[i - stride]]) return true;
  }
  return false;
}

function moved(data: Float64Array, order: Int32Array): Float64Array {
  const out = new Float64Array(order.length);
  for (let i = 0; i < order.length; i++) out[i] = data[order[i]];
  return out;
}

const ofKeys = (name: string, [data, keys]: readonly Shape[], params: Params): Shape => {
  if (data.join() !== keys.join()) throw new ShapeError(`${name}: data and keys must have one shape`);
  orderOf(keys, params);
  return data;
};

export const sorting: readonly ArrayPrimitive[] = [
  defineArray({
    name: "sort",
    operands: ["x"],
    shape([x], params) {
      orderOf(x, params);
      return x;
    },
    value([x], params) {
      return moved(x.data, sources(x, params));
    },
    vjp: (_slot, k, g, [x], _output, params) => k.apply("unsortBy", [g, x], params),
    jvp: (k, [t], [x], _output, params) => (t === null ? null : k.apply("sortBy", [t, x], params)),
    cost([x], _shape, params) {
      // n log2 n comparisons a line
      const length = x[orderOf(x, params).axis];
      return sizeOf(x) * Math.max(1, Math.ceil(Math.log2(Math.max(1, length))));
    },
    kink: ([x], params) => (hasTies(x, params) ? "equal elements keep their order" : null),
    exact: true,
    formula: "sort(x, axis)",
    rule: "g where the elements came from",
    doc: "Elements along an axis (the last by default) in ascending or descending order; NaN counts as the largest.",
  }),
  defineArray({
    name: "sortBy",
    operands: ["data", "keys"],
    shape: (shapes, params) => ofKeys("sortBy", shapes, params),
    value([{ data }, keys], params) {
      return moved(data, sources(keys, params));
    },
    vjp: (slot, k, g, [, keys], _output, params) =>
      slot === 0 ? k.apply("unsortBy", [g, keys], params) : null,
    jvp: (k, [t], [, keys], _output, params) => (t === null ? null : k.apply("sortBy", [t, keys], params)),
    saves: (slot) => (slot === 0 ? [1] : []),
    cost: ([data]) => sizeOf(data),
    exact: true,
    formula: "data in the order of the sorted keys",
    rule: "unsortBy(g, keys)",
    doc: "Moves elements as sorting the keys would move those.",
  }),
  defineArray({
    name: "unsortBy",
    operands: ["data", "keys"],
    shape: (shapes, params) => ofKeys("unsortBy", shapes, params),
    value([{ data }, keys], params) {
      const out = new Float64Array(data.length);
      sources(keys, params).forEach((to, from) => (out[to] = data[from]));
      return out;
    },
    vjp: (slot, k, g, [, keys], _output, params) =>
      slot === 0 ? k.apply("sortBy", [g, keys], params) : null,
    jvp: (k, [t], [, keys], _output, params) => (t === null ? null : k.apply("unsortBy", [t, keys], params)),
    saves: (slot) => (slot === 0 ? [1] : []),
    cost: ([data]) => sizeOf(data),
    exact: true,
    formula: "data moved back from the order of the sorted keys",
    rule: "sortBy(g, keys)",
    doc: "Moves elements back to where sorting the keys took theirs from: the inverse of sortBy.",
  }),
];
