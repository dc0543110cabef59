import { describe, expect, it } from "vitest";
import * as plain from "../../../examples/gradbench/problems/gmm.js";
import { graph, valueAndGradient } from "../../../engine/index.js";
import { tracedProblem } from "./problems.js";
import { checkScalarProblem, type Parameters } from "./scalar-problem.js";

type Nested = Readonly<Record<"mu" | "q" | "l", number[][]>> & { readonly alpha: number[] };

const flat = ({ alpha, mu, q, l }: Nested): Parameters<"alpha" | "mu" | "q" | "l"> => ({
  alpha,
  mu: mu.flat(),
  q: q.flat(),
  l: l.flat(),
});

checkScalarProblem({
  name: "gmm",
  file: "gmm",
  plain,
  parameters: (input: Nested & plain.GmmData) => flat(input),
  call: (module, parameters, input) => module.gmmObjective(parameters, input),
  value: (expected: { readonly objective: number; readonly gradient: Nested }) => expected.objective,
  gradient: ({ gradient }) => flat(gradient),
});

describe("gmm in one dimension, where GradBench has no instance", () => {
  const data = { d: 1, k: 2, m: 1, gamma: 1.3, x: [[0.4], [-1.1], [2.5]] };
  const parameters = { alpha: [0.3, -0.2], mu: [0.1, 1.2], q: [0.2, -0.4], l: [] };

  /** Sum of log densities of normal distributions with weights, and of a Wishart prior on each precision, in so many words. */
  function logPosterior({ alpha, mu, q }: typeof parameters): number {
    const total = Math.exp(alpha[0]) + Math.exp(alpha[1]);
    const density = (x: number, c: number): number => {
      const deviation = Math.exp(-q[c]);
      return Math.exp(-(((x - mu[c]) / deviation) ** 2) / 2) / (deviation * Math.sqrt(2 * Math.PI));
    };
    const likelihood = data.x.map(([x]) =>
      Math.log((Math.exp(alpha[0]) * density(x, 0) + Math.exp(alpha[1]) * density(x, 1)) / total),
    );
    // n = 3 degrees of freedom; Gamma(3/2) is half the square root of pi
    const prior = q.map(
      (entry) =>
        3 * Math.log(1.3 / Math.SQRT2) -
        Math.log(Math.sqrt(Math.PI) / 2) -
        (1.3 ** 2 / 2) * Math.exp(2 * entry) +
        entry,
    );
    return [...likelihood, ...prior].reduce((a, b) => a + b, 0);
  }

  it("has the value of the formula and its slope", async () => {
    const traced = await tracedProblem<typeof plain>("gmm");
    const ours = valueAndGradient(graph(parameters, (inputs) => traced.gmmObjective(inputs, data)));
    expect(ours.value).toBeCloseTo(logPosterior(parameters), 12);
    for (const name of ["alpha", "mu", "q"] as const) {
      parameters[name].forEach((_, i) => {
        const at = (d: number): number =>
          logPosterior({ ...parameters, [name]: parameters[name].map((x, k) => (k === i ? x + d : x)) });
        expect(ours.gradient[name][i], `${name}[${i}]`).toBeCloseTo((at(1e-5) - at(-1e-5)) / 2e-5, 8);
      });
    }
  });
});
