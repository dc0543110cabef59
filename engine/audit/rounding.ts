/**
 * How far rounding can carry an engine that is right from the truth, number by number. A running error analysis (Higham,
 * Accuracy and Stability of Numerical Algorithms, 2nd ed., section 3.3): each operation passes on what its operands may be
 * off by, measured by evaluating it there, and adds the rounding of its own; the sweep does the same with local derivatives.
 * A branch, a pole or an overflow within reach makes a bound infinite or large: such a number says nothing about the engine.
 */
import { indexMap, type AuditGraph, type AuditNode, type Truth } from "./graph.js";
import type { AuditOperation } from "./operations.js";

/** An engine's numbers: the distance of 1 to its neighbour below, and a magnitude that is near its largest. */
export interface Precision {
  readonly unit: number;
  readonly largest: number;
}

export const binary64: Precision = { unit: 2 ** -53, largest: 1e300 };
export const binary32: Precision = { unit: 2 ** -24, largest: 1e37 };

/** By node and element: what values and cotangents may be off by. */
export interface Bounds {
  readonly value: readonly Float64Array[];
  readonly cotangent: readonly Float64Array[];
}

/** Roundings an operation may take, by whatever formula; those that cancel are off by units of 1, not of the result. */
const ROUNDINGS = 16;

const own = (x: number, { unit }: Precision): number => ROUNDINGS * unit * (Math.abs(x) + 1);
/** NaN is as far as it can be. */
const distance = (a: number, b: number): number => {
  const d = Math.abs(a - b);
  return Number.isNaN(d) ? Infinity : d;
};
/** A product in which nothing times infinity is nothing. */
const times = (a: number, b: number): number => (a === 0 || b === 0 ? 0 : a * b);

/** What a step's value and its local derivatives, by slot and element, may be off by. */
interface StepBounds {
  readonly value: Float64Array;
  readonly locals: readonly Float64Array[];
}

function elementwise(
  op: AuditOperation,
  operands: readonly AuditNode[],
  off: readonly Float64Array[],
  node: AuditNode,
  precision: Precision,
): StepBounds {
  const size = node.value.length;
  const value = new Float64Array(size);
  const locals = operands.map(() => new Float64Array(size));
  const maps = operands.map(({ shape }) => indexMap(shape, node.shape));
  for (let i = 0; i < size; i++) {
    const at = operands.map((operand, k) => operand.value[maps[k](i)]);
    const y = node.value[i];
    const exact = op.locals(at, y);
    const localOff = exact.map((x) => own(x, precision));
    const beside = (moved: readonly number[], there: number): number => {
      op.locals(moved, there).forEach((x, k) => {
        changes[k] = Math.max(changes[k], distance(x, exact[k]));
      });
      return distance(there, y);
    };
    let changes = exact.map(() => 0);
    let valueOff = own(y, precision);
    const settle = (): void => {
      changes.forEach((change, k) => {
        localOff[k] += change;
      });
      changes = exact.map(() => 0);
    };
    for (let k = 0; k < at.length; k++) {
      const step = off[k][maps[k](i)];
      let most = 0;
      for (const sign of [-1, 1]) {
        const moved = at.with(k, at[k] + sign * step);
        most = Math.max(most, beside(moved, op.value === null ? y : op.value(moved)));
      }
      valueOff += most;
      settle();
    }
    // a rule that reads the engine's own value reads it with its rounding
    for (const sign of [-1, 1]) beside(at, y + sign * valueOff);
    settle();
    value[i] = valueOff;
    for (let k = 0; k < locals.length; k++) locals[k][i] = localOff[k];
  }
  return { value, locals };
}

function stepBounds(
  op: AuditOperation,
  operands: readonly AuditNode[],
  off: readonly Float64Array[],
  node: AuditNode,
  precision: Precision,
): StepBounds {
  const round = ROUNDINGS * precision.unit;
  if (op.kind === "elementwise") return elementwise(op, operands, off, node, precision);
  const [a, b] = operands;
  if (op.kind !== "matmul") {
    let sum = 0;
    a.value.forEach((x, i) => (sum += off[0][i] + round * Math.abs(x)));
    return { value: Float64Array.of(sum), locals: [Float64Array.of(round)] };
  }
  const [n, m] = node.shape;
  const inner = a.shape[1];
  const value = new Float64Array(n * m);
  for (let i = 0; i < n; i++)
    for (let j = 0; j < m; j++)
      for (let k = 0; k < inner; k++) {
        const [x, y] = [i * inner + k, k * m + j];
        const both = Math.abs(a.value[x]) + off[0][x];
        value[i * m + j] +=
          times(both, off[1][y]) +
          times(off[0][x], Math.abs(b.value[y])) +
          round * both * Math.abs(b.value[y]);
      }
  // its local derivatives are the other operand's elements, off by what these are
  return { value, locals: [] };
}

/** Index of every product of a pull: the consumer's element, the operand's, and the one that is multiplied by. */
type Product = (g: number, to: number, local: number, localOff: number) => void;

function products(
  op: AuditOperation,
  operands: readonly AuditNode[],
  off: readonly Float64Array[],
  slot: number,
  node: AuditNode,
  local: Float64Array,
  localOff: Float64Array | undefined,
  each: Product,
): void {
  if (op.kind === "matmul") {
    const [n, m] = node.shape;
    const inner = operands[0].shape[1];
    const other = operands[1 - slot].value;
    const otherOff = off[1 - slot];
    for (let i = 0; i < n; i++)
      for (let j = 0; j < m; j++)
        for (let k = 0; k < inner; k++) {
          const [left, right] = [i * inner + k, k * m + j];
          const [to, by] = slot === 0 ? [left, right] : [right, left];
          each(i * m + j, to, other[by], otherOff[by]);
        }
    return;
  }
  if (op.kind !== "elementwise") {
    for (let i = 0; i < operands[0].value.length; i++) each(0, i, local[0], localOff![0]);
    return;
  }
  const map = indexMap(operands[slot].shape, node.shape);
  for (let i = 0; i < node.value.length; i++) each(i, map(i), local[i], localOff![i]);
}

/** Bounds for a graph whose truth is known, for an engine that computes in this precision. */
export function roundingBounds(
  graph: AuditGraph,
  operations: readonly AuditOperation[],
  truth: Truth,
  precision: Precision,
): Bounds {
  const first = graph.inputs.length;
  const { nodes } = truth;
  const value: Float64Array[] = nodes.slice(0, first).map((node) => node.value.map((x) => own(x, precision)));
  const steps: StepBounds[] = graph.steps.map((step, i) => {
    const operands = step.operands.map((p) => nodes[p]);
    const made = stepBounds(
      operations[step.op],
      operands,
      step.operands.map((p) => value[p]),
      nodes[first + i],
      precision,
    );
    value.push(made.value);
    return made;
  });
  const cotangent = nodes.map((node) => new Float64Array(node.value.length));
  // the sum of all paths' magnitudes, which an engine may add up in any order
  const size = nodes.map((node) => new Float64Array(node.value.length));
  size[graph.output].fill(Math.abs(graph.seed));
  const round = ROUNDINGS * precision.unit;
  for (const { from, to, slot, local } of truth.edges) {
    const { op, operands } = graph.steps[from - first];
    products(
      operations[op],
      operands.map((p) => nodes[p]),
      operands.map((p) => value[p]),
      slot,
      nodes[from],
      local,
      steps[from - first].locals[slot],
      (g, element, x, off) => {
        const reach = Math.abs(x) + off;
        size[to][element] += times(size[from][g], reach);
        cotangent[to][element] +=
          times(cotangent[from][g], reach) +
          times(size[from][g], off) +
          round * times(size[from][g], Math.abs(x));
        if (!(size[to][element] <= precision.largest)) cotangent[to][element] = Infinity;
      },
    );
  }
  // what is smaller than the smallest normal number is lost
  for (const list of cotangent) list.forEach((x, i) => (list[i] = x + 1 / precision.largest));
  return { value, cotangent };
}
