/** Pullbacks that give back one contribution an operand: `(g) => [g.map((v) => v * k), g.map((v, i) => v * x[i])]` of a number `k`. */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import { operationOf } from "../../operations.js";
import { place } from "../../overwriting/words.js";
import type { Finding } from "../../report.js";
import type { Binding } from "../../scopes.js";
import {
  argumentsOf,
  bare,
  calleeName,
  child,
  children,
  endOf,
  isCall,
  isFunction,
  keyName,
  receiver,
  startOf,
  type Node,
} from "../../tree.js";
import { rowOfParam } from "./rows.js";
import { elementOfParam } from "./one-element.js";

export function* pulledBack(facts: FileFacts): Iterable<Finding> {
  for (const closure of facts.functions) {
    if (closure.inline || closure.kind !== "function" || closure.params.length === 0) continue;
    const operation = operationOf(facts, closure);
    if (operation === null || !operation.linked || closure.returns.length !== 1) continue;
    const cotangent = facts.binding(closure.params[0]);
    if (cotangent === null) continue;
    for (const { value, param } of parts(facts, closure.returns[0], operation.fn)) {
      const whole = facts.binding(copied(value)) === cotangent;
      if (!whole && !mapsCotangent(facts, value, cotangent)) continue;
      const element = whole ? null : elementOfParam(facts, param, operation.fn, closure);
      const read = element ?? rowOfParam(facts, param, operation.fn, closure);
      if (read === null) continue;
      yield {
        start: startOf(value),
        end: endOf(value),
        message: `\`${param.name}\` is ${element === null ? "one row in the forward pass, which all rows" : "one number in the forward pass, which all elements"} of the output are made with, and its contribution here is an array in the shape of the output. Sum it over the ${element === null ? "rows" : "elements"}.`,
        evidence: "structural",
        related: [place(read, element === null ? "one row for all" : "one number for all elements")],
      };
    }
  }
}

/** `bar` of `bar.slice()`, `[...bar]`, `Float64Array.from(bar)`. */
function copied(value: Node): Node {
  const made = bare(value);
  const name = isCall(made) ? calleeName(made) : null;
  const [first, ...more] = isCall(made) ? argumentsOf(made) : children(made, "elements");
  if (name === "slice" && first === undefined) return receiver(made) ?? value;
  if (name === "from" && first != null && more.length === 0) return first;
  const alone = made.type === "ArrayExpression" && first?.type === "SpreadElement" && more.length === 0;
  return alone ? child(first, "argument")! : value;
}

interface Part {
  readonly value: Node;
  readonly param: Binding;
}

/** What is given back for which operand: as many as there are parameters, in their order, or by their names. */
function parts(facts: FileFacts, returned: Node, operation: Fn): readonly Part[] {
  const params = operation.params.map((param) => facts.binding(param));
  const list = bare(returned);
  const out: Part[] = [];
  if (list.type === "ArrayExpression") {
    const given = children(list, "elements");
    if (given.length !== params.length || given.length < 2) return [];
    given.forEach((value, i) => {
      const param = params[i];
      if (value !== null && param !== null) out.push({ value, param });
    });
  } else if (list.type === "ObjectExpression")
    for (const property of children(list, "properties")) {
      if (property?.type !== "Property") continue;
      const name = keyName(child(property, "key")!, property.computed === true) ?? "";
      const param = params.find(
        (one) => one !== null && (one.name === name || name === `d${one.name}` || name === `${one.name}Bar`),
      );
      if (param != null) out.push({ value: child(property, "value")!, param });
    }
  return out;
}

/** `g.map((v, i) => v * x[i])`, `x.map((v, i) => v * g[i])`: an element for each of the output's. */
function mapsCotangent(facts: FileFacts, value: Node, cotangent: Binding): boolean {
  const inner = bare(value);
  const [callback] = isCall(inner) && calleeName(inner) === "map" ? argumentsOf(inner) : [];
  const list = isCall(inner) ? receiver(inner) : null;
  if (callback === undefined || list === null || !isFunction(bare(callback))) return false;
  return facts.binding(list) === cotangent;
}
