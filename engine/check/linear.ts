/** The two linear maps that are checked: J v by a forward sweep, u^T J by a reverse sweep, as `run` computes them. */
import type { GraphOptions } from "../graph/definition.js";
import { subjectOf } from "../graph/complete.js";
import { push } from "../graph/products.js";
import { GraphRun, type RunOutcome } from "../graph/run.js";
import type { Subject } from "../graph/record.js";
import { toNested } from "../tape/ndarray.js";
import type { OutputInfo } from "../trace/trace.js";
import { nested, outputArray, type InputLayout } from "./point.js";

type Cotangent = GraphOptions["cotangent"];

/** One complete run at x, with the output cotangent of the settings or another. */
export function runAt(
  { definition, settings, context }: Subject,
  layout: InputLayout,
  x: Float64Array,
  cotangent: Cotangent = settings.cotangent,
): RunOutcome {
  const set = definition.given === true ? {} : layout.named(x);
  return new GraphRun(definition, { ...settings, set, cotangent }, context).run();
}

/** Tangents of the outputs, flat, in output order; 0 for outputs that are plain numbers. */
export function tangentsAt(
  { definition, settings }: Subject,
  layout: InputLayout,
  x: Float64Array,
  v: Float64Array,
): number[] {
  const { dtype, cotangentDtype, seed } = settings;
  const options = { ...definition.options, dtype, cotangentDtype, seed };
  const at = definition.given === true ? {} : layout.named(x);
  const { tangents } = push(subjectOf({ ...definition, options }, at), layout.named(v));
  return tangents.flatMap((tangent) => Array.from(nested(tangent).data));
}

/** Elements of all outputs together. */
export function outputSize(outputs: readonly OutputInfo[]): number {
  return outputs.reduce((sum, output) => sum + outputArray(output).data.length, 0);
}

/** A flat vector over the outputs as the option `cotangent` takes it. */
export function cotangentOf(outputs: readonly OutputInfo[], flat: Float64Array): Cotangent {
  let at = 0;
  const parts = outputs.map((output) => {
    const { key } = output;
    const { shape, data } = outputArray(output);
    const part = toNested({ shape, data: flat.slice(at, at + data.length) });
    at += data.length;
    return [key, part] as const;
  });
  if (parts.length === 1 && parts[0][0] === null) return parts[0][1] as Cotangent;
  if (parts.every(([key]) => typeof key === "number")) return parts.map(([, part]) => part) as Cotangent;
  return Object.fromEntries(parts.map(([key, part]) => [String(key), part])) as Cotangent;
}

/** The sum of products. */
export function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] === 0 || b[i] === 0 ? 0 : a[i] * b[i];
  return sum;
}

/** The sum of the products' magnitudes: what rounding errors of `dot` are relative to. */
export function dotSize(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] === 0 || b[i] === 0 ? 0 : Math.abs(a[i] * b[i]);
  return sum;
}
