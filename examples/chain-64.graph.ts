import { chain, graph } from "backsweep";

/** A chain of depth 64: `--schedule uniform:8` holds 15 states and runs 56 steps again. */
export const chain64 = graph({ x: 0.5, w: 1.1 }, ({ x, w }) =>
  chain(64, x, (u, i) => Math.tanh(w * u) + 0.01 * i),
);
