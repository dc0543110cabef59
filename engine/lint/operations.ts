/** Operations with deferred backward closures, and what reports call them. */
import type { FileFacts } from "./facts.js";
import { callsFrom } from "./lookups.js";
import type { Binding } from "./scopes.js";
import { prototypeOf, type Fn } from "./functions.js";
import {
  argumentsOf,
  bare,
  child,
  children,
  endOf,
  identifier,
  isCall,
  isFunction,
  propertyName,
  startOf,
  type Node,
} from "./tree.js";
import { valuesOf } from "./values.js";

/** An operation: a function that makes an output and leaves a closure behind that will run in the reverse sweep. */
export interface Operation {
  readonly fn: Fn;
  /** keys of what it makes and gives back, or hangs the closure on */
  readonly outputs: ReadonlySet<string>;
  /** the closure hangs on an output, goes into its making, is pushed on a tape, or is returned */
  readonly linked: boolean;
  /** what it yields or hands to its continuation instead of returning it */
  readonly handed?: readonly Node[];
}

/**
 * An operation written as a generator: it yields its output, and what stands after the yield runs in the reverse sweep. Or
 * one that hands its output to what comes next (Wang et al., Demystifying differentiable programming, 2019): what stands
 * after the call of the continuation runs when everything later is done. Null when the node does not stand behind either.
 */
export function resumedOperation(facts: FileFacts, node: Node, fn: Fn): Operation | null {
  const outputs = new Set<string>();
  const handed: Node[] = [];
  const note = (at: Node, value: Node): void => {
    if (startOf(at) >= startOf(node) || facts.home(at) !== fn) return;
    outputs.add(valuesOf(facts).key(value));
    handed.push(value);
  };
  if (fn.node.generator === true) {
    for (const at of facts.yields) {
      const value = child(at, "argument");
      if (value !== null) note(at, value);
    }
  } else
    for (const call of callsFrom(facts, fn)) {
      const value = continued(facts, call, fn);
      if (value !== null) note(call, value);
    }
  return outputs.size === 0 ? null : { fn, outputs, linked: true, handed };
}

/** `k(out);` of a parameter `k` and a local `out` that was made here. */
function continued(facts: FileFacts, call: Node, fn: Fn): Node | null {
  const [value, ...more] = argumentsOf(call);
  if (value === undefined || more.length > 0) return null;
  const statement = call.parent?.type === "AwaitExpression" ? call.parent.parent : call.parent;
  if (statement?.type !== "ExpressionStatement") return null;
  const next = facts.binding(child(call, "callee")!);
  const made = facts.binding(value);
  if (next?.kind !== "param" || !facts.scopes.declaredIn(next, fn.node)) return null;
  if (made?.kind !== "variable" || !facts.scopes.declaredIn(made, fn.node)) return null;
  const start = made.definitions.find(({ kind }) => kind === "initial")?.expression;
  return start !== undefined && (facts.isCall(bare(start)) || bare(start).type === "ObjectExpression")
    ? value
    : null;
}

/** The operation that a deferred function belongs to, null when it stands at the top or is a method. */
export function operationOf(facts: FileFacts, fn: Fn): Operation | null {
  const cache = facts.once("operations", () => new Map<Fn, Operation | null>());
  const known = cache.get(fn);
  if (known !== undefined) return known;
  const found = compute(facts, fn);
  cache.set(fn, found);
  return found;
}

function compute(facts: FileFacts, closure: Fn): Operation | null {
  const fn = facts.outer(closure);
  if (fn === null || closure.kind !== "function") return null;
  const values = valuesOf(facts);
  const outputs = new Set<string>();
  for (const value of fn.returns) {
    if (facts.home(value) !== fn) continue;
    const inner = bare(value);
    if (inner.type === "Identifier") outputs.add(values.key(inner));
    else if (inner.type === "ArrayExpression" && children(inner, "elements")[0]?.type === "Identifier")
      outputs.add(values.key(children(inner, "elements")[0]!));
  }
  let linked = false;
  if (closure.storedOn !== null && propertyName(closure.storedOn) !== null) {
    outputs.add(values.key(child(closure.storedOn, "object")!));
    linked = true;
  }
  // handed to the making of a node, pushed on a tape, part of what is returned
  for (
    let at: Node | null | undefined = closure.node.parent, from = closure.node;
    at !== null && at !== undefined && at !== fn.node;
    from = at, at = at.parent
  ) {
    if (isFunction(at)) break;
    if (at.type === "ReturnStatement" || (at === fn.node && fn.returns.includes(from))) linked = true;
    // a callback of several parameters whose call leaves nothing behind is told something, and is no pullback
    const told = isCall(at) && at.parent?.type === "ExpressionStatement" && closure.params.length > 1;
    if ((at.type === "NewExpression" || isCall(at)) && !told) linked = true;
    // `return record(y, () => { a.d += y.d; });`: handed over together with what was made here
    if (isCall(at) && at.parent?.type === "ReturnStatement" && argumentsOf(at).includes(from))
      for (const other of argumentsOf(at)) if (isMadeIn(facts, other, fn)) outputs.add(values.key(other));
    if (at.type === "VariableDeclarator") {
      const id = child(at, "id")!;
      if (id.type === "Identifier") {
        const made = child(at, "init");
        if (made !== null && !isFunction(bare(made))) outputs.add(values.key(id));
        // a named closure: linked where the name is used
        linked ||= made !== null && (!isFunction(bare(made)) || usedAsValue(facts, id));
      }
    }
  }
  if (closure.node.type === "FunctionDeclaration") {
    const id = child(closure.node, "id");
    linked ||= id !== null && usedAsValue(facts, id);
  }
  if (fn.returns.some((value) => bare(value) === closure.node)) linked = true;
  if (
    fn.returns.some((value) => startOf(value) <= startOf(closure.node) && endOf(closure.node) <= endOf(value))
  )
    linked = true;
  return { fn, outputs, linked };
}

/** A local of the function that is given something new: `const y = node(a.v * b.v)`. */
function isMadeIn(facts: FileFacts, value: Node, fn: Fn): boolean {
  const binding = facts.binding(value);
  const [made, ...more] = binding?.definitions ?? [];
  return (
    binding?.kind === "variable" &&
    made !== undefined &&
    more.length === 0 &&
    made.path.length === 0 &&
    facts.scopes.declaredIn(binding, fn.node) &&
    (facts.isCall(bare(made.expression)) || bare(made.expression).type === "ObjectExpression")
  );
}

/** A local function that is stored, pushed or handed on rather than called. */
function usedAsValue(facts: FileFacts, id: Node): boolean {
  const binding = facts.scopes.resolve(id);
  return binding !== null && handedOn(facts).has(binding);
}

const handedOn = (facts: FileFacts): ReadonlySet<Binding> =>
  facts.once("handed on", (file) => {
    const found = new Set<Binding>();
    const note = (node: Node | null): void => {
      // `return [y, back];`, `tape.push([y, back])`
      if (node !== null && bare(node).type === "ArrayExpression")
        children(bare(node), "elements").forEach(note);
      if (node === null || bare(node).type !== "Identifier") return;
      const binding = file.binding(node);
      if (binding !== null) found.add(binding);
    };
    for (const node of file.assignments) note(child(node, "right"));
    for (const call of file.invocations()) argumentsOf(call).forEach(note);
    for (const object of file.objects)
      for (const property of children(object, "properties"))
        if (property !== null) note(child(property, "value"));
    for (const fn of file.functions) fn.returns.forEach(note);
    return found;
  });

/** The operation a write belongs to, in the words of a message: the method, the class, or the rule's name. */
export function operationName(facts: FileFacts, node: Node): string {
  let fn = facts.home(node);
  let last = "";
  while (fn !== null) {
    const name = fn.kind === "constructor" ? "" : fn.name;
    if (
      name !== "" &&
      !facts.names.backward(name) &&
      !/^_*(?:run|step|fn|call|apply|back|cb|callback|rule|f|g|fun|func|body|grad|run)$/i.test(name)
    )
      return name;
    const owner = fn.owner === null ? prototypeOf(fn) : identifier(child(fn.owner, "id"));
    if (name !== "" || owner !== null) last ||= owner ?? name;
    const outer = facts.outer(fn);
    if (outer === null) break;
    fn = outer;
  }
  return last || "this operation";
}
