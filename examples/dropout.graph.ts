import { chain, dropout, graph } from "backsweep";

// Every step drops its state with probability 0.3. Draws are keyed by seed, path of steps and count, so that a step that is
// replayed draws what it drew: backsweep replay examples/dropout.graph.ts --schedule revolve:3
// With --stream unmatched the work and the peak are the same, and the gradient is that of another network.
export const dropoutChain = graph({ x: 0.8, w: 1.1 }, ({ x, w }) =>
  chain(12, x, (u) => {
    const masked = dropout(u, 0.3);
    return Math.tanh(w * masked) + x / 4;
  }),
);
