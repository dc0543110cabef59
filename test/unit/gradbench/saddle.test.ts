import { beforeAll, describe, expect, it, vi } from "vitest";
import type * as saddle from "../../../examples/gradbench/problems/saddle.js";
import { graph, gradient } from "../../../engine/index.js";
import { tracedProblem } from "./problems.js";
import { expectReference, reference, referencesOf } from "./reference.js";

// some 150 gradients of a descent of as many steps: long on a busy machine
vi.setConfig({ testTimeout: 600_000 });

let traced: typeof saddle;
beforeAll(async () => {
  traced = await tracedProblem("saddle");
});

describe.each(referencesOf("saddle"))("%s", (name) => {
  const file = reference<{ readonly start: number[] }, { readonly xy: number[] }>(name);

  it("ends at the saddle point of the reference: descent within descent", () => {
    const xy = traced.saddlePoint(file.input.start);
    expectReference(file, xy, file.expected.xy, "xy");
  });

  it("differentiates the largest payoff through the inner descent", () => {
    const start = file.input.start;
    for (const x of [start, [0.5, -0.25]]) {
      const ours = gradient(graph({ x }, (inputs) => traced.worst(inputs.x, start)));
      ours.x.forEach((slope, i) => expect(slope).toBe(2 * x[i]));
    }
  });
});
