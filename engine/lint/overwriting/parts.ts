/** What a value is worked out from: products, calls that give derivatives, bare aliases. */
import type { FileFacts } from "../facts.js";
import {
  argumentsOf,
  bare,
  calleeName,
  child,
  isCall,
  isMember,
  propertyName,
  walk,
  type Node,
} from "../tree.js";
import type { Binding } from "../scopes.js";
import type { Read } from "../value-forms.js";

const PRODUCT = /^(?:mul|multiply|times|dot|matmul|mm|scale|div|hadamard|outer|elementwise_?mul)/i;

/** A product of at least two factors, a call that multiplies, a sign, a mask. */
export function multiplies(facts: FileFacts, value: Node): boolean {
  let found = false;
  eachPart(facts, value, (node) => {
    if (node.type === "BinaryExpression")
      found ||= node.operator === "*" || node.operator === "/" || node.operator === "**";
    else if (isCall(node)) found ||= PRODUCT.test(calleeName(node) ?? "");
    else if (node.type === "UnaryExpression")
      found ||= node.operator === "-" && bare(child(node, "argument")!).type !== "Literal";
    else if (node.type === "ConditionalExpression") found = true;
  });
  return found;
}

/** A product in the strict sense: without a name that says gradient a choice between two values speaks for nothing. */
export function scales(facts: FileFacts, value: Node): boolean {
  let found = false;
  eachPart(facts, value, (node) => {
    if (node.type === "BinaryExpression") found ||= node.operator === "*" || node.operator === "/";
    else if (isCall(node)) found = true;
  });
  return found;
}

/** `n.vjp(bar)` gives 2, `gfx(o.v)` 1: a call whose name says that it gives derivatives. */
export function derivativeCall(facts: FileFacts, value: Node): 0 | 1 | 2 {
  let found: 0 | 1 | 2 = 0;
  eachPart(facts, value, (node) => {
    if (!isCall(node) || argumentsOf(node).length === 0) return;
    const name = calleeName(node) ?? "";
    if (/vjp|pull_?back|backward|adjoint|backprop/i.test(name)) found = 2;
    else if (found === 0 && facts.names.derivative(name)) found = 1;
  });
  return found;
}

/** Every node of a value and of what its local names hold. */
export function eachPart(facts: FileFacts, value: Node, visit: (node: Node) => void): void {
  const bindings = new Set<Binding>();
  const queue = [value];
  let budget = PART_BUDGET;
  while (queue.length > 0 && budget > 0) {
    walk(queue.pop()!, (node) => {
      if (budget-- <= 0) return false;
      visit(node);
      const binding = node.type === "Identifier" ? facts.scopes.resolve(node) : null;
      if (binding === null || binding.kind !== "variable" || bindings.has(binding)) return;
      const parent = node.parent;
      const read =
        parent !== null &&
        parent !== undefined &&
        isMember(parent) &&
        child(parent, "object") === node &&
        propertyName(parent) !== null;
      if (!read) bindings.add(binding);
      for (const { expression } of binding.definitions)
        // `out.grad` is no more of a product than the making of `out`; a part of what a derivative gave is its work
        if (!read || (isCall(bare(expression)) && facts.names.derivative(calleeName(bare(expression)) ?? "")))
          queue.push(expression);
      return;
    });
  }
}

/** Larger values are not followed further: no contribution is written so. */
const PART_BUDGET = 3000;

export function isAlias(value: Node, upstream: Read): boolean {
  const inner = bare(value);
  if (inner === upstream.node) return true;
  if (isMember(inner) && propertyName(inner) !== null) return true;
  return inner.type === "Identifier";
}
