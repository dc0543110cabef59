/** What the harness asks of an engine. */
import type { Outcome, Problem } from "../problems/problem.js";

/** A problem made ready: data where the engine wants them, nothing computed yet. */
export interface Work {
  /**
   * Value and gradient at the problem's parameters, as numbers of JavaScript, all from the start: recording, compiling if
   * it is the first call, and reading the results out of the engine's memory. The gradient may be overwritten by the next
   * call. A promise only from an engine that is `clocked`.
   */
  run(): Outcome | Promise<Outcome>;
  /** Milliseconds of `repeats` calls, for an engine that runs in a process of its own and keeps its own clock. */
  clocked?(repeats: number): Promise<number>;
}

export interface Engine {
  readonly id: string;
  readonly title: string;
  readonly precision: "f64" | "f32";
  /**
   * Largest |a - b| / max(1, |a| + |b|) against the reference, over the value and every component of the gradient,
   * up to which the engine counts as computing the same
   */
  readonly tolerance: number;
  /** the work for a problem, or in words why there is none */
  prepare(problem: Problem): Promise<Work | string>;
}
