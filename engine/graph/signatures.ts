/**
 * What functions and methods of arrays take: the one table that their calls are checked against. Arguments by position, then
 * the options in braces; see `signatureOf` for the notation.
 */
import { signatureOf, type Signature } from "./arguments.js";

const reducing = "{axis keepdims}";
const norms = "normalizedShape weight bias eps";
const windows = "stride padding dilation groups bias";
const pools = "kernel stride padding";

const functions = {
  tensor: "data shape",
  matmul: "a b",
  dot: "a b",
  outer: "a b",
  kron: "a b",
  einsum: "equation operands...",
  concat: "arrays {axis}",
  stack: "arrays {axis}",
  scatterAdd: "base index updates {axis}",
  indexAdd: "base index updates {axis}",
  segmentSum: "x segmentIds numSegments",
  solve: "a b",
  triangularSolve: "a b {upper transpose unitDiagonal}",
  crossEntropy: "logits target {reduction axis labelSmoothing ignoreIndex probabilities}",
  mseLoss: "x y {reduction}",
  huberLoss: "x y {reduction delta}",
  bceWithLogits: "x target {reduction}",
  linear: "x w bias",
  conv1d: `x w {${windows}}`,
  conv2d: `x w {${windows}}`,
  convTranspose1d: `x w {${windows} outputPadding}`,
  maxPool1d: `x {${pools}}`,
  maxPool2d: `x {${pools}}`,
  avgPool1d: `x {${pools} countIncludePad}`,
  avgPool2d: `x {${pools} countIncludePad}`,
  layerNorm: `x {${norms}}`,
  rmsNorm: "x {normalizedShape weight eps}",
  groupNorm: "x {groups weight bias eps}",
  batchNorm: "x {training runningMean runningVar weight bias eps}",
  attention: "q k v {scale mask causal}",
  embedding: "weight indices {paddingIdx}",
} as const;

const methods = {
  clip: "low high",
  sum: reducing,
  mean: reducing,
  prod: reducing,
  max: reducing,
  min: reducing,
  logsumexp: reducing,
  var: "{axis keepdims correction}",
  std: "{axis keepdims correction}",
  norm: "{axis keepdims ord}",
  softmax: "{axis}",
  logSoftmax: "{axis}",
  cumsum: "{axis reverse}",
  cumprod: "{axis}",
  logcumsumexp: "{axis}",
  sort: "{axis descending}",
  diff: "{axis n}",
  diag: "{k}",
  triu: "{k}",
  tril: "{k}",
  cholesky: "{upper}",
  pinv: "{rcond}",
  reshape: "[shape]",
  broadcastTo: "[shape]",
  transpose: "[axes]",
  squeeze: "axis",
  expandDims: "axis",
  slice: "slices",
  split: "sizes axis",
  pad: "widths {mode value}",
  flip: "axes",
  roll: "shifts axis",
  tile: "[reps]",
  repeat: "repeats axis",
  take: "index axis",
  gather: "index axis",
  at: "index...",
  element: "index...",
  item: "",
  matmul: "other",
  dot: "other",
  outer: "other",
  kron: "other",
  solve: "b",
  inverse: "",
  det: "",
  logdet: "",
  trace: "",
  eigvalsh: "",
  expm: "",
  matrixPower: "n",
} as const;

export type ArrayFunction = keyof typeof functions;

const read = (table: Readonly<Record<string, string>>): ReadonlyMap<string, Signature> =>
  new Map(Object.entries(table).map(([name, text]) => [name, signatureOf(name, text)]));

export const functionSignatures = read(functions);

/** Of the methods that are not element by element. */
export const methodSignatures = read(methods);

/** Of a scalar primitive as a method: on one operand it takes nothing, on two the other one. */
export function elementwiseSignature(name: string, arity: number): Signature {
  return methodSignatures.get(name) ?? signatureOf(name, arity === 1 ? "" : "other");
}
