/** What the module exports: every kernel in both formats. */
import { binary, scaledProduct, ternary, unary } from "./elementwise";
import { chain, fillBlock } from "./chain";
import { dot, finish, greatest, greatestAbs, least, maxAxis, minAxis, sum, sumAxis, total } from "./reduce";
import { matmul } from "./matmul";
import { binaryRows } from "./rows";
import { statistics } from "./statistics";

export { constants, exp, sigmoid, tanh, tanhSlope } from "./functions";
export { forward, reverse } from "./replay";
export { clear } from "./reduce";

export function binary_f64(
  op: i32,
  out: usize,
  a: usize,
  aStep: usize,
  b: usize,
  bStep: usize,
  n: i32,
): void {
  binary<f64>(op, out, a, aStep, b, bStep, n);
}
export function unary_f64(op: i32, out: usize, a: usize, n: i32): void {
  unary<f64>(op, out, a, n);
}
export function ternary_f64(op: i32, out: usize, a: usize, aStep: usize, b: usize, c: usize, n: i32): void {
  ternary<f64>(op, out, a, aStep, b, c, n);
}
export function scaledProduct_f64(
  out: usize,
  g: usize,
  gStep: usize,
  scalar: usize,
  x: usize,
  n: i32,
): void {
  scaledProduct<f64>(out, g, gStep, scalar, x, n);
}
export function binaryRows_f64(
  op: i32,
  out: usize,
  a: usize,
  aRow: usize,
  aStep: usize,
  b: usize,
  bRow: usize,
  bStep: usize,
  rows: i32,
  cols: i32,
  scratch: usize,
): void {
  binaryRows<f64>(op, out, a, aRow, aStep, b, bRow, bStep, rows, cols, scratch);
}
export function matmul_f64(
  c: usize,
  a: usize,
  ai: usize,
  ap: usize,
  b: usize,
  bp: usize,
  bj: usize,
  m: i32,
  n: i32,
  k: i32,
  accumulate: bool,
  scratch: usize,
  scratchBytes: i32,
): void {
  matmul<f64>(c, a, ai, ap, b, bp, bj, m, n, k, accumulate, scratch, scratchBytes);
}
export function sum_f64(a: usize, n: i32, scratch: usize): f64 {
  return sum<f64>(a, n, scratch);
}
export function dot_f64(a: usize, b: usize, n: i32, scratch: usize): f64 {
  return dot<f64>(a, b, n, scratch);
}
export function greatest_f64(a: usize, n: i32): f64 {
  return greatest<f64>(a, n);
}
export function least_f64(a: usize, n: i32): f64 {
  return least<f64>(a, n);
}
export function greatestAbs_f64(a: usize, n: i32): f64 {
  return greatestAbs<f64>(a, n);
}
export function sumAxis_f64(out: usize, a: usize, outer: i32, axis: i32, inner: i32, scratch: usize): void {
  sumAxis<f64>(out, a, outer, axis, inner, scratch);
}
export function maxAxis_f64(out: usize, a: usize, outer: i32, axis: i32, inner: i32): void {
  maxAxis<f64>(out, a, outer, axis, inner);
}
export function minAxis_f64(out: usize, a: usize, outer: i32, axis: i32, inner: i32): void {
  minAxis<f64>(out, a, outer, axis, inner);
}
export function statistics_f64(out: usize, a: usize, n: i32, scratch: usize): void {
  statistics<f64>(out, a, n, scratch);
}
export function fillBlock_f64(at: usize, value: f64): void {
  fillBlock<f64>(at, value);
}
export function chain_f64(
  words: usize,
  instructions: i32,
  slots: usize,
  slotCount: i32,
  sums: usize,
  sumCount: i32,
  totals: usize,
  n: i32,
  scratch: usize,
): void {
  chain<f64>(words, instructions, slots, slotCount, sums, sumCount, totals, n, scratch);
}
export function binary_f32(
  op: i32,
  out: usize,
  a: usize,
  aStep: usize,
  b: usize,
  bStep: usize,
  n: i32,
): void {
  binary<f32>(op, out, a, aStep, b, bStep, n);
}
export function unary_f32(op: i32, out: usize, a: usize, n: i32): void {
  unary<f32>(op, out, a, n);
}
export function ternary_f32(op: i32, out: usize, a: usize, aStep: usize, b: usize, c: usize, n: i32): void {
  ternary<f32>(op, out, a, aStep, b, c, n);
}
export function scaledProduct_f32(
  out: usize,
  g: usize,
  gStep: usize,
  scalar: usize,
  x: usize,
  n: i32,
): void {
  scaledProduct<f32>(out, g, gStep, scalar, x, n);
}
export function binaryRows_f32(
  op: i32,
  out: usize,
  a: usize,
  aRow: usize,
  aStep: usize,
  b: usize,
  bRow: usize,
  bStep: usize,
  rows: i32,
  cols: i32,
  scratch: usize,
): void {
  binaryRows<f32>(op, out, a, aRow, aStep, b, bRow, bStep, rows, cols, scratch);
}
export function matmul_f32(
  c: usize,
  a: usize,
  ai: usize,
  ap: usize,
  b: usize,
  bp: usize,
  bj: usize,
  m: i32,
  n: i32,
  k: i32,
  accumulate: bool,
  scratch: usize,
  scratchBytes: i32,
): void {
  matmul<f32>(c, a, ai, ap, b, bp, bj, m, n, k, accumulate, scratch, scratchBytes);
}
export function sum_f32(a: usize, n: i32, scratch: usize): f64 {
  return <f64>sum<f32>(a, n, scratch);
}
export function dot_f32(a: usize, b: usize, n: i32, scratch: usize): f64 {
  return <f64>dot<f32>(a, b, n, scratch);
}
export function greatest_f32(a: usize, n: i32): f64 {
  return <f64>greatest<f32>(a, n);
}
export function least_f32(a: usize, n: i32): f64 {
  return <f64>least<f32>(a, n);
}
export function greatestAbs_f32(a: usize, n: i32): f64 {
  return <f64>greatestAbs<f32>(a, n);
}
export function sumAxis_f32(out: usize, a: usize, outer: i32, axis: i32, inner: i32, scratch: usize): void {
  sumAxis<f32>(out, a, outer, axis, inner, scratch);
}
export function maxAxis_f32(out: usize, a: usize, outer: i32, axis: i32, inner: i32): void {
  maxAxis<f32>(out, a, outer, axis, inner);
}
export function minAxis_f32(out: usize, a: usize, outer: i32, axis: i32, inner: i32): void {
  minAxis<f32>(out, a, outer, axis, inner);
}
export function statistics_f32(out: usize, a: usize, n: i32, scratch: usize): void {
  statistics<f32>(out, a, n, scratch);
}
export function fillBlock_f32(at: usize, value: f64): void {
  fillBlock<f32>(at, value);
}
export function chain_f32(
  words: usize,
  instructions: i32,
  slots: usize,
  slotCount: i32,
  sums: usize,
  sumCount: i32,
  totals: usize,
  n: i32,
  scratch: usize,
): void {
  chain<f32>(words, instructions, slots, slotCount, sums, sumCount, totals, n, scratch);
}
export function finish_f64(lanes: usize, stack: usize): void {
  finish<f64>(lanes, stack);
}
export function total_f64(stack: usize): f64 {
  return <f64>total<f64>(stack);
}
export function finish_f32(lanes: usize, stack: usize): void {
  finish<f32>(lanes, stack);
}
export function total_f32(stack: usize): f64 {
  return <f64>total<f32>(stack);
}
