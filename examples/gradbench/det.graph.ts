import { graph } from "backsweep";
import { determinant } from "./problems/det.js";

// The gradient is the matrix of cofactors. Of 3! products, each entry is in two.
export const det = graph(
  {
    a: [
      0.3716175858787386, 0.9803070102156316, 0.871400899954958, 0.15875483752376984, 0.21889920348490777,
      0.6922483852067883, 0.6637906879763001, 0.9073893914392065, 0.3015649449708464,
    ],
  },
  ({ a }) => determinant(a, 3),
);
