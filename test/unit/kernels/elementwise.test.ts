import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Op, type OpCode } from "../../../engine/kernels/kernels.js";
import { primitive } from "../../../engine/ops/table.js";
import { arena, bothBuilds, fill, formats, hard, lengths, numbers, same } from "./helpers.js";

const binaries: Record<string, (a: number, b: number) => number> = {
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: (a, b) => a * b,
  div: (a, b) => a / b,
  min: Math.min,
  max: Math.max,
  greater: (a, b) => (a > b ? 1 : 0),
  greaterEqual: (a, b) => (a >= b ? 1 : 0),
  equal: (a, b) => (a === b ? 1 : 0),
};
const unaries: Record<string, (a: number) => number> = {
  neg: (a) => -a,
  abs: Math.abs,
  sqrt: Math.sqrt,
  square: (a) => a * a,
  copy: (a) => a,
  reciprocal: (a) => 1 / a,
  floor: Math.floor,
  ceil: Math.ceil,
  trunc: Math.trunc,
  sign: Math.sign,
  relu: (a) => Math.max(a, 0),
  step: (a) => (a > 0 ? 1 : a <= 0 ? 0 : NaN),
};
const functions = Object.keys(Op).filter((name) => Op[name as keyof typeof Op] >= Op.exp);
const code = (name: string): OpCode => Op[name as keyof typeof Op];

describe.each(formats)("element-wise kernels, $format", ({ wasm, javascript, inArena, ordinary, round }) => {
  let mark = 0;
  beforeEach(() => {
    mark = arena.mark();
    arena.poison = true;
  });
  afterEach(() => {
    arena.poison = false;
    arena.release(mark);
  });

  it("has both builds", bothBuilds);

  it.each(Object.keys(binaries))(
    "%s: both builds and the plain loop agree on every pair of hard numbers",
    (name) => {
      const a = hard.flatMap((x) => hard.map(() => x));
      const b = hard.flatMap(() => hard);
      const expected = a.map((x, i) => round(binaries[name](round(x), round(b[i]))));
      for (const [build, make] of [
        [wasm, inArena],
        [javascript, inArena],
        [wasm, ordinary],
        [javascript, ordinary],
      ] as const) {
        const out = make(a);
        build.binary(code(name), out, make(a), make(b));
        same(out, expected, `${name} ${build.backend}`);
        hard.forEach((s, i) => {
          const row = make(hard);
          build.binaryScalar(code(name), row, make(hard), s);
          same(
            row,
            hard.map((x) => round(binaries[name](round(x), round(s)))),
            `${name} by scalar ${s}`,
          );
          build.scalarBinary(code(name), row, s, make(hard));
          same(row, expected.slice(i * hard.length, (i + 1) * hard.length), `${name} of scalar ${s}`);
        });
      }
    },
  );

  it.each(Object.keys(unaries))(
    "%s: both builds and the plain loop agree on hard numbers and all lengths",
    (name) => {
      const draw = numbers(3, 0.5);
      for (const n of lengths) {
        const values = n < hard.length ? hard.slice(0, n) : [...hard, ...fill(n - hard.length, draw)];
        const expected = values.map((x) => round(unaries[name](round(x))));
        for (const build of [wasm, javascript]) {
          const out = inArena(values);
          build.unary(code(name), out, out);
          same(out, expected, `${name} ${build.backend} ${n}`);
        }
      }
    },
  );

  it.each(functions)("%s is the primitive of that name, rounded once", (name) => {
    const draw = numbers(5, 0.3);
    const values = [...hard, ...fill(100, draw)];
    const { value } = primitive(name);
    const out = inArena(values);
    wasm.unary(code(name), out, inArena(values));
    same(
      out,
      values.map((x) => round(value(round(x), 0, 0))),
      name,
    );
    wasm.map((x) => value(x, 0, 0), out, inArena(values));
    same(
      out,
      values.map((x) => round(value(round(x), 0, 0))),
      name,
    );
  });

  it("binary operations agree for all lengths, at odd places, and in place", () => {
    const draw = numbers(1);
    for (const n of lengths) {
      for (const shift of [0, 1, 2, 3]) {
        const values = fill(n + shift, draw);
        const others = fill(n + shift, draw);
        for (const op of Object.keys(binaries)) {
          const a = inArena(values).subarray(shift);
          const b = inArena(others).subarray(shift);
          const out = inArena(values).subarray(shift);
          const expected = ordinary(values).subarray(shift);
          javascript.binary(
            code(op),
            expected,
            ordinary(values).subarray(shift),
            ordinary(others).subarray(shift),
          );
          wasm.binary(code(op), out, a, b);
          same(out, expected, `${op} ${n}+${shift}`);
          wasm.binary(code(op), a, a, b);
          same(a, expected, `${op} in place ${n}+${shift}`);
        }
      }
    }
  });

  it("does not touch what stands beside the output", () => {
    for (const n of lengths) {
      const all = inArena(fill(n + 2, () => 7));
      wasm.binary(Op.add, all.subarray(1, n + 1), all.subarray(1, n + 1), all.subarray(1, n + 1));
      same(all, [7, ...fill(n, () => 14), 7]);
      wasm.unary(Op.neg, all.subarray(1, n + 1), all.subarray(1, n + 1));
      same(all, [7, ...fill(n, () => -14), 7]);
    }
  });

  it("broadcasts rows, columns, numbers and outer products as the definition says", () => {
    fc.assert(
      fc.property(
        fc.nat(9),
        fc.nat(19),
        fc.constantFrom([1, 1], [0, 1], [1, 0], [0, 0]),
        fc.constantFrom([1, 1], [0, 1], [1, 0], [0, 0]),
        fc.constantFrom(...Object.keys(binaries)),
        fc.nat(),
        (rows, cols, [ar, ac], [br, bc], op, seed) => {
          const draw = numbers(seed);
          // a row of an operand that varies along the columns is as long as the output's; else one number
          const aRow = ar * (ac ? cols : 1);
          const bRow = br * (bc ? cols : 1);
          const a = fill((ar ? rows : 1) * (ac ? cols : 1), draw);
          const b = fill((br ? rows : 1) * (bc ? cols : 1), draw);
          const expected = fill(rows * cols, () => 0).map((_, at) => {
            const i = Math.floor(at / cols);
            const j = at % cols;
            return round(binaries[op](round(a[i * aRow + j * ac]), round(b[i * bRow + j * bc])));
          });
          for (const [build, make] of [
            [wasm, inArena],
            [javascript, inArena],
            [wasm, ordinary],
          ] as const) {
            const out = make(expected.map(() => 0));
            build.binaryRows(code(op), out, make(a), make(b), rows, cols, aRow, ac, bRow, bc);
            same(out, expected, `${op} ${build.backend}`);
          }
        },
      ),
    );
  });

  it("the updating and combined forms round after every operation", () => {
    const draw = numbers(9);
    for (const n of lengths) {
      const [y, g, x, c] = [0, 1, 2, 3].map(() => fill(n, draw).map(round));
      for (const s of [0.1, -0, Infinity, NaN, 3]) {
        const factor = round(s);
        for (const [build, make] of [
          [wasm, inArena],
          [javascript, ordinary],
        ] as const) {
          const run = (expected: number[], act: (out: Float64Array) => void, what: string): void => {
            const out = make(y);
            act(out);
            same(out, expected, `${what} ${build.backend} ${n}`);
          };
          run(
            y.map((v, i) => round(v + x[i])),
            (out) => build.accumulate(out, make(x)),
            "accumulate",
          );
          run(
            y.map((v, i) => round(v + round(factor * x[i]))),
            (out) => build.axpy(out, s, make(x)),
            "axpy",
          );
          run(
            y.map((v, i) => round(v + round(g[i] * x[i]))),
            (out) => build.accumulateProduct(out, make(g), make(x)),
            "accumulateProduct",
          );
          run(
            g.map((v, i) => round(v * round(factor * x[i]))),
            (out) => build.scaledProduct(out, make(g), s, make(x)),
            "scaledProduct",
          );
          run(
            c.map((v, i) => (v ? g[i] : x[i])),
            (out) => build.select(out, make(c), make(g), make(x)),
            "select",
          );
        }
      }
    }
  });

  it("copies, fills and transposes", () => {
    const a = inArena([1, 2, 3, 4, 5, 6]);
    const out = inArena(a);
    wasm.transpose(out, a, 2, 3);
    same(out, [1, 4, 2, 5, 3, 6]);
    wasm.copy(out, a);
    same(out, a);
    wasm.fill(out, -0);
    same(out, [-0, -0, -0, -0, -0, -0]);
  });

  it("refuses lengths and codes that do not fit", () => {
    const three = inArena([1, 2, 3]);
    const two = inArena([1, 2]);
    for (const build of [wasm, javascript]) {
      expect(() => build.binary(Op.add, three, three, two)).toThrow(
        /kernel binary: an array of 2 elements where 3/,
      );
      expect(() => build.unary(Op.neg, two, three)).toThrow(/kernel unary/);
      expect(() => build.accumulate(two, three)).toThrow(/kernel accumulate/);
      expect(() => build.binaryRows(Op.add, three, three, two, 2, 3, 3, 1, 0, 1)).toThrow(
        /kernel binaryRows/,
      );
      expect(() => build.binaryRows(Op.add, three, three, two, 1, 1.5, 3, 1, 0, 1)).toThrow(/not a count/);
      expect(() => build.binary(Op.neg, two, two, two)).toThrow(/neg/);
      expect(() => build.unary(Op.add, two, two)).toThrow(/add/);
    }
  });
});
