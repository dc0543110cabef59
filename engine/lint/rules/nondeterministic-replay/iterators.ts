/**
 * Iterators that a step carries along: made before it by the function that hands the step out, or once for the module, and asked
 * for the next at each run. What a step makes for itself begins anew with it.
 */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import { localFunction } from "../../local.js";
import type { Binding } from "../../scopes.js";
import {
  argumentsOf,
  bare,
  calleeName,
  child,
  isCall,
  isMember,
  propertyName,
  receiver,
  type Node,
} from "../../tree.js";
import { inside, runsIn } from "../shared/nodes.js";

/** `object` is asked for its next by the call. */
export function isCarried(facts: FileFacts, call: Node, object: Node): boolean {
  if (argumentsOf(call).length > 0) return false;
  const binding = facts.binding(object);
  if (binding === null || binding.definitions.length > 1 || !givesNext(facts, call, binding)) return false;
  if (binding.scope.type === "Program") return binding.kind === "variable";
  const home = runsIn(facts, call);
  const around = binding.kind === "param" ? paramOf(facts, binding) : facts.enclosing(binding.declaration);
  return home !== null && around !== null && home !== around && handsOut(facts, around, home);
}

/** An iterator by what has made it, or because the value of its step is read: a list whose nodes have a `next` is none. */
function givesNext(facts: FileFacts, call: Node, binding: Binding): boolean {
  const [given] = binding.definitions;
  const made = given?.kind === "initial" && given.path.length === 0 ? bare(given.expression) : null;
  if (made !== null && isCall(made)) {
    const callee = bare(child(made, "callee")!);
    if (localFunction(facts, made)?.node.generator === true) return true;
    if (receiver(made) !== null && /^(?:values|entries|keys)$/.test(calleeName(made) ?? "")) return true;
    if (isMember(callee) && facts.source(callee).endsWith("[Symbol.iterator]")) return true;
  }
  const { parent } = call;
  if (parent == null) return false;
  if (isMember(parent)) return propertyName(parent) === "value";
  const id = parent.type === "VariableDeclarator" ? child(parent, "id") : null;
  return id?.type === "ObjectPattern" && /\bvalue\b/.test(facts.source(id));
}

const paramOf = (facts: FileFacts, binding: Binding): Fn | null =>
  facts.functions.find((fn) => facts.scopes.declaredIn(binding, fn.node) && fn.params.length > 0) ?? null;

/** `return (w) => ...`, `return { loss: (w) => ... }`, or by its name. */
const handsOut = (facts: FileFacts, around: Fn, step: Fn): boolean =>
  inside(step.node, around.node) &&
  around.returns.some((value) => {
    const binding = facts.binding(value);
    return (
      inside(step.node, value) ||
      (binding !== null &&
        (binding.declaration === step.node ||
          binding.definitions.some(({ expression }) => bare(expression) === step.node)))
    );
  });
