import { describe, expect, it } from "vitest";
import { defineComposite } from "../../../../engine/ops/array/composite.js";
import { enterRow } from "../../../../engine/ops/array/lookup.js";
import { NumericAlgebra, numeric } from "../../../../engine/ops/array/numeric.js";
import { DomainError } from "../../../../engine/ops/array/row.js";
import { fromNested } from "../../../../engine/tape/ndarray.js";
import { numbers, randomArray } from "./checks.js";
import { apart, dominant } from "./matrices.js";
import { cases, evaluate, failures, tolerances, type Call, type Case } from "./reference.js";

const texts = { formula: "", rule: "", doc: "" };

// the reference's function of an eigendecomposition that no choice of signs or order changes
enterRow(
  defineComposite({
    ...texts,
    name: "test.sinOfSymmetric",
    operands: ["x"],
    formulaOf(k, [x]) {
      const v = k.unary("eigvecsh", x);
      const sines = k.unary("sin", k.unary("eigvalsh", x));
      const n = k.shape(sines)[k.shape(sines).length - 1];
      return k.matmul(k.mul(v, k.reshape(sines, [...k.shape(sines).slice(0, -1), 1, n])), v, {
        transposeB: true,
      });
    },
  }),
);

const call = (c: Case): Call => ({ op: c.op === "eigh" ? "test.sinOfSymmetric" : c.op, params: c.params });

/** Where one framework throws and the reference's numbers are the other's infinities, the table refuses. */
const refused: Readonly<Record<string, RegExp>> = {
  "linalg/solve/singular/special": /^solve: the matrix is singular/,
  "linalg/inverse/singular/special": /^inverse: the matrix is singular/,
  "linalg/cholesky/semidefinite/special": /^cholesky: the matrix is not positive definite/,
  "linalg/cholesky/indefinite/special": /^cholesky: the matrix is not positive definite/,
};

describe("linear algebra against the reference", () => {
  for (const c of cases("linalg")) {
    it(c.id, () => {
      const message = refused[c.id];
      if (message !== undefined) {
        expect(() => evaluate(c, call(c))).toThrow(DomainError);
        expect(() => evaluate(c, call(c))).toThrow(message);
        return;
      }
      expect(failures(c, evaluate(c, call(c)), tolerances("linalg", c))).toEqual([]);
      if (c.extra?.sign !== undefined) {
        const sign = numeric.apply("detSign", [fromNested(c.inputs[0])]);
        expect([...sign.data]).toEqual([c.extra.sign].flat());
      }
    });
  }
});

describe("number formats", () => {
  it("rounds inside factorizations", () => {
    const single = new NumericAlgebra(Math.fround);
    const a = dominant([6, 6], numbers(2));
    a.data.forEach((value, i) => (a.data[i] = Math.fround(value)));
    const b = randomArray([6, 2], numbers(3), Math.fround);
    const wide = numeric.apply("solve", [a, b]);
    const x = single.apply("solve", [a, b]);
    expect(x.data.every((value) => Math.fround(value) === value)).toBe(true);
    const error = apart(x, wide);
    expect(error).toBeGreaterThan(0);
    expect(error).toBeLessThan(1e-6);
    // more than the rounding of the result alone
    expect(x.data).not.toEqual(wide.data.map(Math.fround));
    const exponential = single.unary("expm", a);
    expect(exponential.data.every((value) => Math.fround(value) === value)).toBe(true);
    expect(apart(exponential, numeric.unary("expm", a)) / Math.max(...exponential.data)).toBeLessThan(1e-5);
  });
});
