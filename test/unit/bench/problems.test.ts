/**
 * The benchmark's own numbers: hand-derived adjoints, the object-graph engine and ours against GradBench's reference values,
 * and against finite differences of the plain programs where there are none.
 */
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { distance } from "../../../bench/agreement.js";
import type { Engine } from "../../../bench/engines/engine.js";
import { array } from "../../../bench/engines/array.js";
import { graphEngine } from "../../../bench/engines/graph.js";
import { handJs } from "../../../bench/engines/hand-js.js";
import { handles, replay } from "../../../bench/engines/handles.js";
import { objectGraph } from "../../../bench/engines/object-graph.js";
import { problemById } from "../../../bench/problems/index.js";
import type { Outcome, Problem } from "../../../bench/problems/problem.js";
import { plainValue } from "../../../bench/programs/index.js";

const root = resolve(import.meta.dirname, "../../..");

/** Sizes that leave a remainder in every blocked loop, beside the ones of the reference files. */
const sizes = [
  "rosenbrock-2",
  "rosenbrock-50",
  "chain-1",
  "chain-2",
  "chain-300",
  "mlp-8-6-4-b3",
  "mlp-5-7-3-b6",
  "gmm-d2-k5-n10",
  "lstm-l1-c4-b2",
];

async function outcome(engine: Engine, problem: Problem): Promise<Outcome> {
  const work = await engine.prepare(problem);
  if (typeof work === "string") throw new Error(work);
  const first = await work.run();
  const copy = { value: first.value, gradient: Float64Array.from(first.gradient) };
  // a later call may not depend on an earlier one
  const second = await work.run();
  expect({ value: second.value, gradient: Float64Array.from(second.gradient) }).toEqual(copy);
  return copy;
}

/** Central differences of fourth order, (f(-2h) - 8 f(-h) + 8 f(h) - f(2h)) / 12 h: the error is h^4 f^(5) / 30. */
function differences(problem: Problem): Outcome {
  const x = Array.from(problem.parameters);
  const gradient = Float64Array.from(x, (xi, i) => {
    const h = 2 ** -10 * Math.max(1, Math.abs(xi));
    const at = (steps: number): number =>
      plainValue(
        problem,
        x.map((xj, j) => (j === i ? xj + steps * h : xj)),
      );
    return (at(-2) - 8 * at(-1) + 8 * at(1) - at(2)) / (12 * h);
  });
  return { value: plainValue(problem, x), gradient };
}

describe.each(sizes)("%s", (id) => {
  const problem = problemById(id, root);

  it("by hand is what finite differences of the plain program give", async () => {
    expect(distance(await outcome(handJs, problem), differences(problem))).toBeLessThan(1e-9);
  });

  it.each([objectGraph, graphEngine, handles, replay, array])(
    "by $id is what it is by hand",
    async (engine) => {
      if (engine === array && problem.kind === "chain") {
        expect(await engine.prepare(problem)).toMatch(/one number after another/);
        return;
      }
      expect(distance(await outcome(engine, problem), await outcome(handJs, problem))).toBeLessThan(1e-12);
    },
  );

  it("is as the reference has it", async () => {
    const reference = problem.expected ?? differences(problem);
    const tolerance = problem.expected === null ? 1e-9 : 1e-10;
    for (const engine of [handJs, objectGraph, handles])
      expect(distance(await outcome(engine, problem), reference)).toBeLessThan(tolerance);
  });
});

it.each(["gmm-d2-k5-n1000", "gmm-d10-k25-n1000", "lstm-l2-c128-b14"])(
  "%s by hand is as GradBench has it",
  async (id) => {
    const problem = problemById(id, root);
    expect(distance(await outcome(handJs, problem), problem.expected!)).toBeLessThan(1e-10);
  },
);

describe("distance", () => {
  const at = (value: number, ...gradient: number[]): Outcome => ({
    value,
    gradient: Float64Array.from(gradient),
  });

  it("is GradBench's measure", () => {
    expect(distance(at(1, 3), at(1, 1))).toBe(0.5);
    expect(distance(at(0.25, 0), at(0, 0))).toBe(0.25);
  });

  it("takes no number for agreement that is none", () => {
    expect(distance(at(NaN), at(NaN))).toBe(Infinity);
    expect(distance(at(1, NaN), at(1, 1))).toBe(Infinity);
    expect(distance(at(1, Infinity), at(1, Infinity))).toBe(Infinity);
    expect(distance(at(1, 1), at(1, 1, 1))).toBe(Infinity);
  });
});

it("refuses problems that do not exist", () => {
  for (const id of ["rosenbrock-0", "rosenbrock-x", "chain", "mlp-1-2", "gmm-d3-k1-n1", ""])
    expect(() => problemById(id, root)).toThrow(/no problem/);
});
