/**
 * The Gaussian mixture of `gmm.ts` in whole arrays: about twenty operations, whatever the number of points. K components in D
 * dimensions, N points.
 */
import { tensor, type Tensor } from "backsweep";
import { wishartConstant, type GmmData } from "./gmm.js";

/** The parameters of `GmmParameters`, in their own shapes: alpha [K], mu and q [K, D], l [K, D(D-1)/2]. */
export interface GmmTensors {
  readonly alpha: Tensor;
  readonly mu: Tensor;
  readonly q: Tensor;
  readonly l: Tensor;
}

export function gmmObjectiveArrays({ alpha, mu, q, l }: GmmTensors, { d, k, x, m, gamma }: GmmData): number {
  const points = tensor(x).transpose();
  const diagonal = q.exp();
  const logDeterminant = q.sum({ axis: 1 });
  const factor = diagonal
    .matmul(placed(d, onDiagonal(d)))
    .add(l.matmul(placed(d, belowDiagonal(d))))
    .reshape([k, d, d]);

  // [K, D, N], then [K, N]
  const whitened = factor.matmul(points.sub(mu.reshape([k, d, 1])));
  const distance = whitened.square().sum({ axis: 1 });
  const terms = alpha.add(logDeterminant).reshape([k, 1]).sub(distance.mul(0.5));
  const normalisation = (d / 2) * Math.log(2 * Math.PI) + alpha.logsumexp();
  const likelihood = terms.logsumexp({ axis: 0 }).sum() - x.length * normalisation;

  const frobenius = diagonal.square().sum() + l.square().sum();
  const prior = m * logDeterminant.sum() - (gamma ** 2 / 2) * frobenius;
  return likelihood + prior + k * wishartConstant(d, m, gamma);
}

function onDiagonal(d: number): number[] {
  return Array.from({ length: d }, (_, i) => i * d + i);
}

/** Places in a D x D matrix of the entries below its diagonal, column by column. */
function belowDiagonal(d: number): number[] {
  const places: number[] = [];
  for (let column = 0; column < d; column++)
    for (let row = column + 1; row < d; row++) places.push(row * d + column);
  return places;
}

/** The matrix that puts a vector's entries at these places of a flat D x D matrix. */
function placed(d: number, places: readonly number[]): Tensor {
  const rows = new Float64Array(places.length * d * d);
  places.forEach((place, i) => {
    rows[i * d * d + place] = 1;
  });
  return tensor(rows, [places.length, d * d]);
}
