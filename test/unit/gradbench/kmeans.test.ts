import { describe, expect, it } from "vitest";
import * as plain from "../../../examples/gradbench/problems/kmeans.js";
import { graph, gradient, hessianDiagonal } from "../../../engine/index.js";
import { tracedProblem } from "./problems.js";
import { expectReference, reference, referencesOf } from "./reference.js";
import { checkScalarProblem } from "./scalar-problem.js";

interface Input {
  readonly points: number[][];
  readonly centroids: number[][];
}
interface Expected {
  readonly cost: number;
  readonly gradient: number[][];
  readonly hessian_diagonal: number[][];
  /** the gradient over the diagonal: Newton's step, from where it ends to where it starts */
  readonly dir: number[][];
}

checkScalarProblem({
  name: "kmeans",
  file: "kmeans",
  plain,
  parameters: (input: Input) => ({ centroids: input.centroids.flat() }),
  call: (module, { centroids }, input) => module.kmeansCost(centroids, input.points),
  value: (expected: Expected) => expected.cost,
  gradient: ({ gradient }) => ({ centroids: gradient.flat() }),
});

describe.each(referencesOf("kmeans"))("%s, second derivatives", (name) => {
  it("has the diagonal of the Hessian and the direction of the reference, by one product", async () => {
    const file = reference<Input, Expected>(name);
    const traced = await tracedProblem<typeof plain>("kmeans");
    const definition = graph({ centroids: file.input.centroids.flat() }, ({ centroids }) =>
      traced.kmeansCost(centroids, file.input.points),
    );
    const { diagonal, products } = hessianDiagonal(definition);
    expect(products).toBe(1);
    expectReference(file, diagonal.centroids, file.expected.hessian_diagonal.flat(), "diagonal");
    const direction = gradient(definition).centroids.map((slope, i) => slope / diagonal.centroids[i]);
    expectReference(file, direction, file.expected.dir.flat(), "dir");
  });
});
