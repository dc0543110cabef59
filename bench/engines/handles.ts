/**
 * Backsweep's recordings: explicit calls over integer handles, contributions recorded. One engine records anew for every
 * gradient into the same memory, the other replays one recording at the parameters and sweeps it.
 */
import { recording } from "../../engine/recording/create.js";
import type { Problem } from "../problems/problem.js";
import type { ScalarOps } from "../scalar/ops.js";
import { scalarProgram } from "../scalar/programs.js";
import type { Engine } from "./engine.js";

/** One recording a process: the engine's memory for it is a constant to the compiler. */
const t = recording();

/** The operations are the recording's own: what a program that is written for it would call. */
const ops: ScalarOps<number> = Object.assign(t, { plus: t.add, times: t.mul, from: t.sub });

function record(problem: Problem): number {
  t.reset();
  const first = t.inputs(problem.parameters);
  const inputs = new Array<number>(problem.parameters.length);
  for (let i = 0; i < inputs.length; i++) inputs[i] = first + i;
  return scalarProgram(ops, problem, inputs);
}

export const handles: Engine = {
  id: "handles",
  title: "Backsweep, handles",
  precision: "f64",
  tolerance: 1e-10,
  prepare: (problem) =>
    Promise.resolve({
      run() {
        const output = record(problem);
        return { value: t.value(output), gradient: t.gradient(output) };
      },
    }),
};

export const replay: Engine = {
  id: "replay",
  title: "Backsweep, replay",
  precision: "f64",
  tolerance: 1e-10,
  prepare(problem) {
    let output = -1;
    return Promise.resolve({
      run() {
        if (output < 0) output = record(problem);
        else t.replay(problem.parameters);
        return { value: t.value(output), gradient: t.gradient(output) };
      },
    });
  },
};
