/** What no function of the library may let pass: an option that it does not have, an argument that it does not take. */
import { describe, expect, it } from "vitest";
import * as B from "../../../engine/index.js";
import { functionSignatures, methodSignatures } from "../../../engine/graph/signatures.js";
import { primitives } from "../../../engine/ops/table.js";

const A = B.tensor([
  [2, 1],
  [1, 3],
]);
const library = B as unknown as Readonly<Record<string, (...given: unknown[]) => unknown>>;
const methodsOf = A as unknown as Readonly<Record<string, (...given: unknown[]) => unknown>>;

/** What is thrown, with its kind. */
function refusal(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    if (!(error instanceof B.BacksweepError)) throw error;
    return `${error.kind}: ${error.message}`;
  }
  return "nothing was refused";
}

const functions = [...functionSignatures.values()].map((signature) => ({
  ...signature,
  call: (...given: unknown[]) => library[signature.name](...given),
}));
const methods = [...methodSignatures.values()].map((signature) => ({
  ...signature,
  call: (...given: unknown[]) => methodsOf[signature.name].apply(A, given),
}));
const elementwise = primitives
  .filter(({ name, arity }) => arity < 3 && !methodSignatures.has(name))
  .map(({ name, arity }) => ({
    name,
    positions: arity === 1 ? [] : ["other"],
    rest: false,
    options: null,
    call: (...given: unknown[]) => methodsOf[name].apply(A, given),
  }));
const every = [...functions, ...methods, ...elementwise];

describe.each(every)("$name", ({ name, positions, rest, options, call }) => {
  const enough = positions.map(() => 1);

  if (options !== null)
    it("refuses an option it does not have", () => {
      expect(refusal(() => call(...enough, { strange: 1 }))).toMatch(
        `definition: ${name}: there is no option "strange"; the option`,
      );
    });

  if (options !== null)
    it("refuses what is no record of options", () => {
      for (const wrong of [0, "sum", true, [0], A, null])
        expect(refusal(() => call(...enough, wrong))).toMatch(`definition: ${name}: options are a record`);
    });

  if (!rest)
    it("refuses an argument too many", () => {
      const all = options === null ? enough : [...enough, {}];
      expect(refusal(() => call(...all, 1))).toMatch(`definition: ${name} takes `);
      expect(refusal(() => call(...all, undefined))).not.toMatch(" were given");
    });

  if (positions.length > 0)
    it("refuses a record where an argument is due", () => {
      expect(refusal(() => call({ strange: 1 }))).toMatch("is an argument by itself, not a record");
    });
});

it("the table has every function and method of arrays", () => {
  const own = new Set([
    "constructor",
    "shape",
    "rank",
    "size",
    "toArray",
    "toFloat64Array",
    "toJSON",
    "toString",
  ]);
  const known = new Set(every.map(({ name }) => name));
  const prototype = Object.getOwnPropertyNames(B.Tensor.prototype);
  expect(prototype.filter((name) => !own.has(name) && !known.has(name))).toEqual([]);
  for (const { name } of functions) expect(library[name].name).toBe(name);
});

describe("says what was meant", () => {
  it.each<[() => unknown, string]>([
    [() => methodsOf.softmax.call(A, 0), "softmax: options are a record, as in softmax({ axis: 0 }), not 0"],
    [() => methodsOf.softmax.call(A, { dim: 0 }), 'no option "dim" (did you mean axis?); the option is axis'],
    [() => methodsOf.sum.call(A, 0), "sum({ axis: 0 }), not 0"],
    [() => methodsOf.sum.call(A, { axes: 0 }), "did you mean axis?"],
    [() => methodsOf.mean.call(A, { keepdim: true }), "did you mean keepdims?"],
    [() => methodsOf.mean.call(A, { keep_dims: true }), "did you mean keepdims?"],
    [() => methodsOf.var.call(A, { ddof: 1 }), "did you mean correction?"],
    [() => methodsOf.max.call(A, A), "max(a, b) is the function of two"],
    [() => methodsOf.reshape.call(A, 4, 1), "write reshape([4, 1])"],
    [() => methodsOf.sort.call(A, { descending: 1 }), "sort: descending must be true or false, not 1"],
    [() => methodsOf.var.call(A, { correction: "1" }), "var: correction must be a plain number"],
    [() => library.layerNorm(A, { epsilon: 1 }), "did you mean eps?"],
    [() => library.crossEntropy(A, [0, 1], "sum"), '{ reduction: "sum" }'],
    [() => library.crossEntropy(A, [0, 1], { reduce: "sum" }), "did you mean reduction?"],
    [() => library.maxPool1d([[[1, 2]]], { kernel_size: 2 }), "did you mean kernel?"],
    [() => library.graph({ x: 1 }, (v: unknown) => v, { dtyp: "f32" }), "did you mean dtype?"],
    [() => library.graph({ x: 1 }, (v: unknown) => v, "f32"), "graph: options are a record"],
    [() => library.custom({ forward: Number, backward: Number }), "did you mean vjp?"],
  ])("%s", (call, text) => {
    expect(refusal(call)).toContain(text);
  });
});

describe("questions and definitions", () => {
  const f = ({ x }: { x: number }): number => B.mul(x, x);
  const g = B.graph({ x: 3 }, f);
  it.each<[string, () => unknown]>([
    ["graph", () => library.graph({ x: 1 }, f, {}, 1)],
    ["gradient", () => library.gradient(f, { x: 1 }, 1)],
    ["valueAndGradient", () => library.valueAndGradient(f, { x: 1 }, 1)],
    ["vjp", () => library.vjp(f, 1, { x: 1 }, 1)],
    ["jvp", () => library.jvp(f, { x: 1 }, { x: 1 }, 1)],
    ["hvp", () => library.hvp(f, { x: 1 }, { x: 1 }, 1)],
    ["hessian", () => library.hessian(f, { x: 1 }, 1)],
    ["hessianDiagonal", () => library.hessianDiagonal(f, { x: 1 }, 1)],
    ["jacobian", () => library.jacobian(f, {}, { x: 1 }, 1)],
    ["jacobian", () => library.jacobian(f, { x: 1 })],
    ["jacobian", () => library.jacobian(f, "forward", { x: 1 })],
    ["sweep", () => library.sweep(g, { ordre: "tape" })],
    ["sweep", () => library.sweep(g, {}, 1)],
    ["contributions", () => library.contributions(g, "x", {}, 1)],
    ["paths", () => library.paths(g, "x", "y", 5, {}, 1)],
    ["spread", () => library.spread(g, "x", {}, 1)],
    ["checkGradient", () => library.checkGradient(g, {}, 1)],
    ["chain", () => library.chain(1, 1, (s: unknown) => s, { nam: "n" })],
    ["chain", () => library.chain(1, 1, (s: unknown) => s, {}, 1)],
    ["checkpoint", () => library.checkpoint(f, {})],
    ["custom", () => library.custom({ forward: f, vjp: f, jpv: f })],
    ["coupling", () => library.coupling(f, f, { name: "n" })],
    ["runningState", () => library.runningState(1, { momentum: 0.9 })],
    ["tape", () => library.tape([{ value: 1 }], { name: "n" })],
    ["tape", () => library.tape([{ value: 1 }, { value: 2, parent: [[0, 1]] }])],
    ["expression", () => library.expression(g, "x", {}, 1)],
    ["scope", () => library.scope("s", () => 1, {})],
    ["stopGradient", () => library.stopGradient(1, { of: "x" })],
    ["dropout", () => library.dropout(1, 0.5, { training: true })],
    ["normal", () => library.normal(0, 1, 2)],
    ["random", () => library.random({ seed: 1 })],
    ["random", () => library.random(0, 10)],
    ["leakyRelu", () => library.leakyRelu(1, 0.1, 2)],
    ["elu", () => library.elu(1, 1, {})],
    ["reverseAccumulate", () => library.reverseAccumulate([{ value: 1 }], 1, 2)],
    ["auditSweep", () => library.auditSweep(() => [], { tolerence: 1 })],
  ])("%s refuses what it does not take", (name, call) => {
    expect(refusal(call)).toMatch(new RegExp(`^definition: ${name}\\b.*(too many|no option|are a record)`));
  });
});

describe("what else is no argument", () => {
  const g = B.graph({ x: 3 }, ({ x }) => B.mul(x, x));
  it.each<[() => unknown, string]>([
    [
      () => library.expression(g, { x: 3 }),
      "definition: expression(graph, node, at): node is the name or id",
    ],
    [
      () => library.planSchedule("revolve:4", 64),
      "option: planSchedule(schedule, steps): the schedule is what parseSchedule",
    ],
    [
      () => library.planSchedule(B.parseSchedule("revolve:4"), 64, {}),
      "option: planSchedule(schedule, steps) takes two",
    ],
    [() => library.scope("s", { fn: 1 }), "definition: scope(name, fn): fn must be a function"],
    [() => library.dropout(1, { p: 0.5 }), "definition: dropout(x, p): p must be a number, not an object"],
    [
      () => library.normal({ mean: 1 }),
      "definition: normal(mean, deviation): mean must be a number, not an object",
    ],
    [() => library.normal(undefined, 2), "definition: normal(mean, deviation): a deviation needs a mean"],
    [
      () => library.reverseAccumulate([{ value: 1 }], { seed: 2 }),
      "definition: reverseAccumulate(entries, seed): the seed",
    ],
  ])("%s", (call, text) => {
    expect(refusal(call)).toContain(text);
  });
});

describe("products by name", () => {
  const f = ({ x }: { x: number }): number => B.mul(B.mul(x, x), x);
  const g = B.graph({ x: 3 }, f);

  it("are those by position", () => {
    expect(B.jvp(f, { at: { x: 3 }, direction: { x: 1 } })).toEqual(B.jvp(f, { x: 1 }, { x: 3 }));
    expect(B.jvp(f, { x: 1 }, { x: 3 })).toEqual({ values: [27], tangents: [27] });
    expect(B.vjp(f, { at: { x: 3 }, cotangent: 2 })).toEqual({ x: 54 });
    expect(B.hvp(f, { at: { x: 3 }, direction: { x: 2 } })).toEqual(B.hvp(f, { x: 2 }, { x: 3 }));
    expect(B.jvp(g, { direction: { x: 1 } })).toEqual(B.jvp(g, { x: 1 }));
    expect(B.jvp(g, { at: { x: 2 }, direction: { x: 1 } }).tangents).toEqual([12]);
    expect(B.vjp(g, { at: { x: 2 }, cotangent: 1 })).toEqual({ x: 12 });
    expect(B.hvp(g, { direction: { x: 1 } }).hvp).toEqual({ x: 18 });
  });

  it("are inside a graph too", () => {
    const outer = B.graph({ x: 2 }, ({ x }) => B.jvp(f, { at: { x }, direction: { x: 1 } }).tangents[0]);
    expect(B.gradient(outer)).toEqual({ x: 12 });
  });

  it("leave inputs that have such names alone", () => {
    const h = B.graph({ at: 2, direction: 3 }, ({ at, direction }) => B.mul(at, direction));
    expect(B.jvp(h, { at: 1, direction: 1 }).tangents).toEqual([5]);
    expect(B.jvp(h, { direction: { at: 1 } }).tangents).toEqual([3]);
  });

  it("say which name is wrong, and that a function needs a point", () => {
    const loose = library.jvp;
    expect(refusal(() => loose(f, { at: { x: 3 }, tangent: { x: 1 } }))).toContain("did you mean direction?");
    expect(refusal(() => loose(f, { at: { x: 3 } }))).toContain("there is no direction");
    expect(refusal(() => loose(f, { x: 1 }))).toContain(
      "jvp: a function needs a point: jvp(f, direction, at)",
    );
  });
});

describe("what else a newcomer is told", () => {
  it("where no variable has a name, why", () => {
    const g = B.graph({ x: 2 }, ({ x }) => B.mul(B.mul(x, x), x));
    expect(() => B.contributions(g, "a")).toThrow(
      'there is no node "a"; no variable has a name here: they get them where the file is loaded with node --import',
    );
    const named = B.tape([{ value: 2 }, { value: 4, parents: [[0, 4]], name: "y" }]);
    expect(refusal(() => B.paths(named, "a", "y"))).toBe('option: there is no node "a"');
  });

  it("that a list has another length than its definition, and that an array cannot", () => {
    const g = B.graph({ p: [1, 2, 3], W: [[1, 2]] }, ({ p, W }) => B.mul(p[0], W.sum()));
    const notes = (p: number[]): string[] =>
      B.sweep(g, { set: { p } }).report.notes.map((note) => note.message);
    expect(notes([1, 2])).toContain('the input "p" is given 2 numbers, its definition has 3');
    expect(notes([1, 2, 4]).join()).not.toContain("its definition has");
    expect(refusal(() => B.gradient(g, { W: [[1, 2], [3]] as never }))).toMatch(/^option: input "W": /);
  });

  it("that dot is of vectors, and lists of arrays and sizes are lists", () => {
    expect(refusal(() => B.dot(A, A))).toContain("matmul is the product of arrays");
    expect(refusal(() => library.concat(A))).toBe(
      "definition: concat: give the arrays as a list, concat([a, b])",
    );
    expect(refusal(() => methodsOf.split.call(A, 1))).toContain("split: sizes is a list");
    expect(A.slice([[0, 1], 0]).toArray()).toEqual([2]);
    expect(A.cumsum({ axis: 0, reverse: true }).toArray()).toEqual([
      [3, 4],
      [1, 3],
    ]);
  });
});
