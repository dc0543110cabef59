/** The part of adnn's interface that the benchmark uses. */
export interface AdnnTensor {
  readonly data: Float64Array;
  readonly dims: number[];
  fromFlatArray(values: ArrayLike<number>): AdnnTensor;
}

/** A node of its graph, of a tensor or a number. */
export interface AdnnNode<X> {
  readonly x: X;
  readonly dx: X;
  backprop(): void;
}

export type Scalar = AdnnNode<number>;
export type Tensor = AdnnNode<AdnnTensor>;

interface Scalars {
  add(a: Scalar, b: Scalar | number): Scalar;
  sub(a: Scalar | number, b: Scalar): Scalar;
  mul(a: Scalar, b: Scalar | number): Scalar;
  exp(a: Scalar): Scalar;
  log(a: Scalar): Scalar;
  sin(a: Scalar): Scalar;
  tanh(a: Scalar): Scalar;
  sigmoid(a: Scalar): Scalar;
  sum(terms: readonly Scalar[]): Scalar;
}

interface Tensors {
  add(a: Tensor | AdnnTensor, b: Tensor | AdnnTensor | Scalar | number): Tensor;
  sub(a: Tensor | AdnnTensor, b: Tensor | AdnnTensor | Scalar | number): Tensor;
  mul(a: Tensor | AdnnTensor, b: Tensor | AdnnTensor | Scalar | number): Tensor;
  dot(a: Tensor | AdnnTensor, b: Tensor | AdnnTensor): Tensor;
  transpose(a: Tensor): Tensor;
  neg(a: Tensor): Tensor;
  exp(a: Tensor): Tensor;
  log(a: Tensor): Tensor;
  tanh(a: Tensor): Tensor;
  sigmoid(a: Tensor): Tensor;
  sumreduce(a: Tensor): Scalar;
  get(a: Tensor, i: number): Scalar;
  range(a: Tensor, start: number, end: number): Tensor;
  fromScalars(list: readonly (Scalar | number)[]): Tensor;
  reshape(a: Tensor, dims: number[]): Tensor;
}

export interface Adnn {
  lift(x: number): Scalar;
  lift(x: AdnnTensor): Tensor;
  readonly scalar: Scalars;
  readonly tensor: Tensors;
}

export type TensorConstructor = new (dims: number[]) => AdnnTensor;
