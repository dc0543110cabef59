/** Cotangents that go on by a call: `bump(n.a, g * n.b.value)` in the cases that have a rule, `bump(n.a, g)` in the last resort. */
import type { FileFacts } from "../../facts.js";
import {
  argumentsOf,
  bare,
  calleeName,
  child,
  identifier,
  isCall,
  isFunction,
  type Node,
} from "../../tree.js";
import { valuesOf } from "../../values.js";
import { partsOf } from "../shared/nodes.js";

/** The only call of a branch that hands on, as it is, what other branches scale and hand to the same function; null: none. */
export function handsOnByCall(facts: FileFacts, body: readonly Node[], others: readonly Node[]): Node | null {
  const calls = body.flatMap((part) => outerCalls(part));
  if (calls.length !== 1) return null;
  const [call] = calls;
  const name = calleeName(call);
  const args = argumentsOf(call);
  if (name === null) return null;
  const rules = others
    .flatMap((part) => partsOf(part))
    .filter((node) => isCall(node) && calleeName(node) === name && argumentsOf(node).length === args.length);
  const at = args.findIndex((argument) => isPlain(argument) && scaledAmong(facts, rules, args, argument));
  return at === -1 ? null : call;
}

/** `g`, through nothing: a name or a slot. */
const isPlain = (node: Node): boolean => identifier(bare(node)) !== null;

/** One of the rules hands a product of the same name over at the same position. */
function scaledAmong(
  facts: FileFacts,
  rules: readonly Node[],
  args: readonly Node[],
  argument: Node,
): boolean {
  const key = valuesOf(facts).key(argument);
  const at = args.indexOf(argument);
  return rules.some((rule) => {
    const handed = argumentsOf(rule)[at];
    if (handed === undefined || !/^(?:BinaryExpression|CallExpression)$/.test(bare(handed).type))
      return false;
    return partsOf(handed).some((part) => part.type === "Identifier" && valuesOf(facts).key(part) === key);
  });
}

/** Calls that are statements or returned: what a branch does. */
function outerCalls(part: Node): Node[] {
  return partsOf(part).filter((node) => {
    if (!isCall(node)) return false;
    const parent = node.parent;
    return (
      parent?.type === "ExpressionStatement" ||
      parent?.type === "ReturnStatement" ||
      (parent != null && isFunction(parent) && child(parent, "body") === node)
    );
  });
}
