/** `if (a !== b)` around the second contribution, `if (a === b)` with a single one: of `x * x` one use is lost. */
import type { FileFacts } from "../../facts.js";
import { isPythonText } from "../../language.js";
import { unindented } from "../../python/fixes.js";
import { place } from "../../overwriting/words.js";
import type { Finding, Suggestion } from "../../report.js";
import {
  argumentsOf,
  bare,
  calleeName,
  child,
  endOf,
  isCall,
  literal,
  receiver,
  startOf,
  type Node,
} from "../../tree.js";
import { valuesOf } from "../../values.js";
import { contributionsOf, type Contribution } from "../shared/contributions.js";
import { inside, nodesOf, partsOf, runsIn } from "../shared/nodes.js";

type Found = { node: Node; finding: Finding };

interface Check {
  readonly node: Node;
  readonly test: Node;
  readonly keys: readonly [string, string];
  /** runs when the operands are one */
  readonly same: Node | null;
  /** runs when they differ */
  readonly differ: Node | null;
}

export function* identityChecks(facts: FileFacts): Iterable<Found> {
  for (const check of checks(facts)) {
    const home = runsIn(facts, check.node);
    const own = contributionsOf(facts).filter(
      ({ write, operand, weighed }) =>
        weighed!.carried && runsIn(facts, write.node) === home && check.keys.includes(operand),
    );
    if (own.length === 0) continue;
    const within = (branch: Node | null): Contribution[] =>
      branch === null ? [] : own.filter(({ write }) => inside(write.node, branch));
    const differ = within(check.differ);
    const same = within(check.same);
    const always = own.filter(
      ({ write }) => !differ.some((o) => o.write === write) && !same.some((o) => o.write === write),
    );
    // paid when they are one: what stands outside, and the branch of its own
    const payments = [...always, ...same];
    if (differ.length + always.length < 2) continue;
    if (payments.length >= 2 || payments.some(({ write }) => doubles(facts, write.value))) continue;
    if (payments.length === 0 && differ.length < 2) continue;
    const [at] = same.length > 0 ? same : differ;
    const node = same.length > 0 ? at.write.node : check.node;
    yield {
      node,
      finding: {
        start: startOf(node),
        end: same.length > 0 ? endOf(node) : endOf(check.test),
        message:
          "when both operands are the same node one contribution is left out: `x * x` pays its operand twice. Pay both without asking.",
        evidence: "structural",
        related: payments
          .filter(({ write }) => write.node !== node)
          .slice(0, 2)
          .map(({ write }) => place(write.node, "the one that is paid")),
        suggestions: same.length > 0 ? [] : without(facts, check, differ),
      },
    };
  }
}

function* checks(facts: FileFacts): Iterable<Check> {
  const values = valuesOf(facts);
  for (const type of ["IfStatement", "ConditionalExpression", "LogicalExpression"]) {
    for (const node of nodesOf(facts, type)) {
      if (type === "LogicalExpression" && node.operator !== "&&") continue;
      const test = bare(child(node, type === "LogicalExpression" ? "left" : "test")!);
      const compared = comparison(test);
      if (compared === null) continue;
      const keys: [string, string] = [values.key(compared.a), values.key(compared.b)];
      const first = child(node, type === "LogicalExpression" ? "right" : "consequent");
      const second = type === "LogicalExpression" ? null : child(node, "alternate");
      const leaving =
        type === "IfStatement" &&
        first !== null &&
        second === null &&
        partsOf(first).some((part) => /^(?:Return|Continue)Statement$/.test(part.type));
      const rest = leaving ? restOf(node) : null;
      if (compared.differ) yield { node, test, keys, differ: first, same: second };
      else yield { node, test, keys, same: first, differ: second ?? rest };
    }
  }
}

/** The block after a branch that leaves, as a stand-in: what starts after the `if` in it. */
function restOf(node: Node): Node | null {
  const parent = node.parent;
  if (parent?.type !== "BlockStatement") return null;
  return { type: "Rest", start: endOf(node), end: endOf(parent) };
}

/** `a !== b`, `!Object.is(a, b)`, `a.id === b.id`. */
function comparison(test: Node): { readonly a: Node; readonly b: Node; readonly differ: boolean } | null {
  if (test.type === "UnaryExpression" && test.operator === "!") {
    const inner = comparison(bare(child(test, "argument")!));
    return inner === null ? null : { ...inner, differ: !inner.differ };
  }
  if (test.type === "BinaryExpression" && /^[!=]==?$/.test(String(test.operator)))
    return {
      a: owner(child(test, "left")!),
      b: owner(child(test, "right")!),
      differ: String(test.operator).startsWith("!"),
    };
  if (isCall(test) && calleeName(test) === "is" && argumentsOf(test).length === 2) {
    const object = receiver(test);
    if (object === null || bare(object).name !== "Object") return null;
    const [a, b] = argumentsOf(test);
    return { a, b, differ: false };
  }
  return null;
}

/** Of `a.id` the node `a`: what tells it apart. */
function owner(node: Node): Node {
  const inner = bare(node);
  const property = child(inner, "property");
  return property !== null &&
    /^_?(?:id|uid|key|index|name)$/i.test(String(property.name ?? "")) &&
    inner.computed !== true
    ? child(inner, "object")!
    : inner;
}

/** Two times the one, or both summed: the shared operand is paid in full. */
function doubles(facts: FileFacts, value: Node): boolean {
  return partsOf(value).some(
    (node) =>
      (node.type === "Literal" && literal(node) === 2) ||
      (node.type === "BinaryExpression" && node.operator === "+") ||
      (isCall(node) && /^(?:add|plus|double|twice)/i.test(calleeName(node) ?? "")) ||
      (node.type === "Identifier" &&
        facts.binding(node)?.kind === "variable" &&
        (facts.binding(node)?.definitions ?? []).some(({ expression }) =>
          partsOf(expression).some((part) => part.type === "Literal" && literal(part) === 2),
        )),
  );
}

function without(facts: FileFacts, check: Check, differ: readonly Contribution[]): readonly Suggestion[] {
  const { node, differ: branch } = check;
  if (
    node.type !== "IfStatement" ||
    branch === null ||
    child(node, "alternate") !== null ||
    branch.type === "Rest"
  )
    return [];
  if (child(node, "consequent") !== branch || differ.length === 0) return [];
  const python = isPythonText(facts) ? unindented(facts, node, branch) : null;
  if (isPythonText(facts) && python === null) return [];
  const body =
    python ??
    (branch.type === "BlockStatement" ? facts.source(branch).slice(1, -1).trim() : facts.source(branch));
  return [
    {
      title: "Pay both without asking",
      kind: "rewrite",
      edits: [{ start: startOf(node), end: endOf(node), text: body }],
    },
  ];
}
