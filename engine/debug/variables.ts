/** What a Variables view shows, as a tree that is made as far as it is looked at: lists know their length and give pages. */
import { isArray, isKnown, type Quantity } from "../report/quantity.js";
import { full } from "../report/text/format.js";
import { nodeExpression, nodeName } from "../trace/read.js";
import type { Trace } from "../trace/trace.js";

/** What changing a variable means: another input, another seed of an output, another final cotangent of a node; of arrays one element. */
export type Changes =
  | { readonly kind: "input"; readonly node: number; readonly element: number | null }
  | { readonly kind: "seed"; readonly node: number }
  | { readonly kind: "cotangent"; readonly node: number; readonly element: number | null };

export interface Variable {
  readonly name: string;
  readonly value: string;
  readonly type?: string;
  /** an expression that gives this value */
  readonly evaluateName?: string;
  readonly children?: Children;
  readonly changes?: Changes;
  /** a data breakpoint can stand on it: on this node's cotangent, or on this slot */
  readonly watch?: { readonly node: number } | { readonly slot: number };
}

export interface Children {
  readonly count: number;
  /** numbered rows, which a client asks for in pages; otherwise few named ones */
  readonly indexed: boolean;
  at(start: number, count: number): Variable[];
}

export function named(rows: readonly Variable[]): Children {
  return { count: rows.length, indexed: false, at: (start, count) => rows.slice(start, start + count) };
}

/** Lists at most this long are given whole. */
const FEW = 100;

export function listOf(count: number, row: (index: number) => Variable): Children {
  return {
    count,
    indexed: count > FEW,
    at: (start, length) =>
      Array.from({ length: Math.max(0, Math.min(length, count - start)) }, (_, i) => row(start + i)),
  };
}

/** "a", or "#7 x * y" for a node without a name: names of variables must tell them apart. */
export function variableName(trace: Trace, node: number): string {
  return nodeName(trace, node) ?? `#${node} ${nodeExpression(trace, node)}`;
}

/** How an expression names the node. */
export function expressionName(trace: Trace, node: number): string {
  const name = nodeName(trace, node);
  return name !== null && /^[\p{L}_$][\p{L}\p{N}_$#.@[\]]*$/u.test(name) ? name : `#${node}`;
}

export function typeText(quantity: Quantity | undefined): string {
  return isArray(quantity) ? `array [${quantity.shape.join("×")}]` : "number";
}

/** Elements of an array that were kept, by index; undefined for numbers. */
export function elementsOf(
  quantity: Quantity | undefined,
  extra: (index: number) => Partial<Variable> = () => ({}),
): Children | undefined {
  if (!isArray(quantity) || !isKnown(quantity) || quantity.data.length === 0) return undefined;
  const { shape, data, size } = quantity;
  const kept = data.length;
  const rows = kept < size ? kept + 1 : kept;
  return {
    count: rows,
    indexed: true,
    at: (start, count) =>
      Array.from({ length: Math.max(0, Math.min(count, rows - start)) }, (_, i) => {
        const at = start + i;
        if (at === kept) return { name: "...", value: `${size - kept} more elements were not kept` };
        return { name: indexText(at, shape), value: full(data[at]), type: "number", ...extra(at) };
      }),
  };
}

/** "[1][2]" of a row-major position. */
export function indexText(position: number, shape: readonly number[]): string {
  let rest = position;
  let text = "";
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    text = `[${rest % shape[axis]}]${text}`;
    rest = Math.floor(rest / shape[axis]);
  }
  return text;
}
