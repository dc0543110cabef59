/**
 * The part of @jax-js/jax's interface that the benchmark uses. Every call takes over its array operands; `a.ref` keeps `a` for
 * one more use.
 */
export interface JaxArray {
  readonly ref: JaxArray;
  add(other: JaxArray | number): JaxArray;
  sub(other: JaxArray | number): JaxArray;
  mul(other: JaxArray | number): JaxArray;
  sum(axis?: number): JaxArray;
  reshape(shape: number[]): JaxArray;
  transpose(): JaxArray;
  slice(...index: ([number, number] | [])[]): JaxArray;
  dataSync(): Float32Array | Float64Array;
  dispose(): void;
}

export interface Jax {
  init(...devices: "wasm"[]): Promise<string[]>;
  defaultDevice(device: "wasm"): string;
  jit<F>(f: F): F;
  valueAndGrad(f: (x: JaxArray) => JaxArray): (x: JaxArray) => [JaxArray, JaxArray];
  readonly numpy: {
    array(values: Float32Array | Float64Array | Int32Array, options?: { dtype: string }): JaxArray;
    readonly float32: string;
    readonly float64: string;
    exp(a: JaxArray): JaxArray;
    log(a: JaxArray): JaxArray;
    sin(a: JaxArray): JaxArray;
    tanh(a: JaxArray): JaxArray;
    square(a: JaxArray): JaxArray;
    matmul(a: JaxArray, b: JaxArray): JaxArray;
    stack(list: JaxArray[]): JaxArray;
  };
  readonly nn: {
    logsumexp(a: JaxArray, axis?: number): JaxArray;
    sigmoid(a: JaxArray): JaxArray;
  };
}
