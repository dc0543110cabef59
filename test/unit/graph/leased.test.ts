/** Recordings in the fast memory: whatever makes them move to the tape, gradients and Hessian products stay what they are. */
import { describe, expect, it } from "vitest";
import * as B from "../../../engine/index.js";
import { run, subjectOf } from "../../../engine/graph/complete.js";
import type { GraphDefinition } from "../../../engine/graph/definition.js";
import { leanRoom } from "../../../engine/graph/lean-room.js";
import { recordLeased } from "../../../engine/graph/leased.js";
import type { Subject } from "../../../engine/graph/record.js";
import { sweptGradient } from "../../../engine/graph/swept.js";
import { FAST_CAPACITY, LIMIT, recording, release } from "../../../engine/recording/create.js";

const { add, clip, custom, exp, gradient, graph, hvp, mul, sin, stopGradient, where } = B;

/** The gradient as a complete run with a trace reports it, in tape order. */
const complete = (graph: unknown): unknown =>
  run(graph as GraphDefinition, { order: "tape" }).report.gradient;

/** A user's own operation: x^3, with a rule. */
const cube = custom({ forward: (x) => x * x * x, vjp: (g, _y, x) => [mul(g, mul(3, mul(x, x)))] });

/** Something in the middle of a graph that the fast memory cannot hold, or can. */
const middles: readonly [string, (x: number) => number][] = [
  ["nothing", (x) => x],
  ["a primitive of three operands", (x) => clip(x, -10, 10)],
  ["a choice", (x) => where(x, x, 0) as unknown as number],
  ["a user's own operation", (x) => cube(x)],
  ["a cut", (x) => add(x, stopGradient(x))],
  ["a nested gradient", (x) => gradient((t: number) => mul(t, sin(t)), x) as unknown as number],
  [
    "a recording of the program's own",
    (x) => {
      const t = recording();
      const a = t.input(3);
      const y = t.mul(a, a);
      expect([...t.gradient(y)]).toEqual([6]);
      const slope = t.cotangent(a);
      // where nothing else had it, it has the fast memory until it is collected
      release(t);
      return mul(x, slope);
    },
  ],
];

describe("a recording in the fast memory", () => {
  for (const [what, middle] of middles) {
    it(`goes on behind ${what}`, () => {
      const graphOf = graph({ x: 0.5, y: [1.5, -2] }, ({ x, y }) => {
        const before = mul(exp(x), y[0]);
        const after = middle(before);
        return add(mul(after, y[1]), sin(mul(after, before)));
      });
      const found = gradient(graphOf);
      expect(found).toEqual(complete(graphOf));
      // the next one finds the memory free, and clean
      expect(gradient(graphOf)).toEqual(found);
      const h = 1e-5;
      const at = (x: number): { x: number; y: number[] } => gradient(graphOf, { x }) as never;
      const slope = (at(0.5 + h).x - at(0.5 - h).x) / (2 * h);
      const { hvp: product } = hvp(graphOf, { x: 1 }) as unknown as { hvp: { x: number } };
      if (what !== "a cut") expect(Math.abs(product.x - slope)).toBeLessThan(1e-4 * (1 + Math.abs(slope)));
    });
  }

  /** A chain of additions, and what records it under a memory limit. */
  const chainOf = (length: number): GraphDefinition =>
    graph({ x: 1, y: 2 }, ({ x, y }) => {
      let s = x;
      for (let i = 0; i < length; i++) s = add(s, 1);
      return mul(s, y);
    }) as unknown as GraphDefinition;
  const limited = (definition: GraphDefinition, limitBytes: number): Subject => {
    const subject = subjectOf(definition, undefined);
    return { ...subject, context: { ...subject.context, limitBytes } };
  };

  it("grows where more nodes come than the fast memory holds", () => {
    // with a constant each: more than it holds of both
    const length = FAST_CAPACITY / 2 + 5;
    const chain = chainOf(length);
    const leased = recordLeased(subjectOf(chain, undefined), false);
    expect(leased.recorded.recorder.lean).not.toBeNull();
    const { node } = leased.recorded.outputs[0];
    leased.swept((t) => {
      expect([...t.gradient(node)]).toEqual([2, length + 1]);
      expect([...t.hvp(node, [1, 0]).product]).toEqual([0, 1]);
    });
    leased.done();
    // the fast memory is the next one's
    const free = recordLeased(subjectOf(chainOf(3), undefined), false);
    expect(free.recorded.recorder.lean!.length).toBe(6);
    free.done();
  });

  it("grows where more nodes alone come than the fast memory holds", () => {
    // s <- s x + y from s = 1 at x = 1, y = 2: s_k = 1 + 2 k, all of it in whole numbers
    const turns = FAST_CAPACITY / 2 + 3;
    const chain = graph({ x: 1, y: 2 }, ({ x, y }) => {
      let s = x;
      for (let i = 0; i < turns; i++) s = add(mul(s, x), y);
      return s;
    }) as unknown as GraphDefinition;
    const leased = recordLeased(subjectOf(chain, undefined), false);
    const { lean } = leased.recorded.recorder;
    expect(lean!.length).toBe(2 * turns + 2);
    const { node, value } = leased.recorded.outputs[0];
    expect([node, value]).toEqual([2 * turns + 1, 1 + 2 * turns]);
    leased.swept((t) => {
      // ds/dx: 1 for the start, and s_k for each turn
      expect([...t.gradient(node)]).toEqual([1 + turns + turns * (turns - 1), turns]);
      // what was recorded before and behind the border, and what it handed on
      for (const v of [2, 5, FAST_CAPACITY - 2, FAST_CAPACITY - 1, FAST_CAPACITY, FAST_CAPACITY + 1, node]) {
        const k = Math.floor(v / 2) - 1;
        const product = v % 2 === 0;
        expect(t.operands(v)).toEqual(product ? [k === 0 ? 0 : v - 1, 0] : [v - 1, 1]);
        expect(t.value(v)).toBe(product ? 1 + 2 * k : 3 + 2 * k);
        expect(t.handedOn(v)).toEqual(product ? [1, 1 + 2 * k] : [1, 1]);
      }
    });
    leased.done();
  });

  it("moves to the tape where a memory limit leaves no more room, and ends where the tape does", () => {
    const length = 300_000;
    const chain = chainOf(length);
    const limit = 15_000_000;
    const { first, most } = leanRoom(limit)!;
    expect(2 * length).toBeGreaterThan(first);
    const leased = recordLeased(limited(chain, limit), false);
    expect(leased.recorded.recorder.lean).toBeNull();
    expect(leased.recorded.recorder.tape.length).toBe(length + 3);
    leased.done();
    expect(most).toBe(FAST_CAPACITY);
    expect(sweptGradient(limited(chain, limit)).gradient).toEqual({ x: 2, y: length + 1 });
    expect(() => sweptGradient(limited(chain, 5_000_000))).toThrow(/out of memory: the tape of/);
    expect(gradient(chain)).toEqual({ x: 2, y: length + 1 });
  });

  it("is not used at all under a limit of next to nothing, and grows with the limit", () => {
    expect(leanRoom(100_000)).toBeNull();
    expect(leanRoom(2 ** 29)).toEqual({ first: FAST_CAPACITY, most: FAST_CAPACITY });
    expect(leanRoom(2 ** 30)!.most).toBe(2 * FAST_CAPACITY);
    expect(leanRoom(Infinity)!.most).toBe(LIMIT);
  });

  it("is free again when the graph function throws", () => {
    const bad = graph({ x: 1 }, ({ x }) => {
      mul(x, x);
      throw new Error("no");
    });
    expect(() => gradient(bad)).toThrow("no");
    expect(() => hvp(bad, { x: 1 })).toThrow("no");
    const good = graph({ x: 3 }, ({ x }) => mul(x, x));
    expect(gradient(good)).toEqual({ x: 6 });
    expect(() => hvp(good, { nobody: 1 } as never)).toThrow(/no input "nobody"/);
    expect(gradient(good)).toEqual({ x: 6 });
  });

  it("refuses numbers of another recording, and those it kept itself", () => {
    let kept = 0;
    const first = graph({ x: 3 }, ({ x }) => (kept = mul(x, x)));
    expect(gradient(first)).toEqual({ x: 6 });
    const second = graph({ x: 3 }, ({ x }) => mul(x, kept));
    expect(() => gradient(second)).toThrow(/another graph, or kept from an earlier run/);
    const third = graph({ x: 3 }, () => kept);
    expect(() => gradient(third)).toThrow(/another graph or an earlier run/);
  });

  it("keeps arrays where they were", () => {
    const mixed = graph({ x: 2, w: Float64Array.of(1, 2, 3) }, ({ x, w }) =>
      mul(mul(x, x), mul(w, w as never)),
    );
    expect(gradient(mixed)).toEqual(complete(mixed));
  });
});
