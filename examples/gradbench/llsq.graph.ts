import { graph } from "backsweep";
import { leastSquares } from "./problems/llsq.js";

// Sixteen residuals of a polynomial of degree 7: each coefficient is owed one contribution a residual.
export const llsq = graph(
  {
    x: [
      0.7218521074240813, 0.9664407992811007, 0.28904906882680115, 0.17134622674002598, 0.3716175858787386,
      0.9803070102156316, 0.871400899954958, 0.15875483752376984,
    ],
  },
  ({ x }) => leastSquares(x, 16),
);
