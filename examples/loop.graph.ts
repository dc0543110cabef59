import { graph } from "backsweep";

// Newton's iteration for sqrt(x): every pass uses x again, so x is owed one contribution a pass.
export const newtonSqrt = graph({ x: 2 }, ({ x }) => {
  let r = 1 + x / 2;
  for (let i = 0; i < 4; i++) {
    r = (r + x / r) / 2;
  }
  return r;
});

// A recurrence with two parameters that every step uses.
export const logisticMap = graph({ rate: 3.2, start: 0.3 }, ({ rate, start }) => {
  let s = start;
  for (let i = 0; i < 6; i++) s = rate * s * (1 - s);
  return s;
});
