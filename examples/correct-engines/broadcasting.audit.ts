import { audit } from "backsweep";
import { add, backward, matmul, mul, tanh, tensor, type Tensor } from "./broadcasting";

export const broadcasting = audit<Tensor>({
  mode: "array",
  shapes: [
    [2, 2],
    [1, 2],
    [2, 1],
    [1, 1],
  ],
  leaf: (value) => tensor(value as number[][]),
  operations: { add, mul, tanh, matmul },
  backward,
  gradient: (node) => node.grad,
  value: (node) => node.matrix.data,
  reset: () => undefined,
});
