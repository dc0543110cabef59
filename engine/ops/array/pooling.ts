/** Pools over one and two axes. In a maximum pool the first of equal elements takes the whole cotangent. */
import { shapeText, sizeOf, type Shape } from "../../tape/ndarray.js";
import type { Algebra } from "./algebra.js";
import { defineComposite } from "./composite.js";
import { defineArray, ShapeError, type ArrayPrimitive, type Params } from "./row.js";
import { windowCounts, windowOf, type Window } from "./windows.js";

interface Plan {
  readonly n: number;
  readonly c: number;
  readonly out: readonly number[];
  readonly window: Window;
}

function planOf(name: string, dims: number, [x]: readonly Shape[], params: Params): Plan {
  if (x.length !== dims + 2)
    throw new ShapeError(`${name}: expected x [N, C, ${dims === 1 ? "L" : "H, W"}], got ${shapeText(x)}`);
  const window = windowOf(name, params.kernel, params, dims, "kernel");
  window.padding.forEach((padding, axis) => {
    if (2 * padding > window.kernel[axis])
      throw new ShapeError(`${name}: padding ${padding} is more than half the kernel ${window.kernel[axis]}`);
  });
  return { n: x[0], c: x[1], out: windowCounts(name, x.slice(2), window), window };
}

/** Index of the first largest element along the middle axis of [outer, n, inner]; a NaN wins. */
function firstLargest(data: Float64Array, start: number, n: number, step: number): number {
  let best = start;
  for (let j = 1; j < n; j++) {
    const at = start + j * step;
    if (data[best] !== data[best]) return best;
    if (data[at] > data[best] || data[at] !== data[at]) best = at;
  }
  return best;
}

function eachColumn(
  [a, b, n, inner]: Shape,
  visit: (start: number, n: number, inner: number, at: number) => void,
): void {
  for (let i = 0; i < a * b; i++)
    for (let j = 0; j < inner; j++) visit(i * n * inner + j, n, inner, i * inner + j);
}

const mask = <T>(k: Algebra<T>, x: T): T => k.apply("firstLargest", [x]);

function maximum(name: "maxPool1d" | "maxPool2d", dims: number): ArrayPrimitive {
  return defineComposite({
    name,
    operands: ["x"],
    kinked: true,
    check: (shapes, params) => void planOf(name, dims, shapes, params),
    formulaOf(k, [x], params) {
      const { n, c, out, window } = planOf(name, dims, [k.shape(x)], params);
      const patches = k.apply("patches", [x], { ...window, value: -Infinity });
      return k.reshape(k.apply("windowMax", [patches]), [n, c, ...out]);
    },
    formula: "max over the window",
    rule: "g to the first largest element",
    doc: `Maximum over windows of ${dims === 1 ? "one axis" : "two axes"}; the first of equal elements takes the cotangent.`,
  });
}

function average(name: "avgPool1d" | "avgPool2d", dims: number): ArrayPrimitive {
  return defineComposite({
    name,
    operands: ["x"],
    check: (shapes, params) => void planOf(name, dims, shapes, params),
    formulaOf(k, [x], params) {
      const { n, c, out, window } = planOf(name, dims, [k.shape(x)], params);
      const sum = k.sum(k.apply("patches", [x], { ...window }), 2);
      const ones = k.filled([1, 1, ...k.shape(x).slice(2)], 1);
      const counts =
        params.countIncludePad === false
          ? k.sum(k.apply("patches", [ones], { ...window }), 2)
          : k.number(sizeOf(window.kernel));
      return k.reshape(k.div(sum, counts), [n, c, ...out]);
    },
    saves: () => [],
    formula: "mean over the window",
    rule: "g / count over the window",
    doc: `Mean over windows of ${dims === 1 ? "one axis" : "two axes"}; \`countIncludePad\` false leaves the padding out of the count.`,
  });
}

export const pools: readonly ArrayPrimitive[] = [
  maximum("maxPool1d", 1),
  maximum("maxPool2d", 2),
  average("avgPool1d", 1),
  average("avgPool2d", 2),
  defineArray({
    name: "windowMax",
    operands: ["patches"],
    shape: ([[n, c, , windows]]) => [n, c, windows],
    value([x], _params, shape) {
      const out = new Float64Array(sizeOf(shape));
      eachColumn(x.shape, (start, n, inner, at) => (out[at] = x.data[firstLargest(x.data, start, n, inner)]));
      return out;
    },
    vjp(_slot, k, g, [x]) {
      const [n, c, , windows] = k.shape(x);
      return k.apply("masked", [k.reshape(g, [n, c, 1, windows]), mask(k, x)]);
    },
    jvp: (k, [t], [x]) => (t === null ? null : k.sum(k.apply("masked", [t, mask(k, x)]), 2)),
    cost: ([x], shape) => sizeOf(x) - sizeOf(shape),
    kink([x]) {
      let tie = false;
      eachColumn(x.shape, (start, n, inner) => {
        const best = firstLargest(x.data, start, n, inner);
        for (let j = 0; j < n; j++) {
          const at = start + j * inner;
          if (at !== best && x.data[at] === x.data[best] && x.data[at] !== -Infinity) tie = true;
        }
      });
      return tie ? "the first of equal elements in a window takes the derivative" : null;
    },
    formula: "max over the window",
    rule: "g to the first largest element",
    doc: "Largest element of every window, [N, C, elements, windows].",
  }),
  defineArray({
    name: "firstLargest",
    operands: ["patches"],
    shape: ([x]) => x,
    value([x]) {
      const out = new Float64Array(x.data.length);
      eachColumn(x.shape, (start, n, inner) => (out[firstLargest(x.data, start, n, inner)] = 1));
      return out;
    },
    vjp: () => null,
    jvp: () => null,
    saves: () => [],
    cost: ([x]) => sizeOf(x),
    formula: "1 at the first largest",
    rule: "none: it is constant almost everywhere",
    doc: "Marks the first largest element of every window.",
  }),
];
