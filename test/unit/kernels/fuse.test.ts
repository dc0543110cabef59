import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Op, kernels, type Fused, type FusedProgram, type OpCode } from "../../../engine/kernels/kernels.js";
import { arity } from "../../../engine/kernels/codes.js";
import { chainCode, encodable } from "../../../engine/kernels/chain-code.js";
import { nativeKernels } from "../../../engine/kernels/instance.js";
import { plan } from "../../../engine/kernels/fuse.js";
import { arena, fill, formats, lengths, numbers, same } from "./helpers.js";

const codes = Object.values(Op);
const { WebAssembly } = globalThis as unknown as { WebAssembly: { validate(code: Uint8Array): boolean } };

/** A random program over a few values: every operation can occur, inputs and constants can be outputs. */
const programs = fc
  .record({
    inputs: fc.integer({ min: 1, max: 3 }),
    constants: fc.array(fc.constantFrom(0, -0, 0.5, 3, NaN, Infinity), { maxLength: 2 }),
    scalars: fc.nat(2),
    draws: fc.array(fc.tuple(fc.constantFrom(...codes), fc.nat(), fc.nat(), fc.nat()), { maxLength: 14 }),
    outputs: fc.array(fc.nat(), { maxLength: 3 }),
    sums: fc.array(fc.nat(), { maxLength: 2 }),
  })
  .map(({ inputs, constants, scalars, draws, outputs, sums }): FusedProgram => {
    const first = inputs + constants.length + scalars;
    // mostly sums and products of recent values, so that chains are deep and products are merged
    const steps = draws.map(([op, a, b, c], i): [number, number, number, number] => {
      const pick = (x: number): number =>
        x % 3 === 0 ? x % (first + i) : Math.max(0, first + i - 1 - (x % 3));
      return [op % 5 === 0 ? Op.mul : op, pick(a), pick(b), pick(c)];
    });
    const value = (x: number): number => x % (first + steps.length);
    return { inputs, constants, scalars, steps, outputs: outputs.map(value), sums: sums.map(value) };
  });

describe.each(formats)("fused chains, $format", ({ wasm, javascript, inArena, ordinary, round }) => {
  let mark = 0;
  beforeEach(() => {
    mark = arena.mark();
    arena.poison = true;
  });
  afterEach(() => {
    arena.poison = false;
    arena.release(mark);
  });

  /** The program by the single kernels of JavaScript, one after the other. */
  const separately = (
    program: FusedProgram,
    inputs: number[][],
    scalars: number[],
    n: number,
  ): { outputs: Float64Array[]; sums: number[] } => {
    const values = inputs.map((input) => ordinary(input));
    for (const x of [...(program.constants ?? []), ...scalars]) values.push(ordinary(fill(n, () => x)));
    for (const [op, a, b = 0, c = 0] of program.steps) {
      const out = ordinary(fill(n, () => 0));
      const product = ordinary(out);
      if (arity(op) === 1) javascript.unary(op as OpCode, out, values[a]);
      else if (arity(op) === 2) javascript.binary(op as OpCode, out, values[a], values[b]);
      else if (op === Op.select) javascript.select(out, values[a], values[b], values[c]);
      else {
        javascript.binary(Op.mul, product, values[a], values[b]);
        if (op === Op.mulAdd) javascript.binary(Op.add, out, product, values[c]);
        else if (op === Op.mulSub) javascript.binary(Op.sub, out, product, values[c]);
        else javascript.binary(Op.sub, out, values[c], product);
      }
      values.push(out);
    }
    return {
      outputs: program.outputs.map((value) => values[value]),
      sums: (program.sums ?? []).map((value) => javascript.sum(values[value])),
    };
  };

  it("give what the single kernels give, in both builds, on any arrays", () => {
    fc.assert(
      fc.property(programs, fc.constantFrom(...lengths), fc.nat(), (program, n, seed) => {
        const draw = numbers(seed);
        const inputs = fill(program.inputs, () => 0).map(() => fill(n, draw));
        const scalars = fill(program.scalars ?? 0, draw).map(round);
        const expected = separately(program, inputs, scalars, n);
        for (const [build, make] of [
          [wasm, inArena],
          [javascript, inArena],
          [wasm, ordinary],
        ] as const) {
          const chain = build.fuse(program);
          for (let again = 0; again < 4; again++) {
            if (again === 2) chain.compile();
            const outputs = program.outputs.map(() => make(fill(n, () => 5)));
            chain.run(inputs.map(make), outputs, scalars);
            outputs.forEach((out, i) => same(out, expected.outputs[i], `output ${i} ${build.backend} ${n}`));
            same(chain.sums, expected.sums, `sums ${build.backend} ${n}`);
          }
        }
      }),
      { numRuns: 150 },
    );
  });

  it("may write over its own inputs", () => {
    fc.assert(
      fc.property(programs, fc.constantFrom(3, 256, 700), fc.nat(), (program, n, seed) => {
        const draw = numbers(seed);
        const inputs = fill(program.inputs, () => 0).map(() => fill(n, draw));
        const scalars = fill(program.scalars ?? 0, draw).map(round);
        const expected = separately(program, inputs, scalars, n);
        for (const [build, make] of [
          [wasm, inArena],
          [javascript, ordinary],
        ] as const) {
          const chain = build.fuse(program);
          for (let again = 0; again < 2; again++) {
            if (again === 1) chain.compile();
            const arrays = inputs.map(make);
            const outputs = program.outputs.map((_, i) => arrays[i] ?? make(fill(n, () => 5)));
            chain.run(arrays, outputs, scalars);
            outputs.forEach((out, i) => same(out, expected.outputs[i], `output ${i} ${build.backend}`));
            same(chain.sums, expected.sums, `sums ${build.backend}`);
          }
        }
      }),
      { numRuns: 100 },
    );
  });

  it("two chains in turn do not see each other's constants", () => {
    const x = inArena(fill(600, () => 2));
    const out = inArena(x);
    const chains = [3, 5].map((c) =>
      wasm.fuse({ inputs: 1, constants: [c], steps: [[Op.mul, 0, 1]], outputs: [2] }),
    );
    for (let turn = 0; turn < 6; turn++) {
      chains[turn % 2].run([x], [out]);
      same(
        out,
        fill(600, () => (turn % 2 ? 10 : 6)),
      );
      // from here on one has code of its own, which writes where the other keeps its constant
      if (turn === 1) chains[0].compile();
    }
  });

  it("one too large for the memory's regions runs all the same", () => {
    const inputs = 1;
    const constants = fill(600, () => 1);
    const steps = constants.map((_, i): [number, number, number] => [Op.add, i === 0 ? 0 : 600 + i, 1 + i]);
    const out = inArena(fill(10, () => 0));
    wasm.fuse({ inputs, constants, steps, outputs: [1200] }).run([inArena(fill(10, () => 1))], [out]);
    same(
      out,
      fill(10, () => 601),
    );
  });

  it("refuses programs and arrays that do not fit", () => {
    expect(() => wasm.fuse({ inputs: 1, steps: [[Op.add, 0, 1]], outputs: [1] })).toThrow(
      /reads value 1, of 1 known/,
    );
    expect(() => wasm.fuse({ inputs: 1, steps: [[Op.add, 0]], outputs: [1] })).toThrow(/add takes 2 values/);
    expect(() => wasm.fuse({ inputs: 1, steps: [[999, 0]], outputs: [1] })).toThrow(
      /operation 999 is not known/,
    );
    const chain = wasm.fuse({ inputs: 1, steps: [[Op.neg, 0]], outputs: [1, 1] });
    const a = inArena([1, 2]);
    expect(() => chain.run([a], [a])).toThrow(/1 outputs/);
    expect(() => chain.run([a], [a, a])).toThrow(/one array for two outputs/);
    expect(() => chain.run([a], [inArena([1]), a])).toThrow(/arrays of 2 and 1 elements/);
  });
});

describe.each(formats)("code made for a chain, $format", ({ inArena, round }) => {
  it("is there for every operation that WebAssembly has, and is used", () => {
    const size = round === Math.fround ? 4 : 8;
    for (const op of codes) {
      const steps: [number, number, number, number][] = [[op, 0, 1, 2]];
      const chain = plan({ inputs: 3, steps, outputs: [3], sums: [3] });
      expect(encodable(chain)).toBe(op < Op.exp);
      if (op < Op.exp) expect(WebAssembly.validate(chainCode(chain, size))).toBe(true);
    }
    const native = nativeKernels()!;
    const compile = vi.spyOn(native, "compile");
    const x = inArena(new Float64Array(100_000));
    const build = kernels();
    const program: FusedProgram = { inputs: 1, steps: [[Op.neg, 0]], outputs: [1] };
    const chain = build[size === 8 ? "f64" : "f32"].fuse(program) as Fused<Float64Array>;
    for (let i = 0; i < 30; i++) {
      expect(compile).not.toHaveBeenCalled();
      chain.run([x], [x]);
    }
    for (let i = 0; i < 3; i++) chain.run([x], [x]);
    expect(compile.mock.results.map(({ value }) => typeof value)).toEqual(["function"]);
    compile.mockRestore();
  });
});

describe("planning", () => {
  it("merges products, drops dead steps and writes the last result in place", () => {
    const chain = plan({
      inputs: 2,
      constants: [3],
      steps: [
        [Op.mul, 0, 1],
        [Op.exp, 1],
        [Op.add, 3, 2],
        [Op.mul, 5, 5],
      ],
      outputs: [6],
    });
    expect([...chain.instructions].filter((_, i) => i % 5 === 0)).toEqual([Op.mulAdd, Op.mul]);
    expect(chain.temporaries).toBe(1);
    expect(chain.instructions[6]).toBe(3);
  });

  it("gives a long chain few temporaries", () => {
    const steps = fill(200, () => 0).map((_, i): [number, number] => [Op.neg, i]);
    expect(plan({ inputs: 1, steps, outputs: [200] }).temporaries).toBe(1);
  });
});
