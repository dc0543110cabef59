/** Rules that return a contribution for each operand, and leave the cotangent out of one: `(g, a, b) => [g / b, -a / (b * b)]`. */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import { operationOf } from "../../operations.js";
import { isBackward } from "../../overwriting/entries.js";
import { multiplies } from "../../overwriting/parts.js";
import { isBlank } from "../../overwriting/slots.js";
import { place } from "../../overwriting/words.js";
import type { Finding } from "../../report.js";
import {
  bare,
  child,
  children,
  endOf,
  identifier,
  isFunction,
  literal,
  startOf,
  type Node,
} from "../../tree.js";
import { valuesOf } from "../../values.js";
import { isOfRules } from "../shared/contributions.js";
import { LOSS } from "./stored.js";

export function* oneOfSeveral(facts: FileFacts): Iterable<Finding> {
  for (const fn of facts.functions) {
    if (fn.inline || fn.returns.length !== 1 || fn.params.length === 0) continue;
    const parts = children(bare(fn.returns[0]), "elements");
    if (bare(fn.returns[0]).type !== "ArrayExpression" || parts.length < 2) continue;
    if (facts.names.gradient(identifier(fn.params[0]) ?? "") === 0 || !isRule(facts, fn)) continue;
    const scaled = parts.find((part) => part !== null && uses(facts, part, fn) && multiplies(facts, part));
    if (scaled == null) continue;
    for (const part of parts) {
      if (part === null || !computed(part) || isBlank(facts, part) || uses(facts, part, fn)) continue;
      yield {
        start: startOf(part),
        end: endOf(part),
        message: `this part of what the rule gives is a local derivative without \`${identifier(fn.params[0])}\`, the cotangent that it is handed and that another part is multiplied by: right only where that is 1.`,
        evidence: "proven-siblings",
        related: [place(scaled, "multiplies by the cotangent")],
      };
    }
  }
}

/** By its name, as one of a table, or as the pullback that an operation gives back. */
function isRule(facts: FileFacts, fn: Fn): boolean {
  if (LOSS.test(fn.name)) return false;
  const strong = facts.names.gradient(identifier(fn.params[0]) ?? "") === 2;
  return (
    (isBackward(facts, fn) && /vjp|pull|back|grad|adjoint/i.test(fn.name)) ||
    isOfRules(facts, fn) ||
    (strong && operationOf(facts, fn)?.linked === true && !LOSS.test(operationOf(facts, fn)!.fn.name))
  );
}

/** Worked out here, and no count: a name may stand for anything. */
function computed(part: Node): boolean {
  const inner = bare(part);
  if (inner.type === "UnaryExpression") return inner.operator === "-";
  const counts =
    /^[+-]$/.test(String(inner.operator)) && typeof literal(child(inner, "right") ?? inner) === "number";
  return inner.type === "BinaryExpression" && /^(?:[-+*/]|\*\*)$/.test(String(inner.operator)) && !counts;
}

/** The value is made of the cotangent; what a call may read is not known. */
const uses = (facts: FileFacts, part: Node, fn: Fn): boolean =>
  isFunction(bare(part)) ||
  valuesOf(facts)
    .reads(part)
    .some(
      (read) =>
        (read.kind === "param" && read.binding === facts.binding(fn.params[0])) ||
        (read.kind === "field" && facts.names.gradient(read.name) > 0),
    );
