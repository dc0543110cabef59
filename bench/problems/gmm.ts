import type { Gmm } from "./problem.js";

/** A GradBench file of the kind `gmm`. */
export interface GmmFile {
  readonly input: {
    readonly d: number;
    readonly k: number;
    readonly n: number;
    readonly x: number[][];
    readonly m: number;
    readonly gamma: number;
    readonly alpha: number[];
    readonly mu: number[][];
    readonly q: number[][];
    readonly l: number[][];
  };
  readonly expected: {
    readonly objective: number;
    readonly gradient: Pick<GmmFile["input"], "alpha" | "mu" | "q" | "l">;
  };
}

function flat({ alpha, mu, q, l }: GmmFile["expected"]["gradient"]): Float64Array {
  return Float64Array.from([...alpha, ...mu.flat(), ...q.flat(), ...l.flat()]);
}

/** log Gamma(h / 2) for a whole h > 0, by Gamma(x + 1) = x Gamma(x) from Gamma(1/2) and Gamma(1). */
function logGammaOfHalf(h: number): number {
  let sum = h % 2 === 0 ? 0 : 0.5 * Math.log(Math.PI);
  for (let twice = h % 2 === 0 ? 2 : 1; twice < h; twice += 2) sum += Math.log(twice / 2);
  return sum;
}

/**
 * The terms without parameters: -n d/2 log 2 pi + k (N d log(gamma / sqrt 2) - logGamma_d(N / 2)) with N = d + m + 1,
 * logGamma_d(a) = d (d - 1) / 4 log pi + sum_j logGamma(a - j / 2).
 */
function constantOf(d: number, k: number, n: number, m: number, gamma: number): number {
  const degrees = d + m + 1;
  let multivariate = ((d * (d - 1)) / 4) * Math.log(Math.PI);
  for (let j = 0; j < d; j++) multivariate += logGammaOfHalf(degrees - j);
  const prior = degrees * d * Math.log(gamma / Math.SQRT2) - multivariate;
  return -n * (d / 2) * Math.log(2 * Math.PI) + k * prior;
}

export function gmm(file: GmmFile): Gmm {
  const { d, k, n, m, gamma, x } = file.input;
  const triangle = (d * (d - 1)) / 2;
  return {
    kind: "gmm",
    id: `gmm-d${d}-k${k}-n${n}`,
    title: `GMM d${d} K${k} N${n}`,
    parameters: flat(file.input),
    operations: n * k * (2 * d + 2 * triangle + 2 * d + 5),
    expected: { value: file.expected.objective, gradient: flat(file.expected.gradient) },
    d,
    k,
    n,
    m,
    gamma,
    x: Float64Array.from(x.flat()),
    constant: constantOf(d, k, n, m, gamma),
  };
}

/** Where the blocks of the parameters start, alpha at 0, and the length of one row of `l`. */
export function gmmOffsets({ d, k }: Gmm): { mu: number; q: number; l: number; triangle: number } {
  return { mu: k, q: k + k * d, l: k + 2 * k * d, triangle: (d * (d - 1)) / 2 };
}

/** What fills full d x d matrices, row by row, from a row of `l` and a diagonal, for engines of arrays. */
export interface LowerTriangle {
  /** [d(d-1)/2][d d]: a row of `l` times this is the strictly lower part (a gather would do, but not every engine has its VJP) */
  readonly spread: Float64Array;
  /** [d d]: 1 on the diagonal, else 0 */
  readonly eye: Float64Array;
}

export function lowerTriangle(d: number): LowerTriangle {
  const spread = new Float64Array(((d * (d - 1)) / 2) * d * d);
  const eye = new Float64Array(d * d);
  let entry = 0;
  for (let column = 0; column < d; column++) {
    eye[column * d + column] = 1;
    for (let row = column + 1; row < d; row++) spread[entry++ * d * d + row * d + column] = 1;
  }
  return { spread, eye };
}
