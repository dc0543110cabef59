import { graph } from "backsweep";
import { rungeKutta } from "./problems/ode.js";

// Five outputs; the derivative asked for is the last one's. What is differentiated is the program, not the equation that it
// solves approximately: GradBench's own expected gradient is of the exact solution, and is 7 % off here.
export const ode = graph(
  { x: [1.1580689334846679, 1.3170042967440199, 0.5509194271956013, 1.3627682445372566, 1.50414668513112] },
  ({ x }) => rungeKutta(x, 2),
  {
    cotangent: [0, 0, 0, 0, 1],
  },
);
