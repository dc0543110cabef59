// Arrays: two layers on a batch of four. W1 is one node of shape [2, 3]; its cotangent is an array of that shape.
import { graph, tensor } from "backsweep";

const data = tensor([
  [0, 0],
  [0, 1],
  [1, 0],
  [1, 1],
]);
const wanted = tensor([0, 1, 1, 0], [4, 1]);

export const layers = graph(
  {
    W1: [
      [0.8, -0.5, 0.3],
      [0.6, 0.9, -0.7],
    ],
    b1: Float64Array.of(0.1, -0.2, 0.05),
    W2: [[1.1], [-0.8], [0.4]],
    b2: 0.2,
  },
  ({ W1, b1, W2, b2 }) => {
    const hidden = data.matmul(W1).add(b1).tanh();
    const output = hidden.matmul(W2).add(b2);
    const error = output.sub(wanted);
    return error.square().sum() / 4;
  },
);
