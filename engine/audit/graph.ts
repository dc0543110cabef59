/**
 * Graphs the audit makes up, as data, and the truth about them: values and cotangents by the table's rules in reverse
 * order of recording. A scalar is an array without axes; elementwise operations broadcast.
 */
import { broadcastShapes } from "../ops/array/broadcast.js";
import { sizeOf, type Shape } from "../tape/ndarray.js";
import type { AuditOperation } from "./operations.js";

export interface AuditInput {
  readonly shape: Shape;
  readonly data: readonly number[];
}

export interface AuditStep {
  /** index into the list of operations */
  readonly op: number;
  /** node indices: inputs first, then steps */
  readonly operands: readonly number[];
}

export interface AuditGraph {
  readonly inputs: readonly AuditInput[];
  readonly steps: readonly AuditStep[];
  /** node whose elements are summed and swept from */
  readonly output: number;
  /** its cotangent */
  readonly seed: number;
}

export interface AuditNode {
  readonly shape: Shape;
  readonly value: Float64Array;
}

/** One operand slot: what its element pays, element by element of the consumer. */
export interface AuditEdge {
  readonly from: number;
  readonly to: number;
  readonly slot: number;
  /** local derivative by element of `to`; NaN for matmul, whose pull is no product of elements */
  readonly local: Float64Array;
  readonly contribution: Float64Array;
}

export interface Truth {
  readonly nodes: readonly AuditNode[];
  readonly edges: readonly AuditEdge[];
  readonly cotangent: readonly Float64Array[];
  /** the same with every term's magnitude: what rounding is measured against */
  readonly scale: readonly Float64Array[];
  /** nodes on a path to the output */
  readonly active: readonly boolean[];
}

export const nodeCount = (graph: AuditGraph): number => graph.inputs.length + graph.steps.length;

/** Index of an operand's element for an element of the broadcast result. */
export function indexMap(from: Shape, to: Shape): (i: number) => number {
  if (sizeOf(from) === 1) return () => 0;
  if (from.length === to.length && from.every((n, axis) => n === to[axis])) return (i) => i;
  const strides: number[] = [];
  let stride = 1;
  for (let axis = from.length - 1; axis >= 0; axis--) {
    strides[axis] = from[axis] === 1 ? 0 : stride;
    stride *= from[axis];
  }
  const lead = to.length - from.length;
  return (i) => {
    let rest = i;
    let at = 0;
    for (let axis = to.length - 1; axis >= 0; axis--) {
      const index = rest % to[axis];
      rest = Math.floor(rest / to[axis]);
      if (axis >= lead) at += index * strides[axis - lead];
    }
    return at;
  };
}

/** Shape of a step's result, or null where the operands do not fit. */
export function stepShape(op: AuditOperation, shapes: readonly Shape[]): Shape | null {
  switch (op.kind) {
    case "sum":
    case "mean":
      return [];
    case "matmul": {
      const [a, b] = shapes;
      return a.length === 2 && b.length === 2 && a[1] === b[0] ? [a[0], b[1]] : null;
    }
    default:
      if (shapes.some((shape) => String(shape) !== String(shapes[0])))
        if (!op.broadcasts || op.refused.has(shapes.join("|"))) return null;
      try {
        return broadcastShapes(op.name, shapes);
      } catch {
        return null;
      }
  }
}

interface Forward {
  readonly node: AuditNode;
  /** per slot */
  readonly locals: readonly Float64Array[];
}

function elementwise(
  op: AuditOperation,
  operands: readonly AuditNode[],
  shape: Shape,
  given: Given,
): Forward {
  const size = sizeOf(shape);
  const value = new Float64Array(size);
  const locals = operands.map(() => new Float64Array(size));
  const maps = operands.map((operand) => indexMap(operand.shape, shape));
  for (let i = 0; i < size; i++) {
    const at = operands.map((operand, k) => operand.value[maps[k](i)]);
    const y = op.value === null ? (given?.[i] ?? Number.NaN) : op.value(at);
    value[i] = y;
    const partials = op.locals(at, y);
    for (let k = 0; k < locals.length; k++) locals[k][i] = partials[k];
  }
  return { node: { shape, value }, locals };
}

type Given = ArrayLike<number> | null | undefined;

function forward(op: AuditOperation, operands: readonly AuditNode[], shape: Shape, given: Given): Forward {
  const [a, b] = operands;
  switch (op.kind) {
    case "sum":
    case "mean": {
      const factor = op.kind === "sum" ? 1 : 1 / a.value.length;
      let sum = 0;
      for (const x of a.value) sum += x;
      return { node: { shape, value: Float64Array.of(sum * factor) }, locals: [Float64Array.of(factor)] };
    }
    case "matmul": {
      const [n, m] = shape;
      const inner = a.shape[1];
      const value = new Float64Array(n * m);
      for (let i = 0; i < n; i++)
        for (let j = 0; j < m; j++)
          for (let k = 0; k < inner; k++) value[i * m + j] += a.value[i * inner + k] * b.value[k * m + j];
      const none = new Float64Array(n * m).fill(Number.NaN);
      return { node: { shape, value }, locals: [none, none] };
    }
    default:
      return elementwise(op, operands, shape, given);
  }
}

/**
 * A derivative smaller than this is judged by its absolute error: 1 - tanh(x)^2 and its like cancel where they are small,
 * and are right all the same.
 */
const SMALL_LOCAL = 1e-5;

/** Contribution to the operand in `slot`, in the operand's shape; `magnitudes`: of every term's magnitude. */
function pull(
  op: AuditOperation,
  operands: readonly AuditNode[],
  slot: number,
  g: Float64Array,
  local: Float64Array,
  shape: Shape,
  magnitudes: boolean,
): Float64Array {
  const operand = operands[slot];
  const out = new Float64Array(operand.value.length);
  const part = (x: number): number => (magnitudes ? Math.abs(x) + SMALL_LOCAL : x);
  if (op.kind === "matmul") {
    const [n, m] = shape;
    const other = operands[1 - slot];
    const inner = operands[0].shape[1];
    for (let i = 0; i < n; i++)
      for (let j = 0; j < m; j++)
        for (let k = 0; k < inner; k++) {
          if (slot === 0) out[i * inner + k] += g[i * m + j] * part(other.value[k * m + j]);
          else out[k * m + j] += g[i * m + j] * part(other.value[i * inner + k]);
        }
    return out;
  }
  if (op.kind !== "elementwise") return out.fill(g[0] * part(local[0]));
  const map = indexMap(operand.shape, shape);
  for (let i = 0; i < g.length; i++) out[map(i)] += g[i] * part(local[i]);
  return out;
}

/**
 * Values, contributions and cotangents of a graph.
 *
 * @param given values of nodes whose operation has none of its own, by node
 */
export function truthOf(
  graph: AuditGraph,
  operations: readonly AuditOperation[],
  given: readonly Given[] = [],
): Truth {
  const nodes: AuditNode[] = graph.inputs.map(({ shape, data }) => ({
    shape,
    value: Float64Array.from(data),
  }));
  const first = nodes.length;
  const locals: (readonly Float64Array[])[] = [];
  for (const step of graph.steps) {
    const op = operations[step.op];
    const operands = step.operands.map((v) => nodes[v]);
    const shape =
      stepShape(
        op,
        operands.map((node) => node.shape),
      ) ?? [];
    const made = forward(op, operands, shape, given[nodes.length]);
    nodes.push(made.node);
    locals.push(made.locals);
  }
  const cotangent = nodes.map(({ value }) => new Float64Array(value.length));
  const scale = nodes.map(({ value }) => new Float64Array(value.length));
  const active = nodes.map(() => false);
  cotangent[graph.output].fill(graph.seed);
  scale[graph.output].fill(Math.abs(graph.seed));
  active[graph.output] = true;
  const edges: AuditEdge[] = [];
  for (let v = graph.output; v >= first; v--) {
    if (!active[v]) continue;
    const step = graph.steps[v - first];
    const op = operations[step.op];
    const operands = step.operands.map((p) => nodes[p]);
    step.operands.forEach((p, slot) => {
      const local = locals[v - first][slot];
      const contribution = pull(op, operands, slot, cotangent[v], local, nodes[v].shape, false);
      const size = pull(op, operands, slot, scale[v], local, nodes[v].shape, true);
      for (let i = 0; i < contribution.length; i++) {
        cotangent[p][i] += contribution[i];
        scale[p][i] += size[i];
      }
      active[p] = true;
      edges.push({ from: v, to: p, slot, local, contribution });
    });
  }
  return { nodes, edges, cotangent, scale, active };
}

/** Numbers a graph must stay within to say something: finite, neither vast nor at a kink. */
const LARGEST = 1e4;
/** Operands of functions that engines write with exp: none of the usual formulas overflows there, in binary32 neither. */
const LARGEST_IN_EXP = 20;
const arithmetic = new Set(
  "add sub mul div neg square reciprocal sqrt cbrt abs min max clip where relu leakyRelu hypot".split(" "),
);

/** True if the step can be judged: finite value and derivatives of moderate size, away from kinks. */
export function isTame(op: AuditOperation, operands: readonly AuditNode[]): boolean {
  const shape = stepShape(
    op,
    operands.map((node) => node.shape),
  );
  if (shape === null || sizeOf(shape) > 64) return false;
  const most = op.kind !== "elementwise" || arithmetic.has(op.name) ? LARGEST : LARGEST_IN_EXP;
  if (!operands.every(({ value }) => value.every((x) => !(Math.abs(x) > most)))) return false;
  if (op.value === null) return true;
  const { node, locals } = forward(op, operands, shape, null);
  const fine = (x: number): boolean => Math.abs(x) <= LARGEST;
  if (!node.value.every(fine)) return false;
  if (op.kind !== "elementwise") return true;
  if (!locals.every((local) => local.every(fine))) return false;
  const maps = operands.map((operand) => indexMap(operand.shape, shape));
  for (let i = 0; i < node.value.length; i++) {
    const at = operands.map((operand, k) => operand.value[maps[k](i)]);
    if (op.isKink(at) || atAnEdge(op, at, node.value[i], (k) => locals[k][i])) return false;
  }
  return true;
}

/** How far from a kink, a jump or the end of its domain an operation is judged: conventions differ there, and rounding decides. */
const MARGIN = 1e-6;

function atAnEdge(
  op: AuditOperation,
  at: readonly number[],
  y: number,
  local: (slot: number) => number,
): boolean {
  if (!op.branches) return false;
  for (let k = 0; k < at.length; k++)
    for (const sign of [-1, 1]) {
      const moved = at.slice();
      const step = MARGIN * (1 + Math.abs(at[k]));
      moved[k] += sign * step;
      const value = op.value!(moved);
      if (!(Math.abs(value - y) <= 0.01 * (1 + Math.abs(y)) + 2 * step * Math.abs(local(k)))) return true;
      const there = op.locals(moved, value);
      for (let slot = 0; slot < at.length; slot++)
        if (!(Math.abs(there[slot] - local(slot)) <= 0.01 * (1 + Math.abs(local(slot))))) return true;
    }
  return false;
}

/** One step evaluated, for a generator that looks as it goes. */
export function stepNode(op: AuditOperation, operands: readonly AuditNode[]): AuditNode {
  const shape =
    stepShape(
      op,
      operands.map((node) => node.shape),
    ) ?? [];
  return forward(op, operands, shape, null).node;
}

/** True if every step of a graph is tame. */
export function isTameGraph(graph: AuditGraph, operations: readonly AuditOperation[]): boolean {
  const nodes: AuditNode[] = graph.inputs.map(({ shape, data }) => ({
    shape,
    value: Float64Array.from(data),
  }));
  for (const step of graph.steps) {
    const operands = step.operands.map((v) => nodes[v]);
    if (!isTame(operations[step.op], operands)) return false;
    nodes.push(stepNode(operations[step.op], operands));
  }
  return true;
}
