import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defineComposite } from "../../../../engine/ops/array/composite.js";
import { enterRow } from "../../../../engine/ops/array/lookup.js";
import { NumericAlgebra, numeric } from "../../../../engine/ops/array/numeric.js";
import { ShapeError, type Params } from "../../../../engine/ops/array/row.js";
import { fromNested, toNested, type NDArray, type Shape } from "../../../../engine/tape/ndarray.js";
import { numbers, randomArray, wrongAt } from "./checks.js";
import { cases, evaluate, failures, tolerances, type Call, type Case } from "./reference.js";

type Condition = boolean | readonly Condition[];
const asNumbers = (condition: Condition): number | unknown[] =>
  typeof condition === "boolean" ? Number(condition) : condition.map(asNumbers);

// the reference has the condition as a parameter: here it is a constant operand, the first
enterRow(
  defineComposite({
    name: "test.where",
    operands: ["a", "b"],
    formulaOf: (k, [a, b], params) =>
      k.apply("where", [k.constant(fromNested(asNumbers(params.condition as Condition))), a, b]),
    formula: "",
    rule: "",
    doc: "",
  }),
);

enterRow(
  defineComposite({
    name: "test.sqrtGuard",
    operands: ["x"],
    formulaOf(k, [x]) {
      const positive = k.apply("max", [k.unary("sign", x), k.number(0)]);
      return k.apply("where", [positive, k.unary("sqrt", x), k.number(0)]);
    },
    formula: "",
    rule: "",
    doc: "",
  }),
);

function call(c: Case): Call {
  if (c.op !== "where") return { op: c.op, params: c.params };
  return { op: c.params.expr === undefined ? "test.where" : "test.sqrtGuard", params: c.params };
}

describe("moves and products against the reference", () => {
  for (const c of cases("shape")) {
    it(c.id, () => {
      expect(failures(c, evaluate(c, call(c)), tolerances("shape", c))).toEqual([]);
    });
  }
});

interface Sample {
  readonly op: string;
  readonly shapes: readonly Shape[];
  readonly params?: Params;
}

const samples: readonly Sample[] = [
  { op: "outer", shapes: [[3], [4]] },
  { op: "dot", shapes: [[3], [3]] },
  { op: "dot", shapes: [[2, 3], [3]] },
  { op: "dot", shapes: [[], [2, 2]] },
  {
    op: "dot",
    shapes: [
      [2, 3],
      [2, 3, 4],
    ],
  },
  { op: "kron", shapes: [[2, 2], [3]] },
  {
    op: "einsum",
    shapes: [
      [2, 3],
      [3, 4],
      [4, 2],
    ],
    params: { equation: "ij,jk,kl->il" },
  },
  { op: "einsum", shapes: [[2, 3, 3], [3]], params: { equation: "bii,i" } },
  {
    op: "einsum",
    shapes: [
      [2, 1, 2, 3],
      [4, 3, 2],
    ],
    params: { equation: "...ij,...jk->...ik" },
  },
  { op: "einsum", shapes: [[2, 3, 3, 3]], params: { equation: "biii->ib" } },
  {
    op: "einsum",
    shapes: [
      [1, 3],
      [2, 3],
    ],
    params: { equation: "ij,ij->i" },
  },
  {
    op: "einsum",
    shapes: [
      [0, 3],
      [3, 2],
    ],
    params: { equation: "ij,jk->ik" },
  },
  { op: "transpose", shapes: [[2, 3, 4]], params: { axes: [2, 0, 1] } },
  { op: "squeeze", shapes: [[1, 3, 1]] },
  { op: "squeeze", shapes: [[1, 3, 1]], params: { axis: [0, -1] } },
  { op: "expandDims", shapes: [[2, 3]], params: { axis: [0, -1] } },
  { op: "slice", shapes: [[4, 5, 3]], params: { slices: [[1, -1], 2, [null, null, -2]] } },
  { op: "slice", shapes: [[4, 5]], params: { slices: [-1, null] } },
  { op: "slice", shapes: [[4, 5]], params: { slices: [[3, 1, 1]] } },
  {
    op: "concat",
    shapes: [
      [2, 1, 3],
      [2, 2, 3],
      [2, 0, 3],
    ],
    params: { axis: -2 },
  },
  {
    op: "stack",
    shapes: [
      [2, 3],
      [2, 3],
      [2, 3],
    ],
    params: { axis: -1 },
  },
  { op: "split", shapes: [[2, 6]], params: { sizes: [1, 3, 2], axis: 1, take: 1 } },
  {
    op: "pad",
    shapes: [[2, 3]],
    params: {
      widths: [
        [1, 0],
        [7, 5],
      ],
      mode: "reflect",
    },
  },
  {
    op: "pad",
    shapes: [[1, 3]],
    params: {
      widths: [
        [2, 1],
        [4, 4],
      ],
      mode: "wrap",
    },
  },
  {
    op: "pad",
    shapes: [[1, 3]],
    params: {
      widths: [
        [2, 1],
        [2, 4],
      ],
      mode: "reflect",
    },
  },
  {
    op: "pad",
    shapes: [[2, 3]],
    params: {
      widths: [
        [1, 1],
        [0, 2],
      ],
      mode: "edge",
    },
  },
  {
    op: "pad",
    shapes: [[0, 2]],
    params: {
      widths: [
        [1, 1],
        [0, 2],
      ],
      value: 3,
    },
  },
  {
    op: "gather",
    shapes: [[3, 4]],
    params: {
      axis: -1,
      index: [
        [-1, 0, 0, 2, 3],
        [1, 1, 1, 1, -4],
      ],
    },
  },
  { op: "take", shapes: [[2, 3]], params: { index: [5, 0, -1, 0] } },
  { op: "take", shapes: [[2, 3, 2]], params: { index: 1, axis: -2 } },
  {
    op: "scatterAdd",
    shapes: [
      [3, 2],
      [4, 3],
    ],
    params: {
      axis: 0,
      index: [
        [0, 2],
        [0, 1],
        [-1, 1],
      ],
    },
  },
  {
    op: "indexAdd",
    shapes: [
      [2, 4],
      [2, 3],
    ],
    params: { axis: 1, index: [0, -1, 0] },
  },
  { op: "segmentSum", shapes: [[4, 2]], params: { segmentIds: [1, 1, 0, 3] } },
  { op: "tile", shapes: [[2, 3]], params: { reps: [2, 1, 2] } },
  { op: "repeat", shapes: [[2, 3]], params: { repeats: 2 } },
  { op: "repeat", shapes: [[3, 2]], params: { repeats: [0, 2, 1], axis: 0 } },
  { op: "diag", shapes: [[3]], params: { k: 1 } },
  { op: "diag", shapes: [[2, 5]], params: { k: 3 } },
  { op: "diagonal", shapes: [[2, 3, 4]], params: { k: -1 } },
  { op: "diagonal", shapes: [[2, 3, 4]], params: { k: 9 } },
  { op: "trace", shapes: [[2, 3, 3]] },
  { op: "triu", shapes: [[2, 3, 4]], params: { k: 1 } },
  { op: "tril", shapes: [[3, 2]] },
  { op: "flip", shapes: [[2, 3]] },
  { op: "roll", shapes: [[2, 3]], params: { shifts: 4 } },
  { op: "roll", shapes: [[2, 3]], params: { shifts: [1, 1, -1], axis: [0, 1, 1] } },
  { op: "sort", shapes: [[3, 4]] },
  { op: "sort", shapes: [[3, 4]], params: { axis: 0, descending: true } },
  {
    op: "sortBy",
    shapes: [
      [3, 4],
      [3, 4],
    ],
    params: { axis: 0 },
  },
  {
    op: "unsortBy",
    shapes: [
      [3, 4],
      [3, 4],
    ],
    params: { axis: 1 },
  },
  { op: "diff", shapes: [[5, 2]], params: { axis: 0, n: 2 } },
  { op: "diff", shapes: [[2, 2]], params: { n: 3 } },
  { op: "diff", shapes: [[2, 4]] },
  { op: "diff", shapes: [[2, 4]], params: { n: 0 } },
  { op: "take", shapes: [[2, 3]], params: { axis: 1, index: [] } },
  { op: "gather", shapes: [[2, 3]], params: { axis: 1, index: [[], []] } },
  { op: "scatterAdd", shapes: [[3], [2]], params: { axis: 0, index: [] } },
  { op: "segmentSum", shapes: [[0, 2]], params: { segmentIds: [], numSegments: 2 } },
  {
    op: "concat",
    shapes: [
      [0, 2],
      [0, 2],
    ],
  },
  { op: "sort", shapes: [[2, 0, 3]], params: { axis: 1 } },
  { op: "flip", shapes: [[0, 3]] },
  { op: "roll", shapes: [[0]], params: { shifts: 2 } },
  { op: "trace", shapes: [[0, 0]] },
  {
    op: "kron",
    shapes: [
      [0, 2],
      [2, 2],
    ],
  },
  {
    op: "einsum",
    shapes: [
      [2, 0],
      [0, 3],
    ],
    params: { equation: "ij,jk->ik" },
  },
  { op: "repeat", shapes: [[]], params: { repeats: 3 } },
  { op: "scatterBack", shapes: [[3]], params: { op: "slice", of: { slices: [[0, 5, 2]] }, shape: [6] } },
];

describe("derivatives of moves and products", () => {
  samples.forEach(({ op, shapes, params = {} }, i) => {
    it(`${op} of ${shapes.map((shape) => `[${shape.join()}]`).join(" ")} ${JSON.stringify(params)}`, () => {
      const next = numbers(i + 1);
      const operands = shapes.map((shape) => randomArray(shape, next));
      expect(wrongAt({ op, params, operands, seed: i })).toEqual([]);
    });
  });

  it("adds up what comes in through both slots of one operand", () => {
    const x = randomArray([3, 3], numbers(5));
    const params = { equation: "ij,jk->ik" };
    const both = defineComposite({
      name: "test.square",
      operands: ["x"],
      formulaOf: (k, [a]) => k.apply("concat", [k.apply("einsum", [a, a], params), a], { axis: 0 }),
      formula: "",
      rule: "",
      doc: "",
    });
    enterRow(both);
    expect(wrongAt({ op: "test.square", operands: [x] })).toEqual([]);
  });

  it("rounds every addition where repeated indices add up", () => {
    const half = new NumericAlgebra(Math.fround);
    const tiny = 2 ** -24;
    const ones = { shape: [3], data: Float64Array.of(1, tiny, tiny) };
    const sum = half.apply("segmentSum", [ones], { segmentIds: [0, 0, 0], numSegments: 1 });
    expect([...sum.data]).toEqual([1]);
    expect(numeric.apply("segmentSum", [ones], { segmentIds: [0, 0, 0] }).data[0]).toBe(1 + 2 * tiny);
  });
});

/** What a slice is, written with loops over nested arrays: Python's rules by counting. */
function pythonSlice(x: readonly number[], [start, stop, step]: readonly (number | null)[]): number[] {
  const n = x.length;
  const by = step ?? 1;
  const out: number[] = [];
  let from = start ?? (by > 0 ? 0 : n - 1);
  let to = stop ?? (by > 0 ? n : -n - 1);
  if (start !== null && from < 0) from += n;
  if (to < 0) to += n;
  if (by > 0) from = Math.max(0, from);
  else from = Math.min(n - 1, from);
  for (let i = from; by > 0 ? i < to : i > to; i += by) if (i >= 0 && i < n) out.push(x[i]);
  return out;
}

describe("moves against loops", () => {
  const bound = fc.option(fc.integer({ min: -8, max: 8 }), { nil: null });
  const step = fc.option(
    fc.integer({ min: -3, max: 3 }).filter((n) => n !== 0),
    { nil: null },
  );

  it("reads indices as numbers, lists, typed arrays, and shapes with elements", () => {
    const x = fromNested([
      [1, 2, 3],
      [4, 5, 6],
    ]);
    const take = (index: unknown): unknown => toNested(numeric.apply("take", [x], { axis: 1, index }));
    expect(take(-1)).toEqual([3, 6]);
    expect(take([2, 0])).toEqual([
      [3, 1],
      [6, 4],
    ]);
    expect(take(Int32Array.of(2, 0))).toEqual(take([2, 0]));
    expect(take({ shape: [2], data: [2, 0] })).toEqual(take([2, 0]));
    expect(take([[[0], [1]]])).toEqual([[[[1], [2]]], [[[4], [5]]]]);
    expect(() => take("0")).toThrow("take: index must be an array of integers, not 0");
    expect(() => take({ shape: [3], data: [2, 0] })).toThrow("take: index must be an array of integers");
    expect(() => take([[0], 1])).toThrow("where lists of 1 stand there is also 1");
  });

  it("sorts any line as a stable sort does", () => {
    const value = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constantFrom(NaN, Infinity, -Infinity));
    fc.assert(
      fc.property(fc.array(value, { maxLength: 40 }), fc.boolean(), (line, descending) => {
        const order = line.map((_, i) => i);
        const rank = (x: number): number => (Number.isNaN(x) ? 1e9 : Math.max(-100, Math.min(100, x)));
        order.sort((i, j) => (descending ? -1 : 1) * (rank(line[i]) - rank(line[j])));
        const data = { shape: [line.length], data: Float64Array.from(line, (_, i) => i) };
        const keys = { shape: [line.length], data: Float64Array.from(line) };
        expect([...numeric.apply("sortBy", [data, keys], { descending }).data]).toEqual(order);
        expect([...numeric.apply("sort", [keys], { descending }).data]).toEqual(order.map((i) => line[i]));
      }),
    );
  });

  it("contracts an einsum in an order that keeps the products small", () => {
    const cost = (equation: string, shapes: Shape[]): number => {
      const row = numeric.row("einsum");
      return row.cost(shapes, row.shape(shapes, { equation }), { equation });
    };
    // a column, a row and a column: the last two first
    const chain = cost("ij,jk,kl->il", [
      [50, 1],
      [1, 50],
      [50, 1],
    ]);
    expect(chain).toBeLessThan(200);
  });

  it("slices as Python does", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 6 }), bound, bound, step, (length, start, stop, by) => {
        const x = Array.from({ length }, (_, i) => i + 10);
        const got = numeric.apply("slice", [fromNested(x)], { slices: [[start, stop, by]] });
        expect([...got.data]).toEqual(pythonSlice(x, [start, stop, by]));
        expect(got.shape).toEqual([got.data.length]);
      }),
    );
  });

  it("concat of the parts of a split is the array", () => {
    const sizes = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(sizes, fc.integer({ min: 0, max: 1 }), (parts, axis) => {
        const length = parts.reduce((a, b) => a + b, 0);
        const x = randomArray(axis === 0 ? [length, 2] : [2, length], numbers(length));
        const cut = parts.map((_, take) => numeric.apply("split", [x], { sizes: parts, axis, take }));
        expect(numeric.apply("concat", cut, { axis })).toEqual(x);
      }),
    );
  });

  it("einsum is the sum of products over all labels", () => {
    const equations = [
      "ij,jk->ik",
      "ij,ij->",
      "ijk,jil->kl",
      "ii,ij->ji",
      "ij,jk,ki->",
      "ij,kj->jik",
      "i,j->",
      "iji->j",
    ];
    const length: Record<string, number> = { i: 2, j: 3, k: 2, l: 4 };
    for (const equation of equations) {
      const [left, output] = equation.split("->");
      const terms = left.split(",");
      const xs = terms.map((term, slot) =>
        randomArray(
          [...term].map((label) => length[label]),
          numbers(slot + 3),
        ),
      );
      const labels = [...new Set(left.replace(/,/g, ""))];
      const expected: NDArray = randomArray(
        [...output].map((label) => length[label]),
        () => 0,
      );
      const at: Record<string, number> = {};
      const flat = (term: string): number =>
        [...term].reduce((sum, label) => sum * length[label] + at[label], 0);
      const loop = (depth: number): void => {
        if (depth === labels.length) {
          expected.data[flat(output)] += terms.reduce(
            (product, term, slot) => product * xs[slot].data[flat(term)],
            1,
          );
          return;
        }
        for (at[labels[depth]] = 0; at[labels[depth]] < length[labels[depth]]; at[labels[depth]]++)
          loop(depth + 1);
      };
      loop(0);
      const got = numeric.apply("einsum", xs, { equation });
      expect(got.shape, equation).toEqual(expected.shape);
      got.data.forEach((value, i) => expect(value, equation).toBeCloseTo(expected.data[i], 13));
    }
  });

  it("implies the output of an equation as NumPy does", () => {
    const a = randomArray([2, 3], numbers(1));
    const b = randomArray([3, 4], numbers(2));
    const c = numeric.apply("einsum", [a, b], { equation: "zj, ja" });
    expect(c.shape).toEqual([4, 2]);
    expect(c.data).toEqual(numeric.apply("einsum", [a, b], { equation: "zj,ja->az" }).data);
  });

  it("sorts stably, NaN last", () => {
    const x = fromNested([3, NaN, 1, 3, -Infinity]);
    expect(toNested(numeric.apply("sort", [x]))).toEqual([-Infinity, 1, 3, 3, NaN]);
    expect(toNested(numeric.apply("sort", [x], { descending: true }))).toEqual([NaN, 3, 3, 1, -Infinity]);
    const places = fromNested([0, 1, 2, 3, 4]);
    expect(toNested(numeric.apply("sortBy", [places, x], { descending: true }))).toEqual([1, 0, 3, 2, 4]);
  });

  it("tells where equal elements meet", () => {
    const { kink } = numeric.row("sort");
    expect(
      kink!(
        [
          fromNested([
            [1, 2],
            [2, 1],
          ]),
        ],
        {},
      ),
    ).toBeNull();
    expect(
      kink!(
        [
          fromNested([
            [1, 2],
            [2, 2],
          ]),
        ],
        {},
      ),
    ).toBe("equal elements keep their order");
    expect(
      kink!(
        [
          fromNested([
            [1, 2],
            [1, 3],
          ]),
        ],
        { axis: 0 },
      ),
    ).not.toBeNull();
  });

  it("reflects and wraps as often as the border is wide", () => {
    const x = fromNested([1, 2, 3]);
    const pad = (mode: string, widths: number[]): unknown =>
      toNested(numeric.apply("pad", [x], { widths: [widths], mode }));
    expect(pad("reflect", [5, 4])).toEqual([2, 1, 2, 3, 2, 1, 2, 3, 2, 1, 2, 3]);
    expect(pad("wrap", [4, 1])).toEqual([3, 1, 2, 3, 1, 2, 3, 1]);
    expect(pad("edge", [2, 0])).toEqual([1, 1, 1, 2, 3]);
  });
});

describe("messages of moves and products", () => {
  const refusals: readonly (readonly [string, readonly Shape[], Params, RegExp])[] = [
    ["take", [[4, 3]], { axis: 1, index: [0, 3] }, /take: index 3 .* axis 1 \(length 3\) .*\[4, 3\]/],
    ["take", [[4, 3]], { axis: 2, index: 0 }, /axis 2 does not exist in the shape \[4, 3\]/],
    ["take", [[4]], { index: [0.5] }, /index must hold integers, not 0.5/],
    ["gather", [[4, 3]], { axis: 0, index: [[0], [-5]] }, /index -5 .* axis 0 \(length 4\)/],
    ["gather", [[4, 3]], { axis: 0, index: [0] }, /index of shape \[1\] does not fit the shape \[4, 3\]/],
    [
      "gather",
      [[4, 3]],
      { axis: 0, index: [[0, 1], [1]] },
      /where lists of 2 stand there is also a list of 1/,
    ],
    ["slice", [[4]], { slices: [[0, 2, 0]] }, /step of axis 0 must not be 0/],
    ["slice", [[4]], { slices: [4] }, /index 4 is out of range for axis 0 \(length 4\)/],
    [
      "slice",
      [[4]],
      {
        slices: [
          [0, 1],
          [0, 1],
        ],
      },
      /2 slices were given for the shape \[4\]/,
    ],
    ["slice", [[4]], { slices: [[0, "1"]] }, /must be integers, not 1/],
    [
      "concat",
      [
        [2, 3],
        [3, 2],
      ],
      { axis: 0 },
      /operand 1 of shape \[3, 2\] does not fit \[2, 3\]/,
    ],
    ["stack", [[2], [3]], { axis: 0 }, /operand 1 has shape \[3\], operand 0 \[2\]/],
    ["stack", [], {}, /at least one array/],
    ["split", [[5]], { sizes: [2, 2], axis: 0, take: 0 }, /add up to 4, but axis 0 .* length 5/],
    ["split", [[4]], { sizes: [2, 2], axis: 0, take: 2 }, /no part 2 of 2/],
    ["pad", [[3]], { widths: [[1, -1]] }, /widths of axis 0/],
    ["pad", [[3]], { widths: [[1, 1]], mode: "mirror" }, /mode must be one of/],
    ["pad", [[0]], { widths: [[1, 1]], mode: "edge" }, /axis 0 of \[0\] is empty/],
    [
      "scatterAdd",
      [[3], [2]],
      { axis: 0, index: [0, 1, 2] },
      /index of shape \[3\] .* updates of shape \[2\]/,
    ],
    [
      "indexAdd",
      [
        [3, 2],
        [2, 3],
      ],
      { axis: 0, index: [0, 1] },
      /updates of shape \[2, 3\] .* \[2, 2\] is needed/,
    ],
    ["segmentSum", [[2]], { segmentIds: [0, 2], numSegments: 2 }, /segment 2 is out of range for 2/],
    ["segmentSum", [[2]], { segmentIds: [0] }, /segmentIds of shape \[1\] do not fit the shape \[2\]/],
    ["repeat", [[3]], { repeats: [1, 2], axis: 0 }, /2 counts .* axis 0 \(length 3\)/],
    ["tile", [[3]], { reps: [-1] }, /must not be negative/],
    ["diag", [[2, 2, 2]], {}, /1 to 2 axes .* \[2, 2, 2\]/],
    ["triu", [[3]], {}, /at least 2 axes .* \[3\]/],
    ["roll", [[3]], { shifts: [1, 2], axis: 0 }, /2 shifts were given for 1 axes/],
    ["squeeze", [[2, 1]], { axis: 0 }, /axis 0 of \[2, 1\] has length 2/],
    ["sort", [[2]], { descending: 1 }, /descending must be true or false/],
    [
      "einsum",
      [
        [2, 3],
        [2, 3],
      ],
      { equation: "ij,jk->ik" },
      /label "j" has the length 3 .* 2 in operand 1/,
    ],
    ["einsum", [[2, 3]], { equation: "ijk->i" }, /names 3 axes, operand 0 has the shape \[2, 3\]/],
    ["einsum", [[2, 3]], { equation: "ij->k" }, /no operand has the output's label "k"/],
    ["einsum", [[2, 3]], { equation: "ij,jk" }, /for 2 arrays, 1 were given/],
    ["einsum", [[2]], { equation: "i->ii" }, /label "i" twice/],
    ["outer", [[2, 2], [2]], {}, /an array of 1 axis .* \[2, 2\]/],
    ["dot", [[2], [3]], {}, /inner lengths are 2 and 3/],
  ];
  for (const [op, shapes, params, message] of refusals) {
    it(`${op} ${JSON.stringify(params)} of ${shapes.map((shape) => `[${shape.join()}]`).join(" ")}`, () => {
      const operands = shapes.map((shape) => randomArray(shape, () => 1));
      expect(() => numeric.apply(op, operands, params)).toThrow(ShapeError);
      expect(() => numeric.apply(op, operands, params)).toThrow(message);
    });
  }
});
