import { beforeAll, describe, it, vi } from "vitest";
import type * as arrays from "../../../examples/gradbench/problems/gmm-arrays.js";
import type { GmmData } from "../../../examples/gradbench/problems/gmm.js";
import { graph, valueAndGradient } from "../../../engine/index.js";
import { tracedProblem } from "./problems.js";
import { expectReference, reference, referencesOf } from "./reference.js";

vi.setConfig({ testTimeout: 600_000 });

type Nested = Readonly<Record<"mu" | "q" | "l", number[][]>> & { readonly alpha: number[] };
interface Expected {
  readonly objective: number;
  readonly gradient: Nested;
}

let traced: typeof arrays;
beforeAll(async () => {
  traced = await tracedProblem("gmm-arrays");
});

describe.each(referencesOf("gmm"))("%s in arrays", (name) => {
  const file = reference<Nested & GmmData, Expected>(name);
  const { input, expected } = file;
  const { alpha, mu, q, l } = input;

  it("has the value and gradient of the reference", () => {
    const definition = graph({ alpha: Float64Array.from(alpha), mu, q, l }, (parameters) =>
      traced.gmmObjectiveArrays(parameters, input),
    );
    const ours = valueAndGradient(definition);
    expectReference(file, [ours.value as number], [expected.objective], "objective");
    for (const key of ["alpha", "mu", "q", "l"] as const) {
      const flat = (ours.gradient[key] as unknown as number[][]).flat();
      expectReference(file, flat, (expected.gradient[key] as number[][]).flat(), key);
    }
  });
});
