/**
 * Jacobians of a recording with arrays: a column an element of the inputs, by one forward sweep each, or a row an element
 * of the outputs, by one reverse sweep each. The entries are those of `jacobianSweeps` on scalars.
 */
import { sizeOf, type NDArray, type Shape } from "../tape/ndarray.js";
import type { FlatTape } from "./flat.js";
import type { JacobianResult, JacobianSettings, Orientation } from "./jacobian.js";
import { MixedForward } from "./mixed-forward.js";
import { activeNodes } from "./order.js";
import { reverseSweep } from "./reverse.js";

/** A node that is an input or an output; -1 is a plain value, on which nothing depends. */
export interface Port {
  readonly node: number;
  /** [] for a number */
  readonly shape: Shape;
}

/** Elements of all ports together. */
export function portsSize(ports: readonly Port[]): number {
  return ports.reduce((sum, { shape }) => sum + sizeOf(shape), 0);
}

/** 1 at one element, 0 elsewhere. */
function unit(shape: Shape, at: number): NDArray {
  const data = new Float64Array(sizeOf(shape));
  data[at] = 1;
  return { shape, data };
}

/** The derivative of every element of the outputs in every element of the inputs. */
export function mixedJacobian(
  flat: FlatTape,
  inputs: readonly Port[],
  outputs: readonly Port[],
  orientation: Orientation,
  settings: JacobianSettings,
): JacobianResult {
  return orientation === "forward"
    ? byColumns(flat, inputs, outputs, settings)
    : byRows(flat, inputs, outputs, settings);
}

function byColumns(
  flat: FlatTape,
  inputs: readonly Port[],
  outputs: readonly Port[],
  { round, customRules }: JacobianSettings,
): JacobianResult {
  const n = portsSize(inputs);
  const entries = new Float64Array(n * portsSize(outputs));
  let column = 0;
  for (const { node, shape } of inputs) {
    for (let at = 0; at < sizeOf(shape); at++, column++) {
      const { tangents } = new MixedForward(flat, new Map([[node, unit(shape, at)]]), customRules, round);
      let row = 0;
      for (const output of outputs) {
        const tangent = output.node < 0 ? null : tangents[output.node];
        tangent?.data.forEach((t, i) => (entries[(row + i) * n + column] = t));
        row += sizeOf(output.shape);
      }
    }
  }
  return { entries, sweeps: n };
}

function byRows(
  flat: FlatTape,
  inputs: readonly Port[],
  outputs: readonly Port[],
  { order, round, accumulation, customRules }: JacobianSettings,
): JacobianResult {
  const n = portsSize(inputs);
  const entries = new Float64Array(n * portsSize(outputs));
  const rowOf = new Map<number, number>();
  let row = 0;
  let sweeps = 0;
  for (const { node, shape } of outputs) {
    const size = sizeOf(shape);
    const known = rowOf.get(node);
    if (known !== undefined) {
      // a node returned twice is swept once
      entries.copyWithin(row * n, known * n, (known + size) * n);
    } else if (node >= 0) {
      rowOf.set(node, row);
      const active = activeNodes(flat, [node]);
      const own = order.filter((v) => active[v] === 1);
      for (let at = 0; at < size; at++, sweeps++) {
        const array = unit(shape, at);
        const seed = shape.length === 0 ? { node, cotangent: 1 } : { node, cotangent: 1 / size, array };
        const swept = reverseSweep(flat, {
          order: own,
          seeds: [seed],
          accumulation,
          round,
          customRules,
          assigns: null,
        });
        let column = (row + at) * n;
        for (const input of inputs) {
          const array = swept.arrays?.cotangent.get(input.node);
          if (active[input.node] === 0) entries.fill(0, column, column + sizeOf(input.shape));
          else if (array !== undefined) entries.set(array.data, column);
          else if (input.shape.length === 0) entries[column] = swept.cotangent[input.node];
          column += sizeOf(input.shape);
        }
      }
    }
    row += size;
  }
  return { entries, sweeps };
}
