/**
 * Programs of instructions that are run backwards by a table: `REV[op](this.reg, this.rev, ...ix)`. The adjoints of the registers
 * are one array; who runs a program back for each sample and clears it before the first alone keeps what lies between.
 */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import { callsOf } from "../../local.js";
import { partOf } from "../../lookups.js";
import { isBlank, paramName } from "../../overwriting/slots.js";
import { place } from "../../overwriting/words.js";
import type { Finding } from "../../report.js";
import { isOne, loopsAround } from "../../reverse.js";
import {
  argumentsOf,
  bare,
  child,
  children,
  identifier,
  isFunction,
  isMember,
  propertyName,
  startOf,
  type Node,
} from "../../tree.js";
import { valuesOf } from "../../values.js";
import { writesOf } from "../../writes.js";
import { inside, nodesIn, runsIn, targetsOf } from "../shared/nodes.js";
import { spanOf } from "./places.js";

export function* machines(facts: FileFacts): Iterable<Finding> {
  for (const { node, name, element, objectKey, container, value, form } of writesOf(facts)) {
    if (form !== "assign" || !element || objectKey !== "this" || !isOne(value)) continue;
    const fn = runsIn(facts, node);
    if (fn === null || fn.kind !== "method" || !runsBack(facts, fn, node, container)) continue;
    if (sets(facts, fn.node, name, node)) continue;
    for (const call of callsOf(facts, fn)) {
      const [turn] = loopsAround(facts, call);
      if (turn === undefined || inside(call, fn.node) || sets(facts, turn.node, name, node)) continue;
      const runs = partOf(facts.calls, turn.node).flatMap((one) => [...targetsOf(facts, one)]);
      if (runs.some((one) => sets(facts, one.node, name, node))) continue;
      yield {
        ...spanOf(call),
        message: `\`${fn.name}\` runs the program back in each turn of this loop, and \`${name}\` is not cleared in between: what lies between inputs and output still holds the adjoints of the turn before.`,
        evidence: "structural",
        related: [place(node, "begins here")],
      };
    }
  }
}

/** Something else than this one is put into entries of the name, or all of it is cleared. */
const sets = (facts: FileFacts, outer: Node, name: string, seed: Node): boolean =>
  writesOf(facts).some(
    (other) =>
      other.name === name &&
      other.node !== seed &&
      inside(other.node, outer) &&
      (isBlank(facts, other.value) || other.form === "assign"),
  );

/** A loop towards the start after the seed that hands the array to rules out of a table, which add parts of it to others. */
function runsBack(facts: FileFacts, fn: Fn, seed: Node, container: string): boolean {
  const values = valuesOf(facts);
  return partOf(facts.calls, fn.node).some((call) => {
    const callee = bare(child(call, "callee")!);
    if (startOf(call) < startOf(seed) || !isMember(callee) || propertyName(callee) !== null) return false;
    if (!loopsAround(facts, call).some(({ reverse }) => reverse)) return false;
    const at = argumentsOf(call).findIndex((one) => values.key(one) === container);
    return at >= 0 && rulesOf(facts, child(callee, "object")!).some((rule) => addsWithin(facts, rule, at));
  });
}

/** Functions of `const REV = { mul: (r, v, d, a, b) => ..., ... }`. */
function rulesOf(facts: FileFacts, table: Node): readonly Fn[] {
  const [made] = facts.binding(table)?.definitions ?? [];
  const record = made === undefined ? null : bare(made.expression);
  if (record === null || record.type !== "ObjectExpression") return [];
  return children(record, "properties").flatMap((property) => {
    const value = property?.type === "Property" ? bare(child(property, "value")!) : null;
    const fn = value !== null && isFunction(value) ? facts.functionOf(value) : null;
    return fn === null ? [] : [fn];
  });
}

/** `v[a] += v[d] * r[b]` of the parameter. */
function addsWithin(facts: FileFacts, rule: Fn, at: number): boolean {
  const param = rule.params[at] === undefined ? null : paramName(rule.params[at]);
  const name = param === null ? null : identifier(param);
  const isOf = (node: Node): boolean =>
    isMember(node) && propertyName(node) === null && identifier(bare(child(node, "object")!)) === name;
  return (
    name !== null &&
    partOf(facts.assignments, rule.node).some(
      (store) =>
        /^[-+]=$/.test(String(store.operator)) &&
        isOf(bare(child(store, "left")!)) &&
        nodesIn(facts, "MemberExpression", child(store, "right")!).some(isOf),
    )
  );
}
