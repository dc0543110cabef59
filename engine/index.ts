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
export { runningState } from "./graph/running-state.js";
export type { RunningState } from "./graph/running-state.js";
export { chain } from "./graph/chain.js";
export type { ChainOptions } from "./graph/chain.js";
export { checkpoint } from "./graph/checkpoint.js";
export { coupling } from "./graph/coupling.js";
export type { Coupling, Half } from "./graph/coupling.js";
export type { ChainState } from "./graph/state.js";
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
export { onWarning } from "./graph/warnings.js";
export type { WarningListener } from "./graph/warnings.js";
export type { Note, Remark } from "./report/report.js";
export type { Hvp, Jacobian, JacobianMode, JacobianOptions, SpreadTable } from "./graph/queries.js";
export { expression } from "./analysis/expr.js";
export type { ExprDerivative, ExprLine, ExprResult, ExprSize } from "./analysis/expr-result.js";
export { checkGradient } from "./check/check.js";
export type { CheckNote, CheckResult } from "./check/result.js";
export { audit, auditSweep } from "./audit/definition.js";
export type {
  ArrayEngine,
  AuditDefinition,
  BareSweep,
  OwnOperation,
  ScalarEngine,
  SweepAuditOptions,
  SweepTape,
} from "./audit/definition.js";
export { runAudit } from "./audit/audit.js";
export type { AuditOptions } from "./audit/audit.js";
export type { AuditFault, AuditPlace, AuditResult, SmallestGraph } from "./audit/result.js";
export type { FaultClass } from "./audit/fault-class.js";
export { recording, release } from "./recording/create.js";
export type { Recording, RecordingOptions } from "./recording/create.js";
export type { ArrivedContribution, Handle } from "./recording/recording.js";
export { uniformCheckpointCost } from "./checkpoint/model.js";
export type { UniformCost } from "./checkpoint/model.js";
export { parseSchedule } from "./checkpoint/parse.js";
export { planSchedule } from "./checkpoint/plan.js";
export type { Plan } from "./checkpoint/plan.js";
export { binomialCurve, tradeOff } from "./checkpoint/trade-off.js";
export type { Action, Schedule } from "./checkpoint/actions.js";
export { BacksweepError } from "./trace/failure.js";
export type { FailureKind } from "./trace/failure.js";
export type { Trace } from "./trace/trace.js";
export { Timeline } from "./timeline/timeline.js";
export type { Arrival } from "./timeline/timeline.js";
export { CheckpointStates } from "./timeline/checkpoints.js";
export type { PrimalState, SlotAt, StorageAction } from "./timeline/checkpoints.js";
