/** The sweeps in WebAssembly: made from the sources as they are, and to the bit what the generated JavaScript gives. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { recording, type Recording } from "../../../engine/recording/create.js";
import { OwnRecording } from "../../../engine/recording/generated.js";
import { forceNative } from "../../../engine/recording/native.js";
import { sourceDigest } from "../../../scripts/kernels.mjs";
import { fast } from "./programs.js";

afterEach(() => forceNative(null));

/** A recording with memory that WebAssembly reaches: a small one of its own, where the fast memory is taken, begins without. */
const inBlock = (): Recording => recording({ capacity: 1 << 11 });

/** A long program of the rows that both do, of those that JavaScript does for the other, of constants, and of dead ends. */
function long(t: Recording, nodes: number, seed: number): number {
  t.reset();
  const handles = [t.input(0.3), t.input(-0.7), t.input(1.1), t.constant(0.4), t.constant(0)];
  let state = seed;
  const draw = (n: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
  const near = (): number => handles[Math.max(0, handles.length - 1 - draw(draw(20) === 0 ? 4_000 : 6))];
  while (handles.length < nodes) {
    const [a, b] = [near(), near()];
    const sum = t.add(a, b);
    const bounded = t.sin(sum);
    handles.push(
      [
        () => t.mul(bounded, b),
        () => t.sub(bounded, a),
        () => t.tanh(bounded),
        () => t.exp(t.neg(t.square(bounded))),
        () => t.max(bounded, b),
        () => t.clip(bounded, handles[3], b),
        () => t.sigmoid(a),
        () => t.div(bounded, t.add(t.square(a), t.constant(1))),
        () => t.cos(a),
        () => t.erf(bounded),
        // the newest value and the one before it, either way round
        () => t.mul(bounded, sum),
        () => t.add(sum, bounded),
      ][draw(12)](),
    );
  }
  return handles[handles.length - 1];
}

/** All that a sweep writes, after a replay; what that leaves out stays as other inputs had it. */
function swept(t: Recording, output: number, inputs: readonly number[], native: boolean): number[] {
  forceNative(false);
  t.replay(inputs.map((x) => 0.5 - x));
  forceNative(native);
  t.replay(inputs);
  t.sweep([output, output - 3], [1, 0.5]);
  const out: number[] = [];
  for (let v = 0; v < t.length; v++) out.push(t.value(v), t.cotangent(v), ...t.handedOn(v));
  return out;
}

describe("the sweeps in WebAssembly", () => {
  it("were made from the sources as they are (node scripts/kernels.mjs --check compiles them)", () => {
    const text = readFileSync(resolve(import.meta.dirname, "../../../engine/recording/binary.ts"), "utf8");
    expect(text).toContain(`sources ${sourceDigest("engine/recording")}`);
  });

  for (const [kind, t] of [
    ["fast", fast],
    ["own", new OwnRecording(1 << 20, 1 << 11) as Recording],
  ] as const) {
    it(`give what JavaScript gives over more nodes than a call takes (${kind})`, () => {
      for (const seed of [1, 7]) {
        const output = long(t, 20_000, seed);
        const expected = swept(t, output, [0.2, -0.9, 1.3], false);
        expect(swept(t, output, [0.2, -0.9, 1.3], true)).toEqual(expected);
      }
    });
  }

  it("have the sine and cosine of Math, to the bit", () => {
    const t = inBlock();
    const x = t.input(0);
    const s = t.sin(x);
    const c = t.cos(x);
    forceNative(true);
    const turns = fc
      .tuple(fc.integer({ min: -600_000, max: 600_000 }), fc.double({ min: -1e-7, max: 1e-7, noNaN: true }))
      .map(([n, off]) => n * (Math.PI / 2) + off);
    fc.assert(
      fc.property(fc.oneof(fc.double(), fc.double({ min: -4, max: 4 }), turns), (angle) => {
        t.replay([angle]);
        expect(t.value(s)).toBe(Math.sin(angle));
        expect(t.value(c)).toBe(Math.cos(angle));
        expect([...t.gradient(s)]).toEqual([Math.cos(angle) + 0]);
      }),
      { numRuns: 3_000 },
    );
  });

  it("hand 0 to the divisor of a quotient that is 0, where the way there overflows", () => {
    for (const native of [false, true]) {
      forceNative(native);
      const t = inBlock();
      const q = t.div(t.input(0), t.input(5e-324));
      expect([...t.gradient(q)]).toEqual([Infinity, 0]);
      expect(t.handedOn(q)).toEqual([Infinity, 0]);
    }
  });

  it("leave what is wrong in a recording to JavaScript, which says so", () => {
    forceNative(true);
    const t = inBlock();
    const x = t.input(2);
    const y = t.decide(x, ">", t.constant(1)) ? t.floorMod(x, t.constant(1.5)) : x;
    expect(() => t.replay([0.5])).toThrow("replay: at these inputs 0.5 > 1 is false");
    t.replay([4]);
    expect(t.value(y)).toBe(1);
  });
});

describe("a node on no path to the output", () => {
  it("is told from one at which nothing but -0 arrives", () => {
    for (const native of [false, true]) {
      forceNative(native);
      const t = inBlock();
      const x = t.input(0);
      const dead = t.exp(t.mul(x, t.constant(Infinity)));
      const reached = t.mul(x, t.constant(1));
      const y = t.mul(reached, t.constant(-0));
      expect([...t.gradient(y)]).toEqual([0]);
      expect(t.handedOn(y)).toEqual([-0, 0]);
      expect(t.contributions(reached)).toEqual([{ from: y, slot: 0, value: -0 }]);
      expect(t.contributions(x)).toEqual([{ from: reached, slot: 0, value: 0 }]);
      expect(t.cotangent(dead)).toBe(0);
      expect(t.handedOn(dead)).toEqual([0]);
    }
  });
});

describe("sites", () => {
  it("are those that nodes were given, in runs and one by one, after growth too", () => {
    for (const t of [inBlock(), new OwnRecording(1 << 20, 1) as Recording]) {
      const wanted: number[] = [];
      const note = (site: number): void => void wanted.push(site);
      t.at(4);
      const x = t.input(1);
      note(4);
      let s = x;
      for (let i = 0; i < 3_000; i++) {
        if (i % 700 === 0) t.at(10 + i);
        s = t.add(s, x);
        note(10 + Math.floor(i / 700) * 700);
        if (i % 50 === 0) {
          t.append(0, s, x, t.value(s) + 1, 5);
          note(5);
        }
      }
      t.at(6);
      t.inputs([1, 2]);
      note(6);
      note(6);
      t.mul(s, x);
      note(6);
      const { tape } = t;
      const found = wanted.map((_, v) => tape.segments[v >> 16].site[v & 0xffff]);
      expect(found).toEqual(wanted);
    }
  });
});
