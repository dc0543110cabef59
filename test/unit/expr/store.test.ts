/** The store of expressions: equal parts once, simplification that changes no value, sizes, and text that means the same. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { derivativeExpression } from "../../../engine/expr/derivative.js";
import { evaluate } from "../../../engine/expr/evaluate.js";
import { instantiate } from "../../../engine/expr/instantiate.js";
import { LinePlan } from "../../../engine/expr/lines.js";
import { textOf } from "../../../engine/expr/print.js";
import { add, applied, choose, multiply, negate, related, scale } from "../../../engine/expr/simplify.js";
import { EXACT_BITS, reachable, sharedSize, TreeSizes } from "../../../engine/expr/size.js";
import { ExpressionStore, Op } from "../../../engine/expr/store.js";
import { valuesOf } from "../../../engine/expr/values.js";
import { parse } from "../../../engine/expr/parse.js";
import { opcode, primitives } from "../../../engine/ops/table.js";
import { smoothPoints } from "../ops/samples.js";

const MUL = opcode("mul");
const SIN = opcode("sin");

describe("a store", () => {
  it("has every operation and number once, and symbols as often as they are made", () => {
    const s = new ExpressionStore();
    const x = s.symbol("x", 2);
    const y = s.symbol("x", 3);
    expect(y).not.toBe(x);
    expect(s.node(MUL, x, y)).toBe(s.node(MUL, x, y));
    expect(s.node(MUL, x, y)).not.toBe(s.node(MUL, y, x));
    expect(s.number(0)).not.toBe(s.number(-0));
    expect(s.number(NaN)).toBe(s.number(NaN));
    expect(s.opaque("f", [x], 1)).not.toBe(s.opaque("f", [x], 1));
  });

  it("finds them again however many there are", () => {
    const s = new ExpressionStore();
    let at = s.symbol("x", 1);
    const all = [at];
    for (let i = 0; i < 20_000; i++)
      all.push((at = s.node(i % 3 === 0 ? MUL : SIN, at, i % 3 === 0 ? all[i >> 1] : -1)));
    const size = s.size;
    for (let i = 0; i < 20_000; i++) {
      expect(s.node(i % 3 === 0 ? MUL : SIN, all[i], i % 3 === 0 ? all[i >> 1] : -1)).toBe(all[i + 1]);
    }
    expect(s.size).toBe(size);
  });
});

describe("simplification", () => {
  it("leaves out factors 1, terms 0, double signs and operations on numbers", () => {
    const s = new ExpressionStore();
    const x = s.symbol("x", 2);
    const y = s.symbol("y", 3);
    const n = (v: number): number => s.number(v);
    const minus = negate(s, x);
    expect(multiply(s, x, n(1))).toBe(x);
    expect(multiply(s, n(1), x)).toBe(x);
    expect(multiply(s, n(-1), x)).toBe(minus);
    expect(negate(s, minus)).toBe(x);
    expect(add(s, n(0), x)).toBe(x);
    expect(add(s, x, n(-0))).toBe(x);
    expect(add(s, y, minus)).toBe(s.node(opcode("sub"), y, x));
    expect(multiply(s, minus, y)).toBe(negate(s, s.node(MUL, x, y)));
    expect(applied(s, opcode("sub"), [n(0), x])).toBe(minus);
    expect(applied(s, opcode("div"), [x, n(1)])).toBe(x);
    expect(applied(s, opcode("pow"), [x, n(1)])).toBe(x);
    expect(applied(s, opcode("sqrt"), [n(16)])).toBe(n(4));
    expect(related(s, "<", n(1), n(2))).toBe(n(1));
    expect(choose(s, n(NaN), x, y)).toBe(y);
    expect(choose(s, x, y, y)).toBe(y);
  });

  it("drops no factor 0 but that of a contribution", () => {
    const s = new ExpressionStore();
    const x = s.symbol("x", Infinity);
    expect(valuesOf(s)[multiply(s, x, s.number(0))] ?? NaN).toBeNaN();
    expect(s.numberOf(scale(s, x, s.number(0)))).toBe(0);
    // drawn into the branches of a choice, so that the branch not taken makes no NaN
    const test = s.symbol("test", 0);
    const local = choose(s, test, s.symbol("y", 3), s.number(0));
    expect(valuesOf(s).length).toBe(s.size);
    const term = scale(s, x, local);
    expect(valuesOf(s)[term]).toBe(0);
  });

  it("does not look into what is the program's own", () => {
    const s = new ExpressionStore();
    const x = s.symbol("x", 2);
    const minus = s.node(opcode("neg"), x);
    s.frozen = s.size;
    expect(s.opOf(multiply(s, minus, s.symbol("g", 1)))).toBe(MUL);
    // a program may have a chain of signs as long as a tape
    let chain = minus;
    for (let i = 0; i < 50_000; i++) chain = s.node(opcode("neg"), chain);
    s.frozen = s.size;
    expect(s.opOf(multiply(s, chain, x))).toBe(MUL);
  });

  it.each([
    // no operation tells zeros of different sign apart
    ["with zeros", ["add", "sub", "mul", "neg", "sin", "max"], [0, -0, 1, -1, 2, 0.1, -3.7, 1e300, 1e-300]],
    [
      "without zeros",
      ["add", "sub", "mul", "div", "neg", "pow", "exp"],
      [1, -1, 2, 0.1, -3.7, 1e300, 1e-300],
    ],
  ])("gives the same double, but for the sign of a zero: %s", (_name, ops, doubles) => {
    let compared = 0;
    const numbers = fc.constantFrom(...doubles);
    const step = fc.record({ op: fc.constantFrom(...ops), a: fc.nat(30), b: fc.nat(30) });
    fc.assert(
      fc.property(
        fc.array(numbers, { minLength: 2, maxLength: 4 }),
        fc.array(numbers, { maxLength: 4 }),
        fc.array(step, { minLength: 1, maxLength: 25 }),
        (symbols, constants, steps) => {
          const s = new ExpressionStore();
          const plain: number[] = [...symbols, ...constants];
          const ids = [...symbols.map((x, i) => s.symbol(`x${i}`, x)), ...constants.map((x) => s.number(x))];
          for (const { op, a, b } of steps) {
            const row = primitives[opcode(op)];
            const at = [a % plain.length, b % plain.length].slice(0, row.arity);
            plain.push(row.value(plain[at[0]], plain[at[1] ?? 0], 0));
            ids.push(
              applied(
                s,
                opcode(op),
                at.map((i) => ids[i]),
              ),
            );
          }
          const values = valuesOf(s);
          for (let i = 0; i < plain.length; i++) {
            // from a zero on a quotient or a power may be another infinity
            if (ops.includes("div") && plain[i] === 0) break;
            const got = values[ids[i]];
            const want = plain[i];
            expect(got === want || (got !== got && want !== want), `${got} for ${want}`).toBe(true);
            compared++;
          }
        },
      ),
      { numRuns: 1000 },
    );
    expect(compared).toBeGreaterThan(8000);
  });

  it("instantiates every derivative of the table to its value", () => {
    for (const row of primitives) {
      for (const p of smoothPoints(row, 10)) {
        const y = row.value(...p);
        row.local.forEach((_, slot) => {
          const s = new ExpressionStore();
          const operands = p.slice(0, row.arity).map((x, i) => s.symbol(row.operands[i], x));
          const output = s.symbol("y", y);
          const expression = derivativeExpression(row.name, slot);
          const id = instantiate(s, expression, operands, output);
          expect(valuesOf(s)[id] + 0, row.name).toBe(evaluate(expression, p, y) + 0);
        });
      }
    }
  });
});

describe("sizes", () => {
  it("count every part once, and in the tree as often as it stands there", () => {
    const s = new ExpressionStore();
    const x = s.symbol("x", 2);
    const q = s.node(MUL, x, x);
    const r = s.node(MUL, q, q);
    const other = s.node(SIN, x);
    expect(sharedSize(s, [r])).toBe(3);
    expect(sharedSize(s, [r, other])).toBe(4);
    expect(Array.from(reachable(s, [r]))).toEqual([1, 1, 1, 0]);
    const sizes = new TreeSizes(s);
    expect(sizes.of(r).exact).toBe(7n);
    expect(sizes.total([r, other]).exact).toBe(9n);
    expect(sizes.total([]).exact).toBe(0n);
  });

  it("are exact beyond 2^53 and logarithms beyond 2^4096", () => {
    const s = new ExpressionStore();
    let at = s.symbol("x", 1);
    const all = [at];
    for (let i = 0; i < 6000; i++) all.push((at = s.node(MUL, at, at)));
    const sizes = new TreeSizes(s);
    for (const n of [1, 52, 53, 54, 100, 4000]) {
      expect(sizes.of(all[n]).exact).toBe(2n ** BigInt(n + 1) - 1n);
      if (n > 50) expect(sizes.of(all[n]).log10).toBeCloseTo((n + 1) * Math.log10(2), 8);
    }
    expect(sizes.of(all[EXACT_BITS + 5]).exact).toBeNull();
    expect(sizes.of(all[6000]).log10).toBeCloseTo(6001 * Math.log10(2), 6);
    expect(sizes.total([all[6000], all[6000]]).log10).toBeCloseTo(6002 * Math.log10(2), 6);
  });
});

describe("text", () => {
  const s = new ExpressionStore();
  const [a, b] = [s.symbol("a", 1), s.symbol("b", 1)];
  const written = (text: string): string =>
    textOf(s, instantiate(s, parse(text, ["a", "b"]), [a, b], -1), () => null);

  it.each([
    ["a + b + a", "a + b + a"],
    ["a + (b + a)", "a + (b + a)"],
    ["a - (b - a)", "a - (b - a)"],
    ["a * (b * a)", "a * (b * a)"],
    ["a / (b * a)", "a / (b * a)"],
    ["(a + b) * a", "(a + b) * a"],
    ["-(a * b)", "-(a * b)"],
    ["-a * b", "-(a * b)"],
    ["(-a) ** 2", "(-a) ** 2"],
    ["-a ** 2", "-(a ** 2)"],
    ["a ** -2", "a ** -2"],
    ["(a ** 2) ** 3", "(a ** 2) ** 3"],
    ["2 ** a ** b", "2 ** a ** b"],
    ["a + -2", "a + (-2)"],
    ["a * -2", "a * -2"],
    ["a % b", "a % b"],
    ["max(a + b, -a)", "max(a + b, -a)"],
    ["a < b && b < 2 ? a : 3", "a < b && b < 2 ? a : 3"],
    ["a < b ? 1 : a > b ? 2 : 3", "a < b ? 1 : a > b ? 2 : 3"],
    ["a * (a < b ? 1 : 2)", "a * (a < b ? 1 : 2)"],
    ["a ? 1e-7 : 0", "a ? 1e-7 : 0"],
  ])("%s", (text, want) => {
    expect(written(text)).toBe(want);
  });

  it("read again, has the same value for every derivative of the table", () => {
    for (const row of primitives) {
      row.local.forEach((_, slot) => {
        const store = new ExpressionStore();
        const operands = row.operands.map((name) => store.symbol(name, 0));
        const output = store.symbol("y", 0);
        const expression = derivativeExpression(row.name, slot);
        const text = textOf(store, instantiate(store, expression, operands, output), () => null);
        const again = parse(text, row.operands);
        for (const p of smoothPoints(row, 20)) {
          const y = row.value(...p);
          expect(evaluate(again, p, y) + 0, text).toBe(evaluate(expression, p, y) + 0);
        }
      });
    }
  });

  it("is in lines where a part is shared, named or long", () => {
    const store = new ExpressionStore();
    const x = store.symbol("x", 1);
    const named = store.node(SIN, x);
    const shared = store.node(MUL, named, x);
    store.frozen = store.size;
    const top = store.node(MUL, shared, shared);
    let long = top;
    for (let i = 0; i < 14; i++) long = store.node(SIN, long);
    const plan = new LinePlan(store, [long], [shared], new Map([[named, "t1"]]), store.frozen);
    // t1 is taken by the program
    expect(plan.lines(10).map(({ part, name, text }) => `${part}: ${name} = ${text}`)).toEqual([
      "value: t1 = sin(x)",
      "value: s1 = t1 * x",
      "reverse: s2 = sin(sin(sin(sin(sin(sin(s1 * s1))))))",
      "reverse: s3 = sin(sin(sin(sin(sin(sin(sin(s2)))))))",
    ]);
    expect(plan.result(long)).toBe("sin(s3)");
    expect(plan.totals).toEqual({ value: 2, reverse: 2 });
    expect(plan.lines(1).map(({ name }) => name)).toEqual(["t1", "s2"]);
  });

  it("of an atom under a result is the atom", () => {
    const store = new ExpressionStore();
    const x = store.symbol("x", 1);
    const zero = store.number(0);
    const plan = new LinePlan(store, [x, zero], [x], new Map([[x, "x"]]), 0);
    expect([plan.result(x), plan.result(zero), plan.lines(5)]).toEqual(["x", "0", []]);
    expect(store.arity(x)).toBe(0);
    expect(store.opOf(zero)).toBe(Op.number);
  });
});
