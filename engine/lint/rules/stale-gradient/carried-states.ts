/**
 * A state that each turn makes of the one before, and a sweep in each turn: `h = cell(h, x); loss(h).backward();`. The sweep of a
 * later turn goes through all earlier states, which still hold what the sweeps before left in them, unless the state is cut off or
 * all of the graph is set back.
 */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import { localFunction } from "../../local.js";
import { partOf } from "../../lookups.js";
import { place } from "../../overwriting/words.js";
import type { Finding } from "../../report.js";
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
import { inside, nodesIn, targetsOf } from "../shared/nodes.js";
import { linksOperands } from "./leaves.js";

/** The state that a root is made of and that the turns of a loop hand on; null where each turn begins anew. */
export function carriedState(facts: FileFacts, made: Iterable<Binding>, loop: Node): Binding | null {
  for (const binding of made) {
    if (binding.kind !== "variable" || inside(binding.declaration, loop)) continue;
    const stores = binding.definitions.filter(({ at, kind }) => kind === "assigned" && inside(at, loop));
    if (stores.length === 0 || isCut(facts, binding, loop)) continue;
    if (stores.every(({ expression, path }) => path.length === 0 && isMadeOfNode(facts, expression, binding)))
      return binding;
  }
  return null;
}

/** What is told of it. */
export const carriedOn = (state: Binding, name: string): Pick<Finding, "message" | "related"> => ({
  message: `\`${name}\` sweeps in each turn of this loop through \`${state.name}\`, which is made of that of the turn before, and nothing is set back to zero in between: the states of earlier turns hand on what they still hold. Cut the state off, sweep once after the loop, or clear all nodes.`,
  related: [place(state.declaration, "handed on from turn to turn")],
});

/** `w.mul(h).add(u)`, `cell(h, x)`: the node itself goes into an operation, and not its number. */
function isMadeOfNode(facts: FileFacts, value: Node, state: Binding): boolean {
  return nodesIn(facts, "Identifier", value).some((name) => {
    if (facts.binding(name) !== state) return false;
    for (let from = name, at = name.parent; at != null && inside(at, value); from = at, at = at.parent) {
      if (isMember(at) && child(at, "object") === from) {
        // `h.add(...)` is asked of the node, `h.data` is a number
        const called = at.parent != null && isCall(at.parent) && child(at.parent, "callee") === at;
        return called && makesNodes(facts, at.parent!, 0);
      }
      if (isCall(at) && child(at, "callee") !== from) return makesNodes(facts, at, 0);
      if (!/^(?:TS|Parenthesized)/.test(at.type)) return false;
    }
    return false;
  });
}

/** An operation of this file, or a function that gives what operations make. */
function makesNodes(facts: FileFacts, call: Node, depth: number): boolean {
  const fns = targetsOf(facts, call);
  return fns.length > 0 && fns.every((fn) => isOperation(facts, fn, depth));
}

const isOperation = (facts: FileFacts, fn: Fn, depth: number): boolean =>
  fn.returns.length > 0 &&
  (linksOperands(facts, fn) ||
    (depth < 2 &&
      fn.returns.every((value) => {
        const at = bare(value);
        return isCall(at) && localFunction(facts, at) !== fn && makesNodes(facts, at, depth + 1);
      })));

const CUTS = /detach|cut|trunc|forget|stop|free|release|clear|reset|zero|leaf|unlink/i;
const KEEPS = /^(?:push|unshift|set|add|log)$/;

/** `h.children = []`, `h.detach()`, `cutOff(h)`: what it is made of is forgotten. */
const isCut = (facts: FileFacts, state: Binding, loop: Node): boolean =>
  partOf(facts.assignments, loop).some((node) => {
    const target = bare(child(node, "left")!);
    if (!isMember(target) || facts.binding(child(target, "object")!) !== state) return false;
    return !/^(?:data|val|value)$/.test(propertyName(target) ?? "");
  }) ||
  partOf(facts.calls, loop).some((call) => {
    const name = calleeName(call) ?? "";
    const object = receiver(call);
    if (call.parent?.type !== "ExpressionStatement") return false;
    if (object !== null && facts.binding(object) === state) return CUTS.test(name);
    const handed = argumentsOf(call).some((one) => facts.binding(one) === state);
    return handed && !KEEPS.test(name) && !facts.names.backward(name);
  });
