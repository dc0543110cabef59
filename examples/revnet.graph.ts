import { chain, coupling, graph, tanh, tensor } from "backsweep";

/**
 * A reversible network (Gomez et al. 2017): coupling layers y1 = x1 + f(x2), y2 = x2 + g(y1), whose inputs are computed
 * back from their outputs. `--schedule reversible` stores nothing between the layers and says how far the inverses are
 * from the first run's values, layer by layer, and the gradient from that of everything kept.
 */
const width = 6;
const depth = 12;

/** A matrix of small numbers, fixed, so that every run is the same. */
const weights = (seed: number): number[][] =>
  Array.from({ length: width }, (_, i) =>
    Array.from({ length: width }, (_, j) => 0.4 * Math.sin(seed + 3 * i + 7 * j)),
  );

const x1 = tensor(Array.from({ length: width }, (_, i) => Math.sin(i)));
const x2 = tensor(Array.from({ length: width }, (_, i) => Math.cos(i)));

export const revnet = graph({ x1, x2, W: tensor(weights(1)), V: tensor(weights(2)) }, ({ x1, x2, W, V }) => {
  const layer = coupling(
    (half) => tanh(W.matmul(half)),
    (half) => tanh(V.matmul(half)).mul(0.5),
  );
  const [y1, y2] = chain(depth, [x1, x2], layer, { name: "revnet" });
  return y1.square().sum() + y2.square().sum();
});
