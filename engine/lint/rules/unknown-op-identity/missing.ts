/** What runs where a table holds no rule for an operation: the branch of a test for it. */
import type { FileFacts } from "../../facts.js";
import { partOf } from "../../lookups.js";
import type { Finding } from "../../report.js";
import {
  argumentsOf,
  bare,
  calleeName,
  child,
  children,
  identifier,
  isCall,
  literal,
  receiver,
  type Node,
} from "../../tree.js";
import { inside, partsOf } from "../shared/nodes.js";
import { contributionsIn, finding, handsOn, returnsIn, unchanged } from "./hands-on.js";
import { holdsRules, isOpen, lookupOf, type Lookup } from "./tables.js";

/** `!rule`, `rule === undefined`, `!rules.has(op)`: asks whether it is missing. */
export function isAbsent(test: Node): boolean {
  const inner = bare(test);
  if (inner.type === "UnaryExpression") return inner.operator === "!";
  return inner.type === "BinaryExpression" && /^===?$/.test(String(inner.operator));
}

/** The lookup whose result, or whose key in the table, a test asks for; null: it asks for something else. */
export function askedTable(facts: FileFacts, test: Node): Lookup | null {
  const inner = bare(test);
  if (inner.type === "UnaryExpression" && inner.operator === "!")
    return askedTable(facts, child(inner, "argument")!);
  if (inner.type === "BinaryExpression") {
    const [left, right] = [child(inner, "left")!, bare(child(inner, "right")!)];
    if (inner.operator === "in") return { table: right, part: null };
    if (!/^[!=]==?$/.test(String(inner.operator))) return null;
    const nothing = identifier(right) === "undefined" || literal(right) === null;
    const kind =
      literal(right) === "function" &&
      bare(left).type === "UnaryExpression" &&
      bare(left).operator === "typeof";
    return nothing ? lookupOf(facts, left) : kind ? lookupOf(facts, child(bare(left), "argument")!) : null;
  }
  if (isCall(inner)) {
    const name = calleeName(inner) ?? "";
    const object = receiver(inner);
    if (name === "has" && object !== null) return { table: object, part: null };
    const args = argumentsOf(inner);
    // `Object.hasOwn(rules, op)`
    if (/^(?:hasOwn|has)$/.test(name) && args.length === 2) return { table: args[0], part: null };
    if (name === "hasOwnProperty" && object !== null && args.length === 1)
      return { table: object, part: null };
  }
  return lookupOf(facts, inner);
}

/** `if (!rule) return [g];`, `if (rule) rule(n); else for (...) k.grad += n.grad;`, `if (op in rules) return rules[op](g); return g;` */
export function* withoutRule(facts: FileFacts): Iterable<Finding> {
  for (const node of facts.byType.get("IfStatement") ?? []) {
    const test = child(node, "test")!;
    const asked = askedTable(facts, test);
    if (asked === null) continue;
    const absent = isAbsent(test);
    const [there, missing] = absent
      ? [otherwise(node), [child(node, "consequent")!]]
      : [[child(node, "consequent")!], otherwise(node)];
    if (missing.length === 0 || !runs(facts, there, asked)) continue;
    const through = passing(facts, missing);
    if (through !== null && (holdsRules(facts, asked) || isOpen(facts, asked)))
      yield finding(through, [], through);
  }
}

/** `for (const [name, rule] of rules) if (name === op) return rule(g); return g;` */
export function* notFound(facts: FileFacts): Iterable<Finding> {
  for (const loop of facts.byType.get("ForOfStatement") ?? []) {
    const block = loop.parent;
    if (block?.type !== "BlockStatement") continue;
    const body = children(block, "body").filter((one) => one !== null);
    const next = body[body.indexOf(loop) + 1];
    const value = next?.type === "ReturnStatement" ? child(next, "argument") : null;
    if (value === null || !handsOn(facts, value)) continue;
    const rule = returnsIn(loop).find((one) => isCall(bare(one)));
    const callee = rule === undefined ? null : facts.binding(child(bare(rule), "callee")!);
    if (callee == null || !inside(callee.declaration, loop)) continue;
    if (holdsRules(facts, { table: child(loop, "right")!, part: null })) yield finding(value, [], value);
  }
}

/** The other branch, or where there is none what follows a branch that leaves. */
function otherwise(node: Node): readonly Node[] {
  const alternate = child(node, "alternate");
  if (alternate !== null) return [alternate];
  const block = node.parent;
  if (block?.type !== "BlockStatement" || !leaves(child(node, "consequent")!)) return [];
  const body = children(block, "body").filter((one) => one !== null);
  return body.slice(body.indexOf(node) + 1);
}

const leaves = (branch: Node): boolean =>
  (branch.type === "BlockStatement" ? children(branch, "body") : [branch]).some(
    (one) => one !== null && /^(?:Return|Continue|Break|Throw)Statement$/.test(one.type),
  );

/** What is looked up is called there: as a name, or at once. */
function runs(facts: FileFacts, parts: readonly Node[], asked: Lookup): boolean {
  const table = facts.source(asked.table);
  return parts.some((part) =>
    partOf(facts.calls, part).some((call) => {
      const found = lookupOf(facts, child(call, "callee")!);
      return found !== null && facts.source(found.table) === table;
    }),
  );
}

/** The place where the branch hands the cotangent on unchanged, null when it does something else. */
function passing(facts: FileFacts, parts: readonly Node[]): Node | null {
  for (const part of parts) {
    if (partsOf(part).some(({ type }) => type === "ThrowStatement")) return null;
    const paid = contributionsIn(facts, part);
    if (paid.length > 0)
      return paid.every(({ write }) => unchanged(facts, write.value)) ? paid[0].write.node : null;
    const returned = returnsIn(part);
    const through = returned.find((value) => handsOn(facts, value));
    if (through !== undefined) return through;
    if (returned.length > 0) return null;
  }
  return null;
}
