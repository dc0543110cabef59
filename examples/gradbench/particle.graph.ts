import { graph } from "backsweep";
import { missSquared } from "./problems/particle.js";

// A sweep within a sweep: at every step of the path the force is a gradient, and its own operations are on the tape. How many
// steps there are is decided by the path, so the loop's condition is a recorded decision. Nine long steps, to look at.
export const coarse = graph({ w: 0 }, ({ w }) => missSquared(w, 3));

// GradBench's path: 353 steps.
export const particle = graph({ w: 0 }, ({ w }) => missSquared(w));
