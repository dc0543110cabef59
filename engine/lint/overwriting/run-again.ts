/** A part of the forward pass that a closure runs anew: `const again = body(new Value(x.v));`. Nobody else uses what it gives. */
import type { FileFacts } from "../facts.js";
import type { Fn } from "../functions.js";
import { argumentsOf, bare, child, isCall, within, type Node } from "../tree.js";

/** The node is what such a run gives, as it is or by the local that was made of it. */
export function isRunAgain(facts: FileFacts, node: Node): boolean {
  const home = facts.home(node);
  const made = home === null ? null : madeIn(facts, node, home);
  if (home === null || made === null || !isCall(made)) return false;
  const callee = bare(child(made, "callee")!);
  const body = callee.type === "Identifier" ? facts.scopes.resolve(callee) : null;
  if (body === null) return false;
  // the function around was handed what to run, or what it runs on is new
  const handed = body.kind === "param" && !facts.scopes.declaredIn(body, home.node);
  const on = argumentsOf(made);
  return (
    on.length > 0 &&
    (handed || on.some((argument) => madeIn(facts, argument, home)?.type === "NewExpression"))
  );
}

/** A call or construction, or the one that a local of the function is given for good. */
function madeIn(facts: FileFacts, node: Node, home: Fn): Node | null {
  const inner = bare(node);
  if (facts.isCall(inner)) return inner;
  const binding = facts.binding(inner);
  const [made, ...more] = binding?.definitions.filter(({ kind }) => kind !== "element") ?? [];
  if (binding?.kind !== "variable" || made === undefined || more.length > 0 || made.path.length > 0)
    return null;
  const value = bare(made.expression);
  return facts.isCall(value) && within(value, home.node) ? value : null;
}
