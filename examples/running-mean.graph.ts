import { chain, graph, runningState, stopGradient } from "backsweep";

// A running mean belongs to runningState: a replay reads what the first run read, and updates nothing a second time.
export const kept = graph({ x: 0.6 }, ({ x }) => {
  const mean = runningState(0);
  return chain(8, x, (u) => {
    const centred = u - mean.get();
    mean.update(0.9 * mean.get() + 0.1 * stopGradient(u));
    return Math.sin(centred) + x;
  });
});

// Kept in an array of one's own it goes on with every replay, and from then on every replay centres round another mean:
// backsweep run examples/running-mean.graph.ts --graph careless --schedule revolve:2 says so and gives no gradient.
export const careless = graph({ x: 0.6 }, ({ x }) => {
  const mean = new Float64Array(1);
  return chain(8, x, (u) => {
    const centred = u - mean[0]!;
    mean[0] = 0.9 * mean[0]! + 0.1 * stopGradient(u);
    return Math.sin(centred) + x;
  });
});
