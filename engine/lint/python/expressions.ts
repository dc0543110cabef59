/** Expressions of Python as those of the rules' tree. Calls and comprehensions have files of their own. */
import type { Node } from "../tree.js";
import { lowerCall } from "./calls.js";
import { comprehension } from "./comprehensions.js";
import { lambda } from "./functions.js";
import {
  assign,
  behind,
  binary,
  construct,
  listOf,
  literalOf,
  make,
  method,
  name,
  spread,
  type Lowering,
} from "./lowering.js";
import { named, part, unwrapped, type Syntax } from "./syntax.js";
import { lowerSubscript } from "./subscripts.js";
import { textNode } from "./texts.js";

/** Products of matrices are products; what rounds or cuts is a quotient. */
const OPERATORS: Readonly<Record<string, string>> = { "@": "*", "//": "/" };

const COMPARED: Readonly<Record<string, string>> = {
  "==": "===",
  "!=": "!==",
  "<>": "!==",
  is: "===",
  "is not": "!==",
};

export function lowerExpression(low: Lowering, node: Syntax): Node {
  switch (node.type) {
    case "identifier":
      return low.reference(low.source(node), node);
    case "integer":
    case "float":
      return literalOf(numberOf(low.source(node)), node);
    case "true":
      return literalOf(true, node);
    case "false":
      return literalOf(false, node);
    case "none":
      return literalOf(null, node);
    case "ellipsis":
      return name("undefined", node);
    case "string":
    case "concatenated_string":
      return textNode(low, node);
    case "attribute":
      return attribute(low, node);
    case "subscript":
      return lowerSubscript(low, node);
    case "call":
      return lowerCall(low, node);
    case "list":
    case "tuple":
    case "expression_list":
    case "pattern_list":
    case "tuple_pattern":
    case "list_pattern":
      return listOf(elements(low, node), node);
    case "set":
      return construct("Set", [listOf(elements(low, node), node)], node);
    case "dictionary":
      return dictionary(low, node);
    case "list_comprehension":
    case "set_comprehension":
    case "dictionary_comprehension":
    case "generator_expression":
      return comprehension(low, node);
    case "lambda":
      return lambda(low, node);
    default:
      return compound(low, node);
  }
}

function compound(low: Lowering, node: Syntax): Node {
  const inside = named(node);
  const operand = (field: string): Node => operandOf(low, node, field);
  switch (node.type) {
    case "parenthesized_expression":
      return inside.length > 0 ? low.expression(inside[0]) : listOf([], node);
    case "conditional_expression": {
      if (inside.length < 3) return unknown(low, node);
      const [consequent, test, alternate] = inside.map((one) => low.expression(one));
      return make("ConditionalExpression", node, { test, consequent, alternate });
    }
    case "boolean_operator":
      return make("LogicalExpression", node, {
        operator: operatorOf(low, node) === "and" ? "&&" : "||",
        left: operand("left"),
        right: operand("right"),
      });
    case "not_operator":
      return negated(operand("argument"), node);
    case "comparison_operator":
      return comparison(low, node);
    case "binary_operator": {
      const operator = operatorOf(low, node);
      if (operator === "*") {
        const repeated = repeatedList(low, node);
        if (repeated !== null) return repeated;
      }
      return binary(OPERATORS[operator] ?? operator, operand("left"), operand("right"), node);
    }
    case "unary_operator":
      return make("UnaryExpression", node, {
        operator: operatorOf(low, node),
        argument: operand("argument"),
      });
    case "named_expression": {
      const id = part(node, "name");
      if (id === null) return unknown(low, node);
      low.bindInside(low.source(id));
      return assign(low.expression(id), operand("value"), node);
    }
    case "await":
      return make("AwaitExpression", node, { argument: low.expression(inside[0] ?? node) });
    case "yield":
      return make("YieldExpression", node, {
        argument: inside.length === 0 ? null : low.expression(inside[0]),
      });
    case "list_splat":
    case "dictionary_splat":
    case "list_splat_pattern":
      return inside.length > 0 ? spread(low.expression(inside[0])) : unknown(low, node);
    case "keyword_argument":
      return operand("value");
    case "assignment":
    case "augmented_assignment":
      return assign(operand("left"), operand("right"), node);
    default:
      return unknown(low, node);
  }
}

/** What the grammar could not read, or nothing of ours: its parts are looked at, and it stands for nothing. */
function unknown(low: Lowering, node: Syntax): Node {
  const inside = node.type === "ERROR" ? [] : named(node).filter(({ type }) => !/type|pattern/.test(type));
  return make("SequenceExpression", node, {
    expressions: [...inside.map((one) => low.expression(one)), name("undefined", behind(node))],
  });
}

const operandOf = (low: Lowering, node: Syntax, field: string): Node => {
  const child = part(node, field);
  return child === null ? name("undefined", behind(node)) : low.expression(child);
};

const operatorOf = (low: Lowering, node: Syntax): string => {
  const operator = part(node, "operator");
  return operator === null ? "" : low.source(operator);
};

export const negated = (argument: Node, at: Syntax): Node =>
  make("UnaryExpression", at, { operator: "!", argument });

const numberOf = (text: string): number => Number(text.replace(/_/g, "").replace(/[jJlL]$/, ""));

export function elements(low: Lowering, node: Syntax): Node[] {
  return named(node).map((one) => low.expression(one));
}

/** `type(x)`-like reading is no concern of the rules: a plain field. */
function attribute(low: Lowering, node: Syntax): Node {
  const object = part(node, "object");
  const property = part(node, "attribute");
  if (object === null || property === null) return unknown(low, node);
  return make("MemberExpression", node, {
    object: low.expression(object),
    property: name(low.source(property), property),
    computed: false,
  });
}

/** `{}`, `{"a": 1}` and `{**a, k: v}` are records; `{node: value}` is a Map by node. */
function dictionary(low: Lowering, node: Syntax): Node {
  const inside = named(node);
  const pairs = inside.filter(({ type }) => type === "pair");
  const keyed = pairs.length > 0 && pairs.length === inside.length && pairs.every((pair) => isNodeKey(pair));
  if (keyed)
    return construct(
      "Map",
      [
        listOf(
          pairs.map((pair) => listOf([operandOf(low, pair, "key"), operandOf(low, pair, "value")], pair)),
          node,
        ),
      ],
      node,
    );
  return make("ObjectExpression", node, {
    properties: inside.map((one) => {
      if (one.type !== "pair") return low.expression(one);
      const key = operandOf(low, one, "key");
      const text = key.type === "Literal" && typeof key.value === "string";
      return make("Property", one, {
        kind: "init",
        method: false,
        shorthand: false,
        computed: !text,
        key,
        value: operandOf(low, one, "value"),
      });
    }),
  });
}

function isNodeKey(pair: Syntax): boolean {
  const key = part(pair, "key");
  return key !== null && !/string|integer|float|true|false|none/.test(unwrapped(key).type);
}

/** `a < b <= c`, `x in xs`, `x is not None`. */
function comparison(low: Lowering, node: Syntax): Node {
  const operands = named(node);
  const operators = node.children.filter(({ field, named: isNamed }) => field === "operators" && !isNamed);
  const sides = operands.map((one) => low.expression(one));
  let whole: Node | null = null;
  for (let i = 0; i + 1 < sides.length && i < operators.length; i++) {
    const [left, right] = [sides[i], sides[i + 1]];
    const span = { start: left.start!, end: right.end! };
    const operator = low.source(operators[i]).replace(/\s+/g, " ");
    const one =
      operator === "in" || operator === "not in"
        ? asks(left, right, operator === "not in", span)
        : binary(COMPARED[operator] ?? operator, left, right, span);
    whole =
      whole === null ? one : make("LogicalExpression", node, { operator: "&&", left: whole, right: one });
  }
  return whole ?? unknown(low, node);
}

function asks(what: Node, where: Node, not: boolean, at: { start: number; end: number }): Node {
  const has = method(where, "has", [what], at);
  return not ? make("UnaryExpression", at, { operator: "!", argument: has }) : has;
}

/** `[0.0] * n`: a list filled with one value. */
function repeatedList(low: Lowering, node: Syntax): Node | null {
  const left = part(node, "left");
  const right = part(node, "right");
  if (left === null || right === null) return null;
  const list = [left, right].find((side) => unwrapped(side).type === "list");
  if (list === undefined) return null;
  const inside = named(unwrapped(list));
  if (inside.length !== 1) return null;
  const count = low.expression(list === left ? right : left);
  return method(construct("Array", [count], node), "fill", [low.expression(inside[0])], node);
}
