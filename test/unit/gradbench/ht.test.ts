import { beforeAll, describe, expect, it } from "vitest";
import * as plain from "../../../examples/gradbench/problems/ht.js";
import { graph, jacobian, vjp } from "../../../engine/index.js";
import { tracedProblem } from "./problems.js";
import { expectReference, reference, referencesOf } from "./reference.js";

interface Input {
  readonly theta: number[];
  readonly data: plain.HandData;
  readonly us: number[][];
}
interface Expected {
  readonly objective: number[];
  readonly jacobian: number[][];
}

let traced: typeof plain;
beforeAll(async () => {
  traced = await tracedProblem("ht");
});

describe.each(referencesOf("ht"))("%s", (name) => {
  const file = reference<Input, Expected>(name);
  const { theta, data, us } = file.input;
  const { expected } = file;
  const { objective } = expected;
  const definition = graph({ theta }, (inputs) => traced.handResiduals(inputs.theta, us.flat(), data));

  it("has the residuals of the reference in plain numbers", () => {
    expectReference(file, plain.handResiduals(theta, us.flat(), data), objective, "objective");
  });

  it("has the Jacobian of the reference, by one forward sweep a parameter", () => {
    const ours = jacobian(definition);
    expect([ours.mode, ours.sweeps]).toEqual(["forward", theta.length]);
    expectReference(file, ours.value as number[], objective, "objective");
    (ours.jacobian as { theta: number[] }[]).forEach((row, i) =>
      expectReference(file, row.theta, expected.jacobian[i], `row ${i}`),
    );
  });

  it("has a row of the Jacobian of the reference by one reverse sweep", () => {
    const row = objective.length - 7;
    const cotangent = objective.map((_, i) => (i === row ? 1 : 0));
    expectReference(file, vjp(definition, cotangent).theta as number[], expected.jacobian[row], `row ${row}`);
  });

  // the variant that ADBench calls complicated has no reference file
  it("has the slope of the plain function in barycentric coordinates too", () => {
    const few = { ...data, correspondences: [3, 500, 1083], points: data.points.slice(0, 3) };
    const point = { theta, us: [0.2, 0.3, 0.6, 0.1, 0.25, 0.5] };
    const at = (p: typeof point): number =>
      plain.handResiduals(p.theta, p.us, few).reduce((sum, residual) => sum + residual, 0);
    const ours = vjp(
      graph(point, (inputs) => traced.handResiduals(inputs.theta, inputs.us, few)),
      new Array<number>(9).fill(1),
    );
    for (const name of ["theta", "us"] as const) {
      point[name].forEach((value, i) => {
        const moved = (d: number): typeof point => ({
          ...point,
          [name]: point[name].map((x, k) => (k === i ? value + d : x)),
        });
        const slope = (at(moved(1e-5)) - at(moved(-1e-5))) / 2e-5;
        expect(Math.abs((ours[name] as number[])[i] - slope), `${name}[${i}]`).toBeLessThan(1e-8);
      });
    }
  });
});
