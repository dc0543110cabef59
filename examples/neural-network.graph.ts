import { graph } from "backsweep";

const inputs = [
  [0, 0],
  [0, 1],
  [1, 0],
  [1, 1],
];
const targets = [0, 1, 1, 0];

function neuron(weights: number[], offset: number, values: number[]): number {
  let sum = weights[offset];
  values.forEach((v, i) => {
    sum += weights[offset + 1 + i] * v;
  });
  return Math.tanh(sum);
}

// Two tanh units and a linear one on the four rows of XOR, in scalars: each weight is used once a row.
export const xorLoss = graph(
  {
    hidden: [0.1, 0.9, -0.7, -0.2, 0.6, 0.8],
    output: [0.3, 1.1, -0.9],
  },
  ({ hidden, output }) => {
    let loss = 0;
    for (let row = 0; row < inputs.length; row++) {
      const h1 = neuron(hidden, 0, inputs[row]);
      const h2 = neuron(hidden, 3, inputs[row]);
      const prediction = output[0] + output[1] * h1 + output[2] * h2;
      const error = prediction - targets[row];
      loss += error ** 2;
    }
    return loss / inputs.length;
  },
);
