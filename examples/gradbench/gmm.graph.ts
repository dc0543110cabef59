import { graph } from "backsweep";
import { gmmObjective } from "./problems/gmm.js";

// Three Gaussians in the plane, one observation (GradBench's test instance). A point pays every component's parameters; the
// prior pays the factor of the precision again, and the weights' normalisation pays alpha.
const data = { d: 2, k: 3, m: 0, gamma: 1, x: [[1.175171, 2.02916]] };

export const gmm = graph(
  {
    alpha: [-0.649014, 1.181166, -0.758453],
    mu: [0.092339, 0.18626, 0.345561, 0.396767, 0.538817, 0.419195],
    q: [0.586443, -0.851887, -1.509405, 0.875874, 0.166813, -1.965419],
    l: [0.800321, -0.24279, -1.270071],
  },
  (parameters) => gmmObjective(parameters, data),
);
