import { graph } from "backsweep";
import { payoff, worst } from "./problems/saddle.js";

export const saddle = graph({ x: [1, 1], y: [1, 1] }, ({ x, y }) => payoff(x, y));

// What the outer descent differentiates: the largest payoff over y, found by a descent whose every step is on the tape.
export const outer = graph({ x: [1, 1] }, ({ x }) => worst(x, [1, 1]));
