/**
 * Functions that give the next number of a sequence: they work on a state that outlives the call, and it is in what they return.
 * A generator that is made with its seed for each run is none; neither is one that the file puts back to where it was.
 */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import { callsOf } from "../../local.js";
import type { Binding } from "../../scopes.js";
import {
  bare,
  calleeName,
  child,
  identifier,
  isCall,
  isFunction,
  isMember,
  propertyName,
  receiver,
  type Node,
} from "../../tree.js";
import { valuesOf } from "../../values.js";
import { inside, nodesIn, partsOf, runsIn, targetsOf } from "../shared/nodes.js";
import { flowsOut } from "./flows-out.js";

interface State {
  /** where it is worked on */
  readonly target: Node;
  /** null: a field */
  readonly binding: Binding | null;
}

/** `uniform()`, `prng.next()`, `this.source.next()`: the name of what is asked, null where it gives nothing new. */
export function generatorCall(facts: FileFacts, call: Node): string | null {
  if (statesOf(facts).size === 0) return null;
  const fns = targetsOf(facts, call);
  if (fns.length === 0 || fns.some((fn) => inside(call, fn.node))) return null;
  const outlive = fns.every((fn) => {
    const state = statesOf(facts).get(fn);
    return state !== undefined && outlives(facts, call, fn, state) && !isPutBack(facts, fn, state);
  });
  return outlive ? `the generator \`${fns[0].name}\`` : null;
}

const statesOf = (facts: FileFacts): ReadonlyMap<Fn, State> =>
  facts.once("states of generators", (file) => {
    const found = new Map<Fn, State>();
    for (const node of [...file.updates, ...file.assignments]) {
      const fn = runsIn(file, node);
      if (fn === null || found.has(fn) || fn.kind === "constructor" || fn.kind === "set") continue;
      const target = targetOf(node);
      const state = worksOn(file, node, target) ? stateAt(file, fn, target) : null;
      if (state !== null && isGiven(file, fn, node, target)) found.set(fn, state);
    }
    return found;
  });

const targetOf = (node: Node): Node =>
  bare(child(node, node.type === "UpdateExpression" ? "argument" : "left")!);

const MIXING = /^(?:[*^%|]|<<|>>>?)=?$/;

/** More than a count: `s ^= s << 13`, `w = (w + 0.618) % 1`, `state = Math.imul(state, 1664525) + 1`, by nothing of the call. */
function worksOn(facts: FileFacts, node: Node, target: Node): boolean {
  if (node.type === "UpdateExpression") return false;
  const right = child(node, "right")!;
  const parts = partsOf(right);
  const own = parts.some((part) => isSame(facts, part, target));
  if (node.operator === "=" ? !own : !/^(?:[-+*^%|]|<<|>>>?)=$/.test(String(node.operator))) return false;
  if (parts.some((part) => part.type === "Identifier" && isOwnParam(facts, part, node))) return false;
  if (parts.some((part) => isCall(part) && identifier(receiver(part)) !== "Math")) return false;
  return (
    MIXING.test(String(node.operator)) ||
    parts.some(
      (part) =>
        (part.type === "BinaryExpression" && MIXING.test(String(part.operator))) ||
        (isCall(part) && /^(?:imul|sin|cos|floor)$/.test(calleeName(part) ?? "")),
    )
  );
}

/** A parameter of the function that the store runs in. */
function isOwnParam(facts: FileFacts, name: Node, store: Node): boolean {
  const binding = facts.binding(name);
  const fn = runsIn(facts, store);
  return binding?.kind === "param" && fn !== null && facts.scopes.declaredIn(binding, fn.node);
}

function isSame(facts: FileFacts, part: Node, target: Node): boolean {
  if (part.type !== target.type) return false;
  if (part.type === "Identifier") return facts.binding(part) === facts.binding(target);
  return isMember(part) && valuesOf(facts).key(part) === valuesOf(facts).key(target);
}

/** It lies outside of the function: a variable around it, a field of its object or of one of the module. */
function stateAt(facts: FileFacts, fn: Fn, target: Node): State | null {
  if (isMember(target)) {
    const name = propertyName(target);
    const holder = bare(child(target, "object")!);
    const module = facts.binding(holder)?.scope.type === "Program";
    const held = holder.type === "ThisExpression" || module;
    return name !== null && held && facts.names.gradient(name) === 0 ? { target, binding: null } : null;
  }
  const binding = facts.binding(target);
  if (binding === null || inside(binding.declaration, fn.node) || binding.kind === "function") return null;
  return facts.names.gradient(binding.name) > 0 ? null : { target, binding };
}

function isGiven(facts: FileFacts, fn: Fn, node: Node, target: Node): boolean {
  const uses = nodesIn(facts, target.type, fn.node).filter((part) => isSame(facts, part, target));
  return fn.returns.length > 0 && flowsOut(facts, fn, [node, ...uses]);
}

/** What is asked is there before the run and after it. */
function outlives(facts: FileFacts, call: Node, fn: Fn, { binding }: State): boolean {
  const object = receiver(call);
  const asked = object === null ? null : bare(object);
  if (asked !== null && isMember(asked)) {
    const own = bare(child(asked, "object")!).type === "ThisExpression";
    return own && propertyName(asked) !== null && !isMadeAnew(facts, propertyName(asked)!);
  }
  if (asked !== null && asked.type !== "ThisExpression") {
    const held = facts.binding(asked);
    return held?.scope.type === "Program" && held.definitions.length <= 1;
  }
  if (binding === null || binding.scope.type === "Program") return true;
  // a variable of the function around: of another run than the call's
  const home = runsIn(facts, call);
  return (
    home !== null &&
    !facts.scopes.declaredIn(binding, home.node) &&
    inside(home.node, around(binding)) &&
    fn !== home
  );
}

function around({ scope }: Binding): Node {
  let at = scope;
  while (at.parent != null && !isFunction(at)) at = at.parent;
  return at;
}

/** `this.rng = lcg(seed)` outside of a constructor. */
const isMadeAnew = (facts: FileFacts, field: string): boolean =>
  facts.assignments.some((node) => {
    const target = targetOf(node);
    if (!isMember(target) || propertyName(target) !== field) return false;
    const home = facts.home(node);
    return home !== null && home.kind !== "constructor";
  });

/** Something that the file calls stores another state: `restore(s) { this.s = s; }`. A setter that nobody here asks does not. */
export function isPutBack(facts: FileFacts, fn: Fn, { target, binding }: State): boolean {
  return facts.assignments.some((node) => {
    if (node.operator !== "=") return false;
    const other = targetOf(node);
    const same =
      binding !== null
        ? facts.binding(other) === binding
        : isMember(other) && propertyName(other) === propertyName(target);
    if (!same || partsOf(child(node, "right")!).some((part) => isSame(facts, part, other))) return false;
    const home = runsIn(facts, node);
    if (home === null || home === fn || home.kind === "constructor") return false;
    const seeds = binding !== null && facts.scopes.declaredIn(binding, home.node);
    return !seeds && (callsOf(facts, home).length > 0 || !isSetter(home));
  });
}

/** One statement that stores what it is handed, or a beginning. */
export const isSetter = (fn: Fn): boolean => {
  const body = child(fn.node, "body")!;
  return fn.params.length < 2 && (body.type !== "BlockStatement" || (body.body as Node[]).length === 1);
};
