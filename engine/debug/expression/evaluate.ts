/** Evaluates an expression over the state of a sweep at a position, seen from the node in focus. */
import { isKnown, magnitude, primal, type AnyArray, type ArrayQuantity } from "../../report/quantity.js";
import { NoAnswer } from "../no-answer.js";
import { iterationOf } from "../places.js";
import { arrayFunctions, numericFunctions } from "./functions.js";
import {
  contributionOf,
  contributionTable,
  derivative,
  localDerivative,
  pathTable,
} from "./graph-functions.js";
import { element, find, nodeOf, unknown, type Context } from "./lookup.js";
import { parseExpression, type Expression } from "./parse.js";
import { ExpressionError } from "./tokens.js";
import { isTable, type Value } from "./value.js";

/** Names that stand for something of the place, not for a node; a node of that name hides them. */
const placeWords: Readonly<Record<string, (context: Context) => Value>> = {
  iteration: ({ debuggee, focus }) => (focus < 0 ? -1 : iterationOf(debuggee.trace, focus)),
  step: ({ position }) => position,
  steps: ({ debuggee }) => debuggee.timeline.steps,
  thread: ({ debuggee, position }) => (position < debuggee.timeline.forwardSteps ? "forward" : "reverse"),
};

/** Names of everything that can be called, for completions. */
export const callable: readonly string[] = [
  "bar",
  "d",
  "contributions",
  "contribution",
  "paths",
  "local",
  "arrived",
  "uses",
  "final",
  "slot",
  ...numericFunctions.keys(),
  "norm",
  "mean",
  "sum",
];
export const words: readonly string[] = Object.keys(placeWords);

/** Parses and evaluates. Throws `ExpressionError`. */
export function evaluateText(text: string, context: Context): Value {
  return evaluate(parseExpression(text), context);
}

export function evaluate(expression: Expression, context: Context): Value {
  switch (expression.kind) {
    case "literal":
      return expression.value;
    case "name":
      return named(expression.name, expression.column, context);
    case "call":
      return called(expression, context);
    case "choice": {
      const [condition, yes, no] = expression.operands;
      return evaluate(truth(evaluate(condition, context)) ? yes : no, context);
    }
    case "unary": {
      const value = evaluate(expression.operands[0], context);
      if (expression.op === "!") return !truth(value);
      const x = numeric(value, expression.operands[0]);
      return expression.op === "-" ? -x : x;
    }
    case "binary":
      return binary(expression, context);
  }
}

/** JavaScript's truth; nothing there yet is false. */
export function truth(value: Value): boolean {
  return typeof value === "object" ? true : Boolean(value);
}

function binary(expression: Expression & { kind: "binary" | "unary" | "choice" }, context: Context): Value {
  const { op, operands } = expression;
  const left = evaluate(operands[0], context);
  if (op === "&&") return truth(left) ? evaluate(operands[1], context) : left;
  if (op === "||") return truth(left) ? left : evaluate(operands[1], context);
  const right = evaluate(operands[1], context);
  if (typeof left === "string" || typeof right === "string") return compareText(op, left, right, expression);
  const x = numeric(left, operands[0]);
  const y = numeric(right, operands[1]);
  switch (op) {
    case "+":
      return x + y;
    case "-":
      return x - y;
    case "*":
      return x * y;
    case "/":
      return x / y;
    case "%":
      return x % y;
    case "**":
      return x ** y;
    case "<":
      return x < y;
    case "<=":
      return x <= y;
    case ">":
      return x > y;
    case ">=":
      return x >= y;
    case "==":
    case "===":
      return x === y;
    default:
      return x !== y;
  }
}

function compareText(op: string, left: Value, right: Value, { column }: Expression): Value {
  if (op === "==" || op === "===") return left === right;
  if (op === "!=" || op === "!==") return left !== right;
  throw new ExpressionError(`a text can only be compared with == and !=, not with ${op}`, column);
}

/** The value as a number; what is not there yet is NaN, so that every comparison with it is false. */
function numeric(value: Value, { column }: Expression): number {
  if (typeof value === "number") return value;
  if (typeof value === "boolean") return Number(value);
  if (value === undefined) return NaN;
  if (typeof value === "string") throw new ExpressionError("a text is no number", column);
  if (isTable(value)) throw new ExpressionError("a table is no number", column);
  const hint = "use norm(...), min(...), max(...), mean(...) or an element such as a[0]";
  throw new ExpressionError(`an array ${value.shape.join("×")} is no number: ${hint}`, column);
}

function named(name: string, column: number, context: Context): Value {
  const found = find(name, context);
  if (found === null) {
    const word = Object.hasOwn(placeWords, name) ? placeWords[name] : undefined;
    if (word !== undefined) return word(context);
    throw unknown(name, column, context);
  }
  const { timeline, trace } = context.debuggee;
  if ("elements" in found) return found.elements;
  if (!timeline.isEvaluated(found.node, context.position)) return undefined;
  return element(primal(trace, found.node), found.index, column);
}

type Call = Expression & { kind: "call" };

/** Functions of nodes: how many operands, and what they give. */
const graphFunctions: Readonly<
  Record<string, readonly [count: number, of: (call: Call, context: Context) => Value]>
> = {
  bar: [
    1,
    ({ operands: [a] }, context) => {
      const { node, index } = nodeOf(a, context);
      return element(context.debuggee.running.at(node, context.position), index, a.column);
    },
  ],
  d: [
    2,
    ({ operands: [of, at] }, context) =>
      derivative(context.debuggee, nodeOf(of, context).node, nodeOf(at, context).node),
  ],
  contributions: [
    1,
    ({ operands: [a] }, context) =>
      contributionTable(context.debuggee, nodeOf(a, context).node, context.position),
  ],
  contribution: [
    2,
    ({ operands: [child, a] }, context) =>
      contributionOf(
        context.debuggee,
        nodeOf(child, context).node,
        nodeOf(a, context).node,
        context.position,
      ),
  ],
  paths: [
    2,
    ({ operands: [from, to] }, context) =>
      pathTable(context.debuggee, nodeOf(from, context).node, nodeOf(to, context).node),
  ],
  local: [
    2,
    ({ operands: [a, b] }, context) =>
      localDerivative(context.debuggee.trace, nodeOf(a, context).node, nodeOf(b, context).node),
  ],
  arrived: [
    1,
    ({ operands: [a] }, { debuggee, position, ...rest }) =>
      debuggee.timeline.arrived(nodeOf(a, { debuggee, position, ...rest }).node, position),
  ],
  uses: [1, ({ operands: [a] }, context) => context.debuggee.timeline.slots(nodeOf(a, context).node)],
  final: [
    1,
    ({ operands: [a] }, context) =>
      context.debuggee.timeline.isFinal(nodeOf(a, context).node, context.position),
  ],
  slot: [
    1,
    ({ operands: [slot] }, context) =>
      context.debuggee.slots.at(numeric(evaluate(slot, context), slot), context.position)?.state,
  ],
};

function called(call: Call, context: Context): Value {
  const { name, operands, column } = call;
  const row = Object.hasOwn(graphFunctions, name) ? graphFunctions[name] : undefined;
  if (row !== undefined) {
    if (operands.length !== row[0])
      throw new ExpressionError(
        `${name} takes ${row[0] === 1 ? "one operand" : "two operands"}, not ${operands.length}`,
        column,
      );
    try {
      return row[1](call, context);
    } catch (error) {
      if (error instanceof NoAnswer) throw new ExpressionError(error.message, column);
      throw error;
    }
  }
  const values = operands.map((operand) => evaluate(operand, context));
  const first = values[0];
  if (arrayFunctions.has(name) && values.length === 1 && typeof first === "object" && !isTable(first))
    return statistic(name, first, column);
  if (name === "norm" && values.length === 1) return magnitude(numeric(first, operands[0]));
  if ((name === "mean" || name === "sum") && values.length === 1) return numeric(first, operands[0]);
  const numericRow = numericFunctions.get(name);
  if (numericRow === undefined)
    throw new ExpressionError(
      `there is no function ${name}; there are ${callable.slice(0, 12).join(", ")}, ...`,
      column,
    );
  if (operands.length < numericRow.least || operands.length > numericRow.most)
    throw new ExpressionError(
      `${name} takes ${numericRow.least}${numericRow.most > numericRow.least ? " or more" : ""} values, not ${operands.length}`,
      column,
    );
  return numericRow.of(...values.map((value, i) => numeric(value, operands[i])));
}

function statistic(name: string, array: AnyArray, column: number): number {
  if (!isKnown(array))
    throw new ExpressionError("the elements are not all kept, so this sum is not known yet", column);
  // of an array whose elements are not all kept, the mean is
  if (name === "sum") return sumOfElements(array);
  return array[name as "norm" | "min" | "max" | "mean"];
}

function sumOfElements(array: ArrayQuantity): number {
  return array.data.length === array.size
    ? array.data.reduce((sum, x) => sum + x, 0)
    : array.mean * array.size;
}
