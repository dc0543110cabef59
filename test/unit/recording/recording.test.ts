import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { contribution, primitives } from "../../../engine/ops/table.js";
import { recording, release, type Recording } from "../../../engine/recording/create.js";
import { forceNative } from "../../../engine/recording/native.js";
import { OwnRecording } from "../../../engine/recording/generated.js";
import { fast, ordinary, own, programs, record } from "./programs.js";

/** Where a recording stands, and what sweeps over it. */
const kinds: [string, Recording, boolean][] = [
  ["fast, JavaScript", fast, false],
  ["fast, WebAssembly", fast, true],
  ["own, JavaScript", own, false],
  ["own, WebAssembly", own, true],
];

afterEach(() => forceNative(null));

describe("the generated operations", () => {
  it("are what the table gives today", () => {
    const root = resolve(import.meta.dirname, "../../..");
    execFileSync(process.execPath, ["scripts/generate-recording.mjs", "--check"], { cwd: root });
  });

  const number = fc.oneof(
    fc.double(),
    fc.double({ min: -4, max: 4 }),
    fc.constantFrom(0, -0, 1, -1, 0.5, 2, Infinity, -Infinity, NaN, 5e-324),
  );

  for (const [kind, t, native] of kinds) {
    for (const row of primitives) {
      it(`${row.name} computes and hands on what its row does, to the bit (${kind})`, () => {
        forceNative(native);
        fc.assert(
          fc.property(fc.tuple(number, number, number), number, fc.nat(6), (operands, g, constants) => {
            t.reset();
            const given = operands.slice(0, row.arity);
            // some of the operands are constants, the first is a node
            const handles = given.map((x, i) => (i > 0 && constants & (1 << i) ? t.constant(x) : t.input(x)));
            const node = t.apply(row.name, ...handles);
            const [a, b = 0, c = 0] = given;
            const y = row.value(a, b, c);
            expect(t.value(node)).toBe(y);
            t.sweep(node, g);
            // a seed of -0 is 0 by the time it has arrived
            const seed = g + 0;
            expect(t.handedOn(node)).toEqual(
              handles.map((x, slot) => (x < 0 ? 0 : contribution(row, slot, seed, a, b, c, y))),
            );
            // computed anew, it is the same
            t.replay(given.filter((_, i) => handles[i] >= 0));
            expect(t.value(node)).toBe(y);
          }),
          { numRuns: 60 },
        );
      });
    }
  }
});

describe("a recording", () => {
  for (const [kind, t, native] of kinds) {
    it(`gives the ordinary engine's cotangents and contributions to the bit (${kind})`, () => {
      forceNative(native);
      fc.assert(
        fc.property(programs, (program) => {
          t.reset();
          const outputs = record(t, program);
          const expected = ordinary(t, outputs);
          const gradient = t.gradient(outputs);
          for (let v = 0; v < t.length; v++) {
            expect(t.cotangent(v)).toBe(expected.cotangent[v]);
            expect(t.handedOn(v)).toEqual(expected.contributions(v));
            const sum = t.contributions(v).reduce((total, { value }) => total + value, 0);
            const seed = outputs.filter((x) => x === v).length;
            if (seed === 0) expect(sum).toBe(expected.cotangent[v]);
          }
          expect([...gradient]).toEqual([...expected.cotangent.subarray(0, program.inputs.length)]);
        }),
        { numRuns: 200 },
      );
    });
  }

  it("is a tape of the ordinary engine, constants and operands of three in their places", () => {
    const t = recording();
    const x = t.input(0.5);
    const y = t.clip(x, t.constant(-1), t.constant(1));
    const z = t.where(y, t.mul(x, t.constant(3)), x);
    const expected = ordinary(t, [z]);
    expect(t.gradient(z)[0]).toBe(3);
    expect(expected.cotangent[x]).toBe(3);
  });

  it("grows in memory of its own, and moves out of the fast memory when told to", () => {
    for (const make of [() => new OwnRecording(1 << 20, 1) as Recording, () => recording()]) {
      const t = make();
      const half = t.constant(0.5);
      const x = t.input(1);
      let s = x;
      for (let i = 0; i < 3_000; i++) {
        s = t.add(s, t.mul(x, i % 2 === 0 ? half : t.constant(i)));
        if (i === 1_500) release(t);
      }
      let expected = 1;
      for (let i = 0; i < 3_000; i++) expected += i % 2 === 0 ? 0.5 : i;
      expect(t.value(s)).toBe(expected);
      expect([...t.gradient(s)]).toEqual([expected]);
      expect(t.value(half)).toBe(0.5);
    }
  });

  it("lives beside others", () => {
    const one = recording();
    const two = recording();
    const a = one.input(2);
    const b = two.input(3);
    const p = one.mul(a, a);
    const q = two.exp(two.mul(b, b));
    expect([...one.gradient(p)]).toEqual([4]);
    expect([...two.gradient(q)]).toEqual([6 * Math.exp(9)]);
    expect(one.value(p)).toBe(4);
  });

  it("takes inputs in bulk, and gives the gradient in their order", () => {
    const t = recording();
    const first = t.inputs(Float64Array.of(1, 2, 3));
    const y = t.mul(first + 1, first + 2);
    const late = t.input(7);
    expect([...t.gradient(t.mul(y, late))]).toEqual([0, 21, 14, 6]);
    expect([...t.gradient(y)]).toEqual([0, 3, 2, 0]);
    expect([...t.gradient([y, y], [1, 10])]).toEqual([0, 33, 22, 0]);
    expect([...t.gradient(t.constant(2))]).toEqual([0, 0, 0, 0]);
  });

  it("makes room for inputs in bulk", () => {
    const t = new OwnRecording(1 << 20, 1);
    const half = t.constant(0.5);
    const first = t.inputs(new Float64Array(5_000).fill(3));
    expect(t.length).toBe(5_000);
    expect(t.value(first + 4_999)).toBe(3);
    expect(t.gradient(t.mul(first + 4_999, half))[4_999]).toBe(0.5);
    expect(t.inputs([])).toBe(5_001);
  });

  it("computes anew for other inputs, and refuses where a decision falls otherwise", () => {
    const t = recording();
    const x = t.input(3);
    const y = t.decide(x, ">", t.constant(0)) ? t.mul(x, x) : t.neg(x);
    t.replay([5]);
    expect(t.value(y)).toBe(25);
    expect([...t.gradient(y)]).toEqual([10]);
    expect(() => t.replay([-1])).toThrow(
      "replay: at these inputs -1 > 0 is false, recorded as true; record anew",
    );
    expect(() => t.value(y)).toThrow("record anew");
    expect(() => t.gradient(y)).toThrow("record anew");
    expect(() => t.replay([1, 2])).toThrow("replay: 1 inputs, 2 values given");
    t.replay([2]);
    expect([...t.gradient(y)]).toEqual([4]);
  });
});

describe("a replayer", () => {
  it("gives value and gradient of the recorded program at other inputs", () => {
    fc.assert(
      fc.property(
        programs,
        fc.array(fc.double({ min: -2, max: 2, noNaN: true }), { minLength: 4 }),
        (program, other) => {
          fast.reset();
          const [output] = record(fast, program);
          const replayer = fast.replayer(output);
          const inputs = program.inputs.map((_, i) => other[i]);
          const { value, gradient } = replayer.run(inputs);
          fast.replay(inputs);
          expect(value).toBe(fast.value(output));
          expect([...gradient]).toEqual([...fast.gradient(output)]);
          replayer.free();
        },
      ),
      { numRuns: 300 },
    );
  });

  it("refuses where a decision falls otherwise, and the wrong number of inputs", () => {
    const t = recording();
    const x = t.input(3);
    const y = t.decide(x, "<=", t.constant(3)) ? t.mul(x, x) : x;
    const replayer = t.replayer(y);
    t.reset();
    expect(replayer.run([2])).toEqual({ value: 4, gradient: Float64Array.of(4) });
    expect(() => replayer.run([4])).toThrow(
      "replay: at these inputs 4 <= 3 is false, recorded as true; record anew",
    );
    expect(() => replayer.run([])).toThrow("replay: 1 inputs, 0 values given");
    expect(replayer.run([1]).value).toBe(1);
    replayer.free();
  });
});

describe("bad handles", () => {
  for (const [kind, make] of [
    ["fast", () => recording()],
    ["own", () => new OwnRecording(1 << 20, 1) as Recording],
  ] as const) {
    it(`are refused by name (${kind})`, () => {
      const t = make();
      t.reset();
      const x = t.input(1);
      const c = t.constant(2);
      for (const bad of [1, 7, 0.5, -2, -0.5, NaN, Infinity, undefined, null, "0", {}] as number[]) {
        expect(() => t.add(x, bad)).toThrow("add: ");
        expect(() => t.add(bad, c)).toThrow("add: ");
        expect(() => t.exp(bad)).toThrow("exp: ");
        expect(() => t.clip(x, bad, c)).toThrow("clip: ");
        expect(() => t.value(bad)).toThrow("value: ");
        expect(() => t.sweep(bad as number)).toThrow();
        expect(() => t.decide(x, "<", bad)).toThrow("value: ");
      }
      expect(t.length).toBe(1);
      expect(() => t.add(x, 7)).toThrow(
        "add: there is no node 7; handles are what input, constant and the operations of this recording gave",
      );
      t.reset();
      expect(() => t.exp(x)).toThrow("exp: there is no node 0");
      expect(() => t.exp(c)).toThrow("exp: there is no node -1");
    });
  }

  it("and what else is wrong has a message", () => {
    const t = recording();
    expect(() => t.cotangent(t.input(1))).toThrow("cotangent: there was no sweep yet");
    expect(() => t.constant("1" as never)).toThrow("constant: 1 is no number");
    expect(() => t.input(undefined as never)).toThrow("input: undefined is no number");
    expect(() => t.inputs([1, "2"] as never)).toThrow("inputs: 2 is no number");
    expect(() => t.apply("nothing", 0)).toThrow('there is no primitive "nothing"');
    expect(() => t.apply("add", 0)).toThrow("add takes 2 operands, 1 given");
    expect(() => t.sweep([0], [1, 2])).toThrow("sweep: 1 outputs, 2 cotangents");
    expect(() => recording({ capacity: 0 })).toThrow("capacity must be a positive integer");
    const small = recording({ limit: 1_500 });
    const fill = (): void => {
      for (;;) small.input(1);
    };
    expect(fill).toThrow("the recording has reached its limit of 2,048 nodes and constants");
  });
});
