/** The part of tfjs's interface that the benchmark uses: functions, as its methods are added by another package. */
export interface TfTensor {
  readonly shape: number[];
  dataSync(): Float32Array;
  dispose(): void;
}

export interface Tf {
  /** of the WebAssembly backend; 1 keeps it to one core, as every other engine is */
  setThreadsCount(count: number): void;
  setWasmPaths(folder: string): void;
  setBackend(name: string): Promise<boolean>;
  ready(): Promise<void>;
  tidy<T>(body: () => T): T;
  tensor(values: Float32Array | Int32Array, shape: number[], dtype?: "float32" | "int32"): TfTensor;
  scalar(value: number): TfTensor;
  valueAndGrad(f: (x: TfTensor) => TfTensor): (x: TfTensor) => { value: TfTensor; grad: TfTensor };
  add(a: TfTensor, b: TfTensor | number): TfTensor;
  sub(a: TfTensor | number, b: TfTensor | number): TfTensor;
  mul(a: TfTensor | number, b: TfTensor | number): TfTensor;
  square(a: TfTensor): TfTensor;
  exp(a: TfTensor): TfTensor;
  log(a: TfTensor): TfTensor;
  sin(a: TfTensor): TfTensor;
  tanh(a: TfTensor): TfTensor;
  sigmoid(a: TfTensor): TfTensor;
  sum(a: TfTensor, axis?: number): TfTensor;
  logSumExp(a: TfTensor, axis?: number): TfTensor;
  matMul(a: TfTensor, b: TfTensor, transposeA?: boolean, transposeB?: boolean): TfTensor;
  reshape(a: TfTensor, shape: number[]): TfTensor;
  slice(a: TfTensor, begin: number | number[], size: number | number[]): TfTensor;
}
