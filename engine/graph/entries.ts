/** Numbers of a query in the shapes of outputs and inputs. Imports no sweep: the command line reads results with it. */
import type { GradientValue } from "../report/report.js";
import { sizeOf, toNested } from "../tape/ndarray.js";
import type { InputInfo, OutputInfo } from "../trace/trace.js";

/** An output's value: a number, or nested arrays. */
export function outputValue({ value, array }: OutputInfo): GradientValue {
  return array === undefined ? value : (toNested(array) as GradientValue);
}

/** Nested arrays of a shape, of one thing an element; the thing itself for a scalar. */
export function nest<T>(shape: readonly number[], at: (index: number) => T): unknown {
  // which element stands where is what `toNested` makes of their indices
  const build = (indices: unknown): unknown =>
    Array.isArray(indices) ? indices.map(build) : at(indices as number);
  const size = sizeOf(shape);
  return build(toNested({ shape, data: Float64Array.from({ length: size }, (_, i) => i) }));
}

/** What is needed of a Jacobian to read it. */
export interface Entries {
  readonly inputs: readonly InputInfo[];
  readonly outputs: readonly OutputInfo[];
  /** row-major, a row an output number, a column an input number */
  readonly entries: Float64Array;
}

/**
 * Derivatives of one output by input name, nested in the output's shape and then in the input's: of an output of shape [2]
 * and an input W of shape [3, 3], `W[i][k][l]`.
 */
export function byRow({ inputs, outputs, entries }: Entries, output: number): Record<string, unknown> {
  const columns = inputs.reduce((sum, { shape }) => sum + sizeOf(shape), 0);
  const first = outputs.slice(0, output).reduce((sum, { array }) => sum + sizeOf(array?.shape ?? []), 0);
  const out: Record<string, unknown> = Object.create(null);
  let column = 0;
  for (const { name, shape } of inputs) {
    const from = column;
    out[name] = nest(outputs[output].array?.shape ?? [], (row) =>
      nest(shape, (i) => entries[(first + row) * columns + from + i]),
    );
    column += sizeOf(shape);
  }
  return { ...out };
}

/** One entry an output: as the graph returned them, a single one, an array or a record. */
export type PerOutput<T> = T | T[] | Record<string, T>;

/** Entries of a table in the shape in which the graph returned its outputs. */
export function byOutput<T>(outputs: readonly OutputInfo[], at: (row: number) => T): PerOutput<T> {
  if (outputs.length === 1 && outputs[0].key === null) return at(0);
  if (outputs.every(({ key }) => typeof key === "number")) return outputs.map((_, i) => at(i));
  const out: Record<string, T> = Object.create(null);
  outputs.forEach(({ key }, i) => (out[String(key)] = at(i)));
  return { ...out };
}
