/** Finds what the names of an expression mean: nodes, elements of arrays, lists of inputs. */
import { arrayOf, isArray, isKnown, quantityAt, type Quantity } from "../../report/quantity.js";
import type { Debuggee } from "../debuggee.js";
import type { Expression } from "./parse.js";
import { ExpressionError } from "./tokens.js";
import type { Value } from "./value.js";

export interface Context {
  readonly debuggee: Debuggee;
  readonly position: number;
  /** names are looked up from here */
  readonly focus: number;
  /** the function instance of a frame further up, where names are looked up first */
  readonly home?: number;
}

export type Found =
  { readonly node: number; readonly index: readonly number[] } | { readonly elements: Value };

/** A node by its name, or by the name of an array and an index into its elements; a plain list's elements together. */
export function find(name: string, { debuggee, focus, home }: Context): Found | null {
  const node = debuggee.names.resolve(name, focus, home);
  if (node >= 0) return { node, index: [] };
  const bracket = name.indexOf("[");
  if (bracket > 0) {
    const array = debuggee.names.resolve(name.slice(0, bracket), focus, home);
    const index = Array.from(name.slice(bracket).matchAll(/\[(\d+)\]/g), ([, i]) => Number(i));
    if (array >= 0) return { node: array, index };
  }
  const list = debuggee.trace.header.inputs.find((input) => input.name === name && input.tensor !== true);
  if (list === undefined || list.shape.length !== 1) return null;
  const data = Float64Array.from({ length: list.count }, (_, i) =>
    Number(quantityAt(debuggee.trace, debuggee.trace.nodes.value[list.first + i])),
  );
  return { elements: arrayOf(list.shape, data) };
}

export function element(value: Quantity | undefined, index: readonly number[], column: number): Value {
  if (index.length === 0 || value === undefined) return value;
  if (!isArray(value)) throw new ExpressionError("this is a number and has no elements", column);
  const { shape } = value;
  const text = index.map((i) => `[${i}]`).join("");
  if (index.length !== shape.length || index.some((i, axis) => i >= shape[axis]))
    throw new ExpressionError(`there is no element ${text} in an array ${shape.join("×")}`, column);
  const at = index.reduce((sum, i, axis) => sum * shape[axis] + i, 0);
  if (!isKnown(value) || at >= value.data.length)
    throw new ExpressionError(
      `element ${text} was not kept: only the first elements of a large array are`,
      column,
    );
  return value.data[at];
}

export function unknown(name: string, column: number, { debuggee }: Context): ExpressionError {
  const near = debuggee.names.near(name);
  const meant = near.length > 0 ? `; there are ${near.join(", ")}` : "";
  return new ExpressionError(`there is no node called ${name}${meant}`, column);
}

/** The node an operand names. */
export function nodeOf(operand: Expression, context: Context): { node: number; index: readonly number[] } {
  if (operand.kind !== "name") throw new ExpressionError("the name of a node is wanted here", operand.column);
  const found = find(operand.name, context);
  if (found === null || "elements" in found) throw unknown(operand.name, operand.column, context);
  return found;
}

/** What an expression's value is called when it is one node: for hovers. */
export function nodeNamed(text: string, context: Context): number {
  const found = find(text.trim(), context);
  return found !== null && "node" in found && found.index.length === 0 ? found.node : -1;
}
