/** A table of rules whose lookup falls back to the identity. */
import type { FileFacts } from "../../facts.js";
import type { Finding } from "../../report.js";
import type { Binding } from "../../scopes.js";
import {
  argumentsOf,
  bare,
  calleeName,
  child,
  children,
  identifier,
  isCall,
  isFunction,
  isMember,
  literal,
  propertyName,
  receiver,
  type Node,
} from "../../tree.js";
import { nodesOf } from "../shared/nodes.js";
import { valuesOf } from "../../values.js";
import { finding, handsOn, returnsIn } from "./hands-on.js";

/** `rules[op] ?? ((g) => [g])`. */
export function* lookups(facts: FileFacts): Iterable<Finding> {
  for (const node of nodesOf(facts, "LogicalExpression")) {
    if (node.operator === "&&") continue;
    const found = bare(child(node, "left")!);
    const table =
      isMember(found) && propertyName(found) === null
        ? child(found, "object")
        : isCall(found) && calleeName(found) === "get"
          ? receiver(found)
          : null;
    const right = bare(child(node, "right")!);
    const named = facts.binding(right);
    const declared =
      named === null
        ? right
        : isFunction(named.declaration) || named.kind === "class"
          ? named.declaration
          : bare(named.definitions[0]?.expression ?? right);
    if (table === null) continue;
    if (declared.type === "ClassDeclaration" || declared.type === "ClassExpression") {
      if (classHandsOn(facts, declared)) yield finding(right, [], right);
      continue;
    }
    if (!isFunction(declared)) continue;
    const name = (isMember(bare(table)) ? propertyName(bare(table)) : identifier(bare(table))) ?? "";
    if (!/rule|vjp|grad|back|deriv|pull|adjoint|bwd/i.test(name)) continue;
    const fn = facts.functionOf(declared);
    const first = fn?.params[0] === undefined ? null : facts.binding(fn.params[0]);
    if (fn === null || first === null) continue;
    const hands = fn.returns.some((value) => {
      const inner = bare(value);
      const list =
        inner.type === "ArrayExpression" ? children(inner, "elements").filter((e) => e !== null) : [inner];
      return (
        list.length > 0 &&
        list.every(
          (e) =>
            facts.binding(e) !== null &&
            facts.binding(e)?.kind === "param" &&
            facts.scopes.declaredIn(facts.binding(e)!, fn.node),
        )
      );
    });
    if (hands) yield finding(right, [], right);
  }
}

/** `table[op] ?? Identity`: a class whose backward method gives back what it is handed. */
const classHandsOn = (facts: FileFacts, owner: Node): boolean =>
  facts.functions.some(
    (fn) =>
      fn.owner === owner &&
      fn.kind === "method" &&
      facts.names.backward(fn.name) &&
      fn.params.length > 0 &&
      fn.returns.length > 0 &&
      fn.returns.every((value) => handsOn(facts, value)),
  );

/** `rule ? rule(g, x) : g` of a rule that was looked up. */
export function* ternaries(facts: FileFacts): Iterable<Finding> {
  for (const node of nodesOf(facts, "ConditionalExpression")) {
    const test = bare(child(node, "test")!);
    const negated = test.type === "UnaryExpression" && test.operator === "!";
    const asked = negated ? bare(child(test, "argument")!) : test;
    const [there, missing] = negated ? ["alternate", "consequent"] : ["consequent", "alternate"];
    const call = bare(child(node, there)!);
    const binding = facts.binding(asked);
    if (binding === null || !isCall(call) || facts.binding(bare(child(call, "callee")!)) !== binding)
      continue;
    const found = binding.definitions.length === 1 ? bare(binding.definitions[0].expression) : null;
    const looked =
      found !== null &&
      ((isMember(found) && propertyName(found) === null) || (isCall(found) && calleeName(found) === "get"));
    const last = child(node, missing)!;
    const handed = argumentsOf(call).map((argument) => valuesOf(facts).key(argument));
    if (looked && handed.includes(valuesOf(facts).key(last)) && handsOn(facts, last))
      yield finding(last, [], last);
  }
}

/** `const rule = rules.get(op); if (!rule) return [g];` */
export function* withoutRule(facts: FileFacts): Iterable<Finding> {
  for (const node of nodesOf(facts, "IfStatement")) {
    const asked = absent(facts, child(node, "test")!);
    if (asked === null) continue;
    const made = asked.definitions.length === 1 ? bare(asked.definitions[0].expression) : null;
    const looked =
      made !== null &&
      asked.definitions[0].path.length === 0 &&
      ((isMember(made) && propertyName(made) === null) || (isCall(made) && calleeName(made) === "get"));
    if (!looked || facts.calls.every((call) => facts.binding(bare(child(call, "callee")!)) !== asked))
      continue;
    const branch = child(node, "consequent")!;
    const through = returnsIn(branch).find((value) => handsOn(facts, value));
    if (through !== undefined) yield finding(through, [], through);
  }
}

/** `!rule`, `rule === undefined`, `rule == null`: what is asked for. */
function absent(facts: FileFacts, test: Node): Binding | null {
  const inner = bare(test);
  if (inner.type === "UnaryExpression" && inner.operator === "!")
    return facts.binding(child(inner, "argument")!);
  if (inner.type !== "BinaryExpression" || !/^===?$/.test(String(inner.operator))) return null;
  const right = bare(child(inner, "right")!);
  return identifier(right) === "undefined" || literal(right) === null
    ? facts.binding(child(inner, "left")!)
    : null;
}
