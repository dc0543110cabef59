/** Whether what a function draws or counts gets into what it gives: a time that is only logged does not. */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import type { Binding } from "../../scopes.js";
import {
  argumentsOf,
  bare,
  calleeName,
  child,
  isCall,
  isFunction,
  isMember,
  receiver,
  type Node,
} from "../../tree.js";
import { isPropertyPosition } from "../../value-forms.js";
import { inside, nodesIn, runsIn } from "../shared/nodes.js";
import { inDuration, isClock } from "./idle.js";

/** More rounds than locals that are made of each other in turn. */
const ROUNDS = 6;

/** Nodes and locals of one function that are made of a source. */
interface Tainted {
  readonly nodes: readonly Node[];
  readonly bindings: ReadonlySet<Binding>;
}

/** The sources get into a value that is returned, or into a field or list that outlives the run. */
export function flowsOut(facts: FileFacts, fn: Fn, sources: readonly Node[]): boolean {
  const tainted = spread(facts, fn, sources);
  const has = (node: Node | null): boolean => node !== null && holds(facts, node, tainted);
  if (fn.returns.some(has)) return true;
  if (
    nodesIn(facts, "IfStatement", fn.node).some((test) => decidesReturn(fn, test) && has(child(test, "test")))
  )
    return true;
  const times = sources.some(isClock);
  const stored = nodesIn(facts, "AssignmentExpression", fn.node).some((node) => {
    const target = bare(child(node, "left")!);
    return (
      isMember(target) &&
      !sources.some((one) => inside(one, target) || one === node) &&
      isKept(node, has, times)
    );
  });
  return (
    stored ||
    nodesIn(facts, "CallExpression", fn.node).some(
      (call) => receiver(call) !== null && calleeName(call) === "push" && argumentsOf(call).some(has),
    )
  );
}

/** `out.v = k * x`, `x.d += w * draw()`; a sum of times (`spent += now() - start`) is for people. */
const isKept = (node: Node, has: (node: Node | null) => boolean, times: boolean): boolean =>
  (node.operator === "=" || !times) && has(child(node, "right"));

const decidesReturn = (fn: Fn, test: Node): boolean => fn.returns.some((value) => inside(value, test));

/** A source, or a local made of one, is more than a summand: noise that is only added is there on purpose. */
export function isWorkedWith(facts: FileFacts, fn: Fn, sources: readonly Node[]): boolean {
  const tainted = spread(facts, fn, sources);
  const names = nodesIn(facts, "Identifier", fn.node).filter((node) => {
    const binding = isPropertyPosition(node) ? null : facts.scopes.resolve(node);
    return binding !== null && tainted.bindings.has(binding);
  });
  return [...sources, ...names].some((node) => weighs(node, fn));
}

function weighs(node: Node, fn: Fn): boolean {
  let added = false;
  for (let from = node, at = node.parent; at != null && at !== fn.node; from = at, at = at.parent) {
    const operator = String(at.operator ?? "");
    if (at.type === "BinaryExpression" && /^(?:\*|\/|%|\*\*|[<>]=?|[=!]==?)$/.test(operator)) return true;
    added ||= at.type === "BinaryExpression" || (at.type === "AssignmentExpression" && operator !== "=");
    // `step(x).pull(bar)`
    if (isMember(at) && child(at, "object") === from) return true;
    if (/^(?:Conditional|If)/.test(at.type)) return child(at, "test") === from || !added;
    if (/Declarator$/.test(at.type)) return false;
    if (/Statement$/.test(at.type) || isFunction(at)) return !added;
  }
  return !added;
}

function spread(facts: FileFacts, fn: Fn, nodes: readonly Node[]): Tainted {
  const bindings = new Set<Binding>(nodes.flatMap((node) => handedTo(facts, node)));
  const own = new Set<Binding>();
  for (const name of nodesIn(facts, "Identifier", fn.node)) {
    const binding = isPropertyPosition(name) ? null : facts.scopes.resolve(name);
    if (binding !== null && isLocal(facts, binding, fn)) own.add(binding);
  }
  for (let round = 0, grew = true; grew && round < ROUNDS; round++) {
    grew = false;
    for (const binding of own) {
      if (bindings.has(binding)) continue;
      const made = [
        ...binding.definitions.map(({ expression }) => expression),
        ...(isFunction(binding.declaration) ? [binding.declaration] : []),
      ];
      if (!made.some((one) => holds(facts, one, { nodes, bindings }))) continue;
      bindings.add(binding);
      grew = true;
    }
  }
  return { nodes, bindings };
}

/** `walk((s, z) => ...)`: what a callback is handed comes out of the call. */
const handedTo = (facts: FileFacts, node: Node): readonly Binding[] =>
  isCall(node)
    ? argumentsOf(node)
        .filter((argument) => isFunction(bare(argument)))
        .flatMap((callback) => facts.functionOf(bare(callback))?.params ?? [])
        .flatMap((param) => facts.binding(param) ?? [])
    : [];

/** Declared in the run of the function, callbacks that run at once among it. */
function isLocal(facts: FileFacts, { declaration }: Binding, fn: Fn): boolean {
  const at = isFunction(declaration) ? declaration.parent! : declaration;
  return inside(declaration, fn.node) && runsIn(facts, at) === fn;
}

const holds = (facts: FileFacts, node: Node, { nodes, bindings }: Tainted): boolean =>
  nodes.some((one) => inside(one, node) && !inDuration(facts, one)) ||
  (bindings.size > 0 &&
    nodesIn(facts, "Identifier", node).some((name) => {
      const binding = isPropertyPosition(name) ? null : facts.scopes.resolve(name);
      return binding !== null && bindings.has(binding) && !inDuration(facts, name);
    }));
