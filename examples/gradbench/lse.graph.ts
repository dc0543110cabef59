import { graph } from "backsweep";
import { logSumExp } from "./problems/log-sum-exp.js";

// The gradient is softmax(x). The shift is paid 1 by the sum at the end and minus every softmax by the exponents: its
// contributions cancel, because the result does not depend on it.
export const lse = graph(
  {
    x: [
      0.7218521074240813, 0.9664407992811007, 0.28904906882680115, 0.17134622674002598, 0.3716175858787386,
      0.9803070102156316, 0.871400899954958, 0.15875483752376984, 0.21889920348490777, 0.6922483852067883,
    ],
  },
  ({ x }) => logSumExp(x),
);
