import type { Chain } from "./problem.js";

export function chain(length: number): Chain {
  return {
    kind: "chain",
    id: `chain-${length}`,
    title: `chain of ${length.toLocaleString("en-US")} operations`,
    parameters: Float64Array.of(0.7, 0.9, 0.3),
    operations: length,
    expected: null,
    length,
  };
}
