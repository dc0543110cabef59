import { graph } from "backsweep";

// Only the branch taken is on the tape. The comparison itself is recorded as a decision: move x across 1 and another
// piece of the function, with another derivative, is what gets swept.
export const huber = graph({ x: 2.5, delta: 1 }, ({ x, delta }) => {
  const size = Math.abs(x);
  if (size <= delta) {
    const quadratic = (x * x) / 2;
    return quadratic;
  }
  const linear = delta * (size - delta / 2);
  return linear;
});
