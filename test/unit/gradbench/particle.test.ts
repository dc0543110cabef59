import { beforeAll, describe, expect, it, vi } from "vitest";
import type * as descent from "../../../examples/gradbench/problems/descent.js";
import type * as particle from "../../../examples/gradbench/problems/particle.js";
import { graph, jvp, valueAndGradient } from "../../../engine/index.js";
import { tracedProblem } from "./problems.js";
import { expectReference, reference, referencesOf } from "./reference.js";

// a descent is 84 gradients of a path whose 353 steps are a gradient each: long on a busy machine
vi.setConfig({ testTimeout: 600_000 });

interface Expected {
  readonly w_final: number;
  readonly objective_at_start: number;
  readonly derivative_at_start: number;
}

let traced: typeof particle;
let steps: typeof descent;
beforeAll(async () => {
  traced = await tracedProblem("particle");
  steps = await tracedProblem("descent");
});

/** The same path with the force written out, in plain numbers: -grad of 1/r is (x - charge) / r^3. */
function byHand(w: number): number {
  const charges = [
    [10, 10 - w],
    [10, 0],
  ];
  let [x, y, vx, vy] = [0, 8, 0.75, 0];
  for (;;) {
    let [ax, ay] = [0, 0];
    for (const [cx, cy] of charges) {
      const r = Math.hypot(x - cx, y - cy);
      ax += (x - cx) / r ** 3;
      ay += (y - cy) / r ** 3;
    }
    x += 0.1 * vx;
    y += 0.1 * vy;
    if (y <= 0) return (x - (y / vy) * vx) ** 2;
    vx += 0.1 * ax;
    vy += 0.1 * ay;
  }
}

describe.each(referencesOf("particle"))("%s", (name) => {
  const file = reference<{ readonly w: number }, Expected>(name);
  const { input, expected } = file;

  // the four variants of GradBench: outer mode, then inner mode
  it.each(["reverse", "forward"] as const)(
    "has the value and derivative of the reference at the start, both modes over %s",
    (inner) => {
      const definition = graph({ w: input.w }, ({ w }) => traced.missSquared(w, 0.1, traced[inner]));
      const { value, gradient } = valueAndGradient(definition);
      expectReference(file, [value as number], [expected.objective_at_start], "objective");
      expectReference(file, [gradient.w], [expected.derivative_at_start], "reverse");
      const { tangents } = jvp(definition, { w: 1 });
      expectReference(file, tangents, [expected.derivative_at_start], "forward");
    },
  );

  it("agrees with the path whose force is written out by hand, and with its slope", () => {
    for (const w of [input.w, 0.1, 0.2]) {
      const { value, gradient } = valueAndGradient(graph({ w }, (inputs) => traced.missSquared(inputs.w)));
      expect(Math.abs((value as number) - byHand(w))).toBeLessThan(1e-10 * (1 + byHand(w)));
      const slope = (byHand(w + 1e-6) - byHand(w - 1e-6)) / 2e-6;
      expect(Math.abs(gradient.w - slope)).toBeLessThan(1e-6 * (1 + Math.abs(slope)));
    }
  });

  it("ends where the reference's descent ends", () => {
    const [w] = steps.argmin(([at]) => traced.missSquared(at), [input.w]);
    expectReference(file, [w], [expected.w_final], "w");
    expect(byHand(w)).toBeLessThan(byHand(input.w));
  });
});
