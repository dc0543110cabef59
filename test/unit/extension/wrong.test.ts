/** A wrong cotangent is said with the right one beside it. */
import { describe, expect, it } from "vitest";
import { sweep } from "../../../engine/graph/queries.js";
import "../../../engine/index.js";
import { cotangent } from "../../../engine/report/quantity.js";
import { Timeline } from "../../../engine/timeline/timeline.js";
import { besideRight, type Looked } from "../../../extension/features/wrong.js";
import { definition } from "../random-graph.js";

// v2 = v0 * v1, v3 = v2 + v0, v4 = v2 * v1, v5 = v3 * v4
const FAN_OUT = {
  inputs: [2, 3],
  steps: [
    { op: "mul", a: 0, b: 1, constant: null },
    { op: "add", a: 2, b: 0, constant: null },
    { op: "mul", a: 2, b: 1, constant: null },
    { op: "mul", a: 3, b: 4, constant: null },
  ],
  outputs: [],
};

const timelineOf = (accumulate: string): Timeline =>
  new Timeline(sweep(definition(FAN_OUT), { accumulate }).trace);
const right = timelineOf("sum");
const wrong = timelineOf("last-writer-wins");

const said = (looked: Looked): (string | null)[] =>
  Array.from({ length: right.trace.nodes.n }, (_, node) => besideRight(looked, (of) => cotangent(of, node)));

describe("what is said of a cotangent", () => {
  it("is both figures where contributions were lost, and nothing where both are the same", () => {
    expect(said({ timeline: wrong, wrong: "last writer wins", right })).toEqual([
      "last writer wins: 90, right: 144",
      "last writer wins: 96, right: 132",
      "last writer wins: 24, right: 42",
      null,
      null,
      null,
    ]);
  });

  it("is nothing of a sweep that adds up, and never a wrong figure alone without a word", () => {
    expect(said({ timeline: right, wrong: null, right: null })).toEqual(Array(6).fill(null));
    const alone = said({ timeline: wrong, wrong: "own engine", right: null });
    expect(alone[2]).toBe("own engine: 24");
    expect(alone.every((text) => text !== null)).toBe(true);
  });
});
