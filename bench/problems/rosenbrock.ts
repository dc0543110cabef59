import type { Rosenbrock } from "./problem.js";

/** At the usual starting point, (-1.2, 1, -1.2, 1, ...). */
export function rosenbrock(n: number): Rosenbrock {
  return {
    kind: "rosenbrock",
    id: `rosenbrock-${n}`,
    title: `Rosenbrock ${n.toLocaleString("en-US")}`,
    parameters: Float64Array.from({ length: n }, (_, i) => (i % 2 === 0 ? -1.2 : 1)),
    operations: 8 * (n - 1),
    expected: null,
    n,
  };
}
