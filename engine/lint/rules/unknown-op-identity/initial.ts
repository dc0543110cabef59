/** `let d = g; switch (op) { case "mul": d = g * b; ... }`: what a dispatch does not know keeps the cotangent that it starts from. */
import type { FileFacts } from "../../facts.js";
import { assignmentsTo } from "../../lookups.js";
import type { Finding } from "../../report.js";
import type { Binding } from "../../scopes.js";
import { child, children, literal, startOf, type Node } from "../../tree.js";
import { contributionsOf } from "../shared/contributions.js";
import { inside, partsOf } from "../shared/nodes.js";
import { askedFor } from "./branches.js";
import { finding, unchanged } from "./hands-on.js";

export function* startsAsIdentity(facts: FileFacts): Iterable<Finding> {
  const told = new Set<Node>();
  for (const node of facts.declarators) {
    const init = child(node, "init");
    const binding = init === null ? null : facts.binding(child(node, "id")!);
    if (init === null || binding === null || node.parent?.kind === "const") continue;
    const one = literal(init) === 1;
    if (!one && !unchanged(facts, init)) continue;
    const dispatch = dispatchOf(facts, binding);
    if (dispatch === null || told.has(dispatch.node) || !isPaid(facts, binding, one)) continue;
    // for two operands it is the rule of the sum, where no branch is that
    const alone = paidBy(facts, dispatch.node).size < 2;
    if (!alone && !dispatch.labels.some((label) => /add|sum|plus|\+/i.test(label))) continue;
    told.add(dispatch.node);
    yield finding(node, [], init);
  }
}

interface Dispatch {
  readonly node: Node;
  readonly labels: readonly string[];
}

/** The switch without a default, or the chain without a last `else`, in whose branches alone the local is stored. */
function dispatchOf(facts: FileFacts, binding: Binding): Dispatch | null {
  const stores = assignmentsTo(facts, binding).filter(({ operator }) => operator === "=");
  const [first] = stores;
  if (first === undefined || stores.length < 2) return null;
  let found: Dispatch | null = null;
  for (let at: Node | null | undefined = first.parent; at != null && at !== binding.scope; at = at.parent) {
    if (at.type === "SwitchStatement") {
      const cases = children(at, "cases").filter((one) => one !== null);
      if (cases.some((one) => child(one, "test") === null)) return null;
      found = { node: at, labels: cases.map((one) => String(literal(child(one, "test")!) ?? "")) };
    } else if (at.type === "IfStatement") found = chain(facts, at) ?? found;
  }
  return found !== null && stores.every((one) => inside(one, found.node)) ? found : null;
}

function chain(facts: FileFacts, node: Node): Dispatch | null {
  const labels: string[] = [];
  let asked: string | null = null;
  let at: Node | null = node;
  for (; at !== null && at.type === "IfStatement"; at = child(at, "alternate")) {
    const test = child(at, "test")!;
    const key = askedFor(facts, test);
    if (key === null || (asked !== null && asked !== key)) return null;
    asked = key;
    labels.push(
      ...partsOf(test).flatMap((one) => (typeof literal(one) === "string" ? [String(literal(one))] : [])),
    );
  }
  return at === null && labels.length > 1 ? { node, labels } : null;
}

/** It goes into a sum of contributions after the dispatch, one beside the cotangent. */
const isPaid = (facts: FileFacts, binding: Binding, asFactor: boolean): boolean =>
  contributionsOf(facts).some(
    ({ write, verdict, weighed }) =>
      verdict === "accumulates" &&
      weighed!.carried &&
      partsOf(write.value).some((part) => {
        if (part.type !== "Identifier" || facts.scopes.resolve(part) !== binding) return false;
        return !asFactor || (part.parent?.type === "BinaryExpression" && part.parent.operator === "*");
      }),
  );

/** Operands that are paid after the dispatch, in the same block. */
function paidBy(facts: FileFacts, dispatch: Node): ReadonlySet<string> {
  const block = dispatch.parent;
  return new Set(
    contributionsOf(facts)
      .filter(
        ({ write }) => block != null && inside(write.node, block) && startOf(write.node) > startOf(dispatch),
      )
      .map(({ operand }) => operand),
  );
}
