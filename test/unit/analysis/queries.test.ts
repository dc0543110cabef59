/** What `backsweep jacobian`, `hvp` and `spread` ask of the engine. */
import { describe, expect, it } from "vitest";
import { hvp, type DirectionEntry } from "../../../engine/analysis/hvp.js";
import { jacobian } from "../../../engine/analysis/jacobian.js";
import { spread } from "../../../engine/analysis/spread.js";
import { subjectOf } from "../../../engine/graph/complete.js";
import type { GraphDefinition } from "../../../engine/graph/definition.js";
import type { Subject } from "../../../engine/graph/record.js";
import { add, graph, mul } from "../../../engine/index.js";

const subject = (definition: object, settings: Partial<Subject["settings"]> = {}): Subject => {
  const base = subjectOf(definition as GraphDefinition, undefined);
  return { ...base, settings: { ...base.settings, ...settings } };
};
const product = graph({ x: 2, w: [3, 4] }, ({ x, w }) => mul(x, mul(w[0], w[1])));
const entry = (
  name: string,
  index: number | null | number[],
  value: DirectionEntry["value"],
): DirectionEntry => ({
  name,
  index: index === null ? [] : typeof index === "number" ? [index] : index,
  value,
});

describe("jacobian", () => {
  it("states what either orientation takes", () => {
    const result = jacobian(subject(product), { kind: "jacobian", mode: "auto" });
    expect(result).toMatchObject({
      asked: "auto",
      mode: "reverse",
      sweeps: 1,
      forwardSweeps: 3,
      reverseSweeps: 1,
    });
    expect(Array.from(result.entries)).toEqual([12, 8, 6]);
    const forward = jacobian(subject(product), { kind: "jacobian", mode: "forward" });
    expect(forward).toMatchObject({ asked: "forward", mode: "forward", sweeps: 3, entries: result.entries });
  });

  it("sweeps in the order asked for, and refuses one that is invalid", () => {
    const order = [4, 0, 3, 1, 2];
    const entries = jacobian(subject(product, { order }), { kind: "jacobian", mode: "reverse" }).entries;
    expect(Array.from(entries)).toEqual([12, 8, 6]);
    const bad = subject(product, { order: [3, 4, 0, 1, 2] });
    expect(() => jacobian(bad, { kind: "jacobian", mode: "reverse" })).toThrow("node 3 stands before node 4");
  });

  it("counts elements of arrays", () => {
    const outer = graph({ W: [[1, 2]], x: 3 }, ({ W, x }) => ({ y: W.mul(x), n: x }));
    const result = jacobian(subject(outer), { kind: "jacobian", mode: "auto" });
    expect(result).toMatchObject({
      mode: "forward",
      sweeps: 3,
      forwardSweeps: 3,
      reverseSweeps: 3,
      columns: 3,
    });
    expect(Array.from(result.entries)).toEqual([3, 0, 1, 0, 3, 2, 0, 0, 1]);
  });
});

describe("hvp", () => {
  it("puts elements into arrays of zeros", () => {
    const answer = hvp(subject(product), { kind: "hvp", direction: [entry("w", 1, 5), entry("x", null, 1)] });
    expect(answer).toEqual({
      value: 24,
      outputs: 1,
      at: { x: 2, w: [3, 4] },
      direction: { x: 1, w: [0, 5] },
      gradient: { x: 12, w: [8, 6] },
      jvp: 42,
      hvp: { x: 15, w: [14, 3] },
      sweeps: { forward: 1, reverse: 1 },
      notes: [],
    });
  });

  it("takes arrays as a whole and by element", () => {
    const scaled = graph({ W: [[1, 2]], x: 3 }, ({ W, x }) => W.mul(W).mul(x));
    const whole = hvp(subject(scaled), { kind: "hvp", direction: [entry("W", null, [[1, 0]])] });
    expect(whole).toEqual({
      value: 15,
      outputs: 2,
      at: { W: [[1, 2]], x: 3 },
      direction: { W: [[1, 0]], x: 0 },
      gradient: { W: [[6, 12]], x: 5 },
      jvp: 6,
      hvp: { W: [[6, 0]], x: 2 },
      sweeps: { forward: 1, reverse: 1 },
      notes: [],
    });
    const byElement = [entry("W", [0, 0], 1), entry("x", null, 0)];
    for (const order of ["breadth", "tape", [3, 2, 1, 0]] as const)
      expect(hvp(subject(scaled, { order }), { kind: "hvp", direction: byElement })).toEqual(whole);
    const bad = subject(scaled, { order: [2, 3, 1, 0] });
    expect(() => hvp(bad, { kind: "hvp", direction: byElement })).toThrow("node 2 stands before node 3");
    const along = (at: DirectionEntry) => () => hvp(subject(scaled), { kind: "hvp", direction: [at] });
    expect(along(entry("W", 0, 1))).toThrow('"W" has the shape [1, 2]: an element of it is written W[0][0]');
    expect(along(entry("W", [1, 0], 1))).toThrow('"W" has the shape [1, 2], there is no [1][0]');
    expect(along(entry("W", null, [1, 2]))).toThrow(
      'the direction of "W" must have the shape [1, 2], not [2]',
    );
  });

  it("is the same in every order of the sweep", () => {
    const direction = [entry("x", null, 1), entry("w", null, [2, 3])];
    const breadth = hvp(subject(product, { order: "breadth" }), { kind: "hvp", direction });
    expect(hvp(subject(product, { order: [4, 3, 2, 1, 0] }), { kind: "hvp", direction })).toEqual(breadth);
  });

  it("says what is wrong with a direction", () => {
    const along =
      (...direction: DirectionEntry[]) =>
      () =>
        hvp(subject(product), { kind: "hvp", direction });
    expect(along(entry("q", null, 1))).toThrow('there is no input "q"; inputs are x, w');
    expect(along(entry("q", 2, 1))).toThrow('there is no input "q"; inputs are x, w');
    expect(along(entry("x", 0, 1))).toThrow('"x" is one number and has no element [0]');
    expect(along(entry("w", 2, 1))).toThrow('"w" has 2 elements, there is no [2]');
    expect(along(entry("x", null, 1), entry("x", null, 2))).toThrow('the direction of "x" is given twice');
    expect(along(entry("w", null, [1, 2]), entry("w", 0, 2))).toThrow(
      'the direction of "w[0]" is given twice',
    );
    expect(along(entry("w", 0, 2), entry("w", null, [1, 2]))).toThrow('the direction of "w" is given twice');
    expect(along(entry("w", null, [1]))).toThrow("must be an array of 2 numbers");
  });
});

describe("spread", () => {
  it("uses the accumulation asked for on the way to the node, not for last-writer-wins", () => {
    const g = graph({ x: 2 }, ({ x }) => add(mul(x, 1), mul(x, 3)));
    const { formats } = spread(subject(g, { accumulate: "kahan" }), { kind: "spread", node: "x" });
    expect(formats[0].exact).toBe(4);
    const wrong = subject(g, { accumulate: "last-writer-wins" });
    expect(() => spread(wrong, { kind: "spread", node: "x" })).toThrow("last-writer-wins makes no sum");
  });
});
