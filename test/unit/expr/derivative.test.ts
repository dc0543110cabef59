/** The texts of the table as expressions: they are the derivatives, to the last digits and at the kinks too. */
import { describe, expect, it } from "vitest";
import { derivativeExpression } from "../../../engine/expr/derivative.js";
import { evaluate } from "../../../engine/expr/evaluate.js";
import type { Expression } from "../../../engine/expr/expression.js";
import { primitive, primitives } from "../../../engine/ops/table.js";
import { smoothPoints, specialPoints, type Operands } from "../ops/samples.js";

const rows = primitives.map((row) => [row.name, row] as const);

function error(got: number, want: number): number {
  if (got === want || (got !== got && want !== want)) return 0;
  const e = Math.abs(got - want) / Math.max(Math.abs(got), Math.abs(want));
  return e === e ? e : Infinity;
}

/** Where an expression is not the derivative, because its domain ends or the number format does; by row and slot. */
const subnormal = (x: number): boolean => Math.abs(x) < 2.3e-308;
const EXCEPT: Readonly<Record<string, (p: Operands) => boolean>> = {
  // no remainder there: b = 0 or a infinite
  "mod 1": ([a, b]) => b === 0 || Math.abs(a) === Infinity,
  // the value itself is infinite for an infinite b of the other sign
  "floorMod 1": ([, b]) => b === 0 || Math.abs(b) === Infinity,
  // JavaScript's 1 ** Infinity, exponent 0, a power of a subnormal base beyond the range
  "pow 0": ([a, b]) => Math.abs(b) === Infinity || b === 0 || subnormal(a),
  "pow 1": ([a]) => a === 1,
  // the rule gives a NaN the whole share, the text one half
  "min 0": ([a, b]) => a !== a || b !== b,
  "min 1": ([a, b]) => a !== a || b !== b,
  "max 0": ([a, b]) => a !== a || b !== b,
  "max 1": ([a, b]) => a !== a || b !== b,
  "log10 0": ([a]) => a < 0,
  "hypot 0": ([a, b]) => Math.hypot(a, b) === Infinity || subnormal(Math.hypot(a, b)),
  "hypot 1": ([a, b]) => Math.hypot(a, b) === Infinity || subnormal(Math.hypot(a, b)),
  "atan2 0": ([a, b]) => Math.hypot(a, b) === Infinity,
  "atan2 1": ([a, b]) => Math.hypot(a, b) === Infinity,
  "acosh 0": ([a]) => a < 0,
  "geluTanh 0": ([a]) => Math.abs(a) > 1e150,
};

describe("derivative texts", () => {
  it.each(rows)("%s: equal to the local derivative at random points", (name, row) => {
    for (const p of smoothPoints(row, 100)) {
      const y = row.value(...p);
      row.local.forEach((local, slot) => {
        const got = evaluate(derivativeExpression(name, slot), p, y);
        const want = local(...p, y);
        expect(
          error(got, want),
          `${name}(${p.slice(0, row.arity)}) slot ${slot}: ${got} for ${want}`,
        ).toBeLessThan(1e-12);
      });
    }
  });

  it.each(rows)("%s: and at special points", (name, row) => {
    const wrong: string[] = [];
    for (const p of specialPoints(row)) {
      const y = row.value(...p);
      row.local.forEach((local, slot) => {
        const got = evaluate(derivativeExpression(name, slot), p, y);
        const want = local(...p, y);
        if (error(got, want) > 1e-12 && !EXCEPT[`${name} ${slot}`]?.(p)) {
          wrong.push(`${name}(${p.slice(0, row.arity)}) slot ${slot}: ${got} for ${want}`);
        }
      });
    }
    expect(wrong).toEqual([]);
  });

  it("are right far out, where short forms cancel", () => {
    const tails = [1e-20, 1e-8, 0.1, 1, 5, 12, 18, 20, 36, 37, 40, 100, 300, 700].flatMap((x) => [x, -x]);
    for (const name of [
      "sigmoid",
      "logSigmoid",
      "softplus",
      "silu",
      "tanh",
      "erf",
      "erfc",
      "expm1",
      "asinh",
      "atan",
    ]) {
      const row = primitive(name);
      for (const x of tails) {
        const y = row.value(x, 0, 0);
        const want = row.local[0](x, 0, 0, y);
        if (Math.abs(want) < 1e-300) continue;
        // exp(-x * x) carries the rounding of the square
        expect(error(evaluate(derivativeExpression(name, 0), [x], y), want), `${name}(${x})`).toBeLessThan(
          2e-13,
        );
      }
    }
    for (const name of ["gelu", "geluTanh"]) {
      const row = primitive(name);
      for (const x of [-20, -8, -3, 1e-20, 3, 8, 20]) {
        const y = row.value(x, 0, 0);
        const want = row.local[0](x, 0, 0, y);
        expect(error(evaluate(derivativeExpression(name, 0), [x], y), want), `${name}(${x})`).toBeLessThan(
          1e-12,
        );
      }
    }
  });

  it("are read once, and refuse a slot that is none", () => {
    expect(derivativeExpression("pow", 1)).toBe(derivativeExpression("pow", 1));
    expect(() => derivativeExpression("pow", 2)).toThrow('primitive "pow" has no slot 2');
    expect(() => derivativeExpression("sine", 0)).toThrow('no primitive named "sine"');
  });

  it("name only operands the primitive has, and are small", () => {
    const walk = (x: Expression, arity: number): number => {
      if (x.kind === "operand") expect(x.slot).toBeLessThan(arity);
      if (x.kind === "apply") return 1 + x.args.reduce((sum, arg) => sum + walk(arg, arity), 0);
      if (x.kind === "if") return 1 + walk(x.yes, arity) + walk(x.no, arity);
      return 1;
    };
    for (const row of primitives)
      for (let slot = 0; slot < row.arity; slot++)
        expect(walk(derivativeExpression(row.name, slot), row.arity), row.name).toBeLessThan(60);
  });
});
