import { graph } from "backsweep";
import { gmmObjectiveArrays } from "./problems/gmm-arrays.js";

// The graph of gmm.graph.ts, one node an array: nested arrays are tensors, a contribution has the shape of what it goes into.
const data = { d: 2, k: 3, m: 0, gamma: 1, x: [[1.175171, 2.02916]] };

export const gmmArrays = graph(
  {
    alpha: new Float64Array([-0.649014, 1.181166, -0.758453]),
    mu: [
      [0.092339, 0.18626],
      [0.345561, 0.396767],
      [0.538817, 0.419195],
    ],
    q: [
      [0.586443, -0.851887],
      [-1.509405, 0.875874],
      [0.166813, -1.965419],
    ],
    l: [[0.800321], [-0.24279], [-1.270071]],
  },
  (parameters) => gmmObjectiveArrays(parameters, data),
);
