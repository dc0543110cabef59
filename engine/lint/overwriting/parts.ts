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

/** Calls of a rule: what they give are contributions. */
const RULE = /vjp|pull_?back|backward|adjoint|backprop/i;

/** A product of at least two factors, a call that multiplies, a sign, a mask. */
export const multiplies = (facts: FileFacts, value: Node): boolean => formOf(facts, value).multiplies;

/** A product in the strict sense: without a name that says gradient a choice between two values speaks for nothing. */
export const scales = (facts: FileFacts, value: Node): boolean => formOf(facts, value).scales;

/** `n.vjp(bar)` gives 2, `gfx(o.v)` 1: a call whose name says that it gives derivatives. */
export const derivativeCall = (facts: FileFacts, value: Node): 0 | 1 | 2 => formOf(facts, value).derivative;

/** What speaks from a value, looked through once. */
interface Form {
  readonly multiplies: boolean;
  readonly scales: boolean;
  readonly derivative: 0 | 1 | 2;
}

function formOf(facts: FileFacts, value: Node): Form {
  const known = facts.once("forms of values", () => new Map<Node, Form>());
  let form = known.get(value);
  if (form === undefined) known.set(value, (form = lookThrough(facts, value)));
  return form;
}

function lookThrough(facts: FileFacts, value: Node): Form {
  let multiplies = false;
  let scales = false;
  let derivative: 0 | 1 | 2 = 0;
  eachPart(facts, value, (node) => {
    if (node.type === "BinaryExpression") {
      const product = node.operator === "*" || node.operator === "/";
      scales ||= product;
      multiplies ||= product || node.operator === "**";
    } else if (isCall(node)) {
      const name = calleeName(node) ?? "";
      scales = true;
      multiplies ||= PRODUCT.test(name);
      if (argumentsOf(node).length === 0) return;
      if (RULE.test(name)) derivative = 2;
      else if (derivative === 0 && facts.names.derivative(name)) derivative = 1;
    } else if (node.type === "UnaryExpression")
      multiplies ||= node.operator === "-" && bare(child(node, "argument")!).type !== "Literal";
    else if (node.type === "ConditionalExpression") multiplies = true;
  });
  return { multiplies, scales, derivative };
}

/**
 * A value has products or calls in it, but none that the upstream goes through: what is chosen by a comparison, counted
 * or looked up is no contribution.
 */
export function isBesideProducts(facts: FileFacts, value: Node, upstream: Read | null): boolean {
  if (upstream === null) return false;
  let met = false;
  let scaled = false;
  eachPart(facts, value, (node) => {
    met ||= node === upstream.node;
    if (scaled || !(isCall(node) || node.operator === "*" || node.operator === "/")) return;
    eachPart(facts, node, (part) => void (scaled ||= part === upstream.node));
  });
  return met && !scaled;
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
  facts.spend(PART_BUDGET - budget);
}

/** Larger values are not followed further: no contribution is written so. */
const PART_BUDGET = 3000;

export function isAlias(value: Node, upstream: Read): boolean {
  const inner = bare(value);
  if (inner === upstream.node) return true;
  if (isMember(inner) && propertyName(inner) !== null) return true;
  return inner.type === "Identifier";
}
