/** What an operation does only where an operand's shape asks for it, and where it takes no other shapes at all. */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import { branchOf } from "../../overwriting/guards.js";
import { calleeName, child, isMember, propertyName, type Node } from "../../tree.js";
import { valuesOf } from "../../values.js";
import { nodesIn, partsOf } from "../shared/nodes.js";

const SUMS = /^_*(?:sum|mean|reduce|collapse|col_?sum|row_?sum)|Sum|Reduce/;
const SHAPE = /^_*(?:rows|cols|columns|shape|dims|ndim|rank|size|length|batch)$/i;

/** `b.rows === 1 ? sumRows(g) : g`, as a value, through a local, or as two branches: summed where the shape asks for it. */
export function sumsByShape(facts: FileFacts, payment: Node, closure: Fn): boolean {
  const tests = branchOf(payment, closure.node).map(({ test }) => test);
  const looked = [payment, ...tests];
  const seen = new Set<unknown>();
  while (looked.length > 0)
    for (const node of partsOf(looked.pop()!)) {
      if (chooses(node)) return true;
      const binding = node.type === "Identifier" ? facts.scopes.resolve(node) : null;
      if (binding === null || binding.kind !== "variable" || seen.has(binding)) continue;
      seen.add(binding);
      for (const { expression, at } of binding.definitions)
        if (facts.home(at) === closure)
          looked.push(expression, ...branchOf(at, closure.node).map(({ test }) => test));
    }
  return false;
}

/** A condition on a shape with a sum in one of its branches. */
function chooses(node: Node): boolean {
  if (node.type !== "ConditionalExpression" && node.type !== "IfStatement") return false;
  if (!mentionsShape(child(node, "test")!)) return false;
  return [child(node, "consequent"), child(node, "alternate")].some(
    (branch) =>
      branch !== null &&
      partsOf(branch).some((part) => part.type === "CallExpression" && SUMS.test(calleeName(part) ?? "")),
  );
}

const mentionsShape = (test: Node): boolean =>
  partsOf(test).some((node) => isMember(node) && SHAPE.test(propertyName(node) ?? ""));

/** `if (a.rows !== b.rows) throw ...`, `assertSameShape(a, b)`: nothing is broadcast here. */
export function refusesShapes(facts: FileFacts, fn: Fn): boolean {
  return (
    nodesIn(facts, "IfStatement", fn.node).some(
      (node) =>
        mentionsShape(child(node, "test")!) &&
        partsOf(child(node, "consequent")!).some((part) => part.type === "ThrowStatement"),
    ) ||
    nodesIn(facts, "CallExpression", fn.node).some((call) =>
      /(?:same|check|assert|equal|match|require|ensure)_?(?:same_?)?(?:shape|dims|size)s?/i.test(
        calleeName(call) ?? "",
      ),
    )
  );
}

/** The place of an operand among the parameters of its operation: -1 for what it is called on, null when it is neither. */
export function operandPlace(facts: FileFacts, fn: Fn, operand: string): number | null {
  if (operand === "this") return -1;
  const at = fn.params.findIndex((param) => valuesOf(facts).key(param) === operand);
  return at === -1 ? null : at;
}
