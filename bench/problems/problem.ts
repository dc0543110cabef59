/**
 * The work items every engine gets. A problem is data: the point, as one flat array, and what else the function needs.
 * An engine differentiates the value in all `parameters`, in their order.
 */
interface Common {
  /** what `--only` matches, and what a process builds the problem from */
  readonly id: string;
  readonly title: string;
  readonly parameters: Float64Array;
  /** scalar operations of the primal, the order of magnitude of a scalar tape's length */
  readonly operations: number;
  /** numbers from elsewhere, where there are any */
  readonly expected: Outcome | null;
}

/** Value and gradient, the gradient in the order of `parameters`. */
export interface Outcome {
  readonly value: number;
  readonly gradient: Float64Array;
}

/** sum_i (1 - x_i)^2 + 100 (x_(i+1) - x_i^2)^2, the chained form of Rosenbrock's function (1960). */
export interface Rosenbrock extends Common {
  readonly kind: "rosenbrock";
  readonly n: number;
}

/**
 * Mean cross entropy of softmax(tanh(x W1 + b1) W2 + b2) against labels. Parameters: W1 [inputs][hidden], b1, W2
 * [hidden][classes], b2.
 */
export interface Mlp extends Common {
  readonly kind: "mlp";
  readonly inputs: number;
  readonly hidden: number;
  readonly classes: number;
  readonly batch: number;
  /** [batch][inputs] */
  readonly x: Float64Array;
  /** class of each row of the batch */
  readonly labels: Int32Array;
}

/**
 * Log posterior of a mixture of `k` Gaussians in `d` dimensions over `n` points with a Wishart prior (ADBench, Srajer,
 * Kukelova, Fitzgibbon 2018; the formula as GradBench corrected it). Parameters: alpha [k], mu [k][d], q [k][d] (log
 * diagonals), l [k][d(d-1)/2] (strictly lower part, column by column).
 */
export interface Gmm extends Common {
  readonly kind: "gmm";
  readonly d: number;
  readonly k: number;
  readonly n: number;
  /** [n][d] */
  readonly x: Float64Array;
  readonly gamma: number;
  readonly m: number;
  /** what does not depend on the parameters */
  readonly constant: number;
}

/**
 * Loss of `layers` stacked diagonal LSTM cells of width `b` that predict the next of `c` bit vectors (ADBench).
 * Parameters: for each layer weights and biases [4b] each (forget, ingate, outgate, change), then three rows of [b]:
 * the input's scale, the output's scale and the output's bias.
 */
export interface Lstm extends Common {
  readonly kind: "lstm";
  readonly layers: number;
  readonly b: number;
  readonly c: number;
  /** [layers][2][b]: hidden and cell of every layer at the start */
  readonly state: Float64Array;
  /** [c][b] */
  readonly sequence: Float64Array;
}

/** `length` operations in a row, s <- sin(s), s <- a s, s <- s + b by turns; parameters: s, a, b. */
export interface Chain extends Common {
  readonly kind: "chain";
  readonly length: number;
}

export type Problem = Rosenbrock | Mlp | Gmm | Lstm | Chain;
