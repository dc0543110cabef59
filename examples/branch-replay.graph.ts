import { chain, graph } from "backsweep";

// A branch on a value close to its threshold. In f64 the state passes 1 by a billionth and takes the upper branch; in f32
// it is 1 exactly: backsweep replay examples/branch-replay.graph.ts --schedule revolve:2 --replay-dtype f32
// reports the condition with its operands. Both branches give one operation, so equal shapes would hide it.
export const branch = graph({ x: 1, step: 1e-9 }, ({ x, step }) => {
  const end = chain(6, x, (u) => {
    if (u > 1) return u * 1.5;
    return u + step;
  });
  return end * end;
});
