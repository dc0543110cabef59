/** The npm package `backsweep`: what a graph definition and a program import. */
export { graph, isGraph } from "./graph/definition.js";
export type {
  GraphDefinition,
  GraphOptions,
  GraphOutput,
  Inputs,
  InputValue,
  Traced,
} from "./graph/definition.js";
export * from "./graph/calls.js";
import "./graph/tensor-methods.js";
export { tensor } from "./graph/array-calls.js";
export type { NestedNumbers, TensorLike } from "./graph/array-calls.js";
export { isTensor, Tensor } from "./tape/tensor.js";
export * from "./graph/array-functions.js";
export type { Along, Padding, Reduce, Slice } from "./graph/tensor-types.js";
export { custom, dropout, normal, random, scope, stopGradient } from "./graph/extras.js";
export type { CustomSpec } from "./graph/extras.js";
export { tape, reverseAccumulate } from "./graph/seed-tape.js";
export type { TapeEntry, TapeNode, Parent } from "./graph/seed-tape.js";
export {
  contributions,
  gradient,
  hessian,
  hessianDiagonal,
  hvp,
  jacobian,
  jvp,
  paths,
  spread,
  sweep,
  valueAndGradient,
  vjp,
} from "./graph/queries.js";
export type { Hvp, Jacobian, JacobianMode, JacobianOptions, SpreadTable } from "./graph/queries.js";
export { expression } from "./analysis/expr.js";
export type { ExprDerivative, ExprLine, ExprResult, ExprSize } from "./analysis/expr-result.js";
export { checkGradient } from "./check/check.js";
export type { CheckNote, CheckResult } from "./check/result.js";
export { recording, release } from "./recording/create.js";
export type { Recording, RecordingOptions } from "./recording/create.js";
export type { ArrivedContribution, Handle } from "./recording/recording.js";
export { BacksweepError } from "./trace/failure.js";
export type { FailureKind } from "./trace/failure.js";
export type { Trace } from "./trace/trace.js";
export { Timeline } from "./timeline/timeline.js";
export type { Arrival } from "./timeline/timeline.js";
