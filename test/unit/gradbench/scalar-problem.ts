/** Checks of a problem with one number as its result against all its reference files: value, gradient, tangent, Hessian-vector
 * product. */
import { beforeAll, describe, it, vi } from "vitest";
import { graph, hvp, jvp, valueAndGradient } from "../../../engine/index.js";
import { tracedProblem } from "./problems.js";
import { expectReference, reference, referencesOf } from "./reference.js";

// the largest instances are millions of operations: long on a busy machine
vi.setConfig({ testTimeout: 600_000 });

/** Named parameters, each flat. */
export type Parameters<Name extends string> = Readonly<Record<Name, number[]>>;

export interface ScalarProblem<Name extends string, Module, Input, Expected> {
  /** GradBench's name of it */
  readonly name: string;
  /** file in `examples/gradbench/problems`, and its exports in plain numbers */
  readonly file: string;
  readonly plain: Module;
  parameters(input: Input): Parameters<Name>;
  call(module: Module, parameters: Parameters<Name>, input: Input): number;
  value(expected: Expected): number;
  gradient(expected: Expected, like: Parameters<Name>): Parameters<Name>;
}

/** A flat direction, cut into the parameters in their order. */
export function cut<Name extends string>(
  v: readonly number[],
  parameters: Parameters<Name>,
): Parameters<Name> {
  let first = 0;
  const parts = Object.entries<number[]>(parameters).map(([name, { length }]) => [
    name,
    v.slice(first, (first += length)),
  ]);
  return Object.fromEntries(parts) as Parameters<Name>;
}

export function checkScalarProblem<Name extends string, Module, Input, Expected>(
  problem: ScalarProblem<Name, Module, Input, Expected>,
): void {
  let traced: Module;
  beforeAll(async () => {
    traced = await tracedProblem<Module>(problem.file);
  });

  describe.each(referencesOf(problem.name))("%s", (name) => {
    const file = reference<Input, Expected>(name);
    const { input, expected } = file;
    const parameters = problem.parameters(input);
    const value = problem.value(expected);
    const definition = graph(parameters, (inputs) =>
      problem.call(traced, inputs as unknown as Parameters<Name>, input),
    );

    it("has the value of the reference in plain numbers", () => {
      expectReference(file, [problem.call(problem.plain, parameters, input)], [value], "value");
    });

    it("has the gradient of the reference", () => {
      const ours = valueAndGradient(definition);
      expectReference(file, [ours.value as number], [value], "value");
      const slopes = ours.gradient as unknown as Parameters<Name>;
      for (const [key, theirs] of Object.entries<number[]>(problem.gradient(expected, parameters)))
        expectReference(file, slopes[key as Name], theirs, key);
    });

    if (expected.hvp === undefined) return;
    const { v, jvp: slope, hv } = expected.hvp;
    it("has the tangent and the Hessian-vector product of the reference", () => {
      const direction = cut(v, parameters);
      expectReference(file, jvp(definition, direction).tangents, [slope], "tangent");
      const ours = hvp(definition, direction);
      expectReference(file, [ours.value], [value], "value");
      expectReference(file, [ours.jvp], [slope], "tangent beside the product");
      expectReference(file, Object.values<number[]>(ours.hvp as never).flat(), hv, "product");
    });
  });
}
