/** Whose slot is written: an operand of the output, the node at hand, a part of what was made. */
import type { FileFacts } from "../facts.js";
import type { Fn } from "../functions.js";
import type { Loop } from "../reverse.js";
import type { Operation } from "../operations.js";
import { callsOf } from "../local.js";
import { callsNamed } from "../lookups.js";
import { keptAs } from "../rules/shared/nodes.js";
import type { Binding } from "../scopes.js";
import {
  argumentsOf,
  bare,
  calleeName,
  child,
  children,
  identifier,
  isFunction,
  walk,
  type Node,
} from "../tree.js";
import { valuesOf } from "../values.js";
import { type Read } from "../value-forms.js";
import { writesOf } from "../writes.js";
import { type Contribution, isEntry } from "./entries.js";
import { handedNodes } from "./handed-nodes.js";
import { slotNamesOf } from "./slots.js";
import { startsAt } from "./upstream.js";

/** `this` of a plain function is what the function is called on: of a method its node, of a constructor what it makes. */
export function ownThis(
  facts: FileFacts,
  write: Contribution,
  home: Fn | null,
  operation: Operation | null,
): boolean {
  if (home === null || operation === null || write.objectKey !== "this" || isEntry(write)) return false;
  if (home.node.type === "ArrowFunctionExpression" || home.kind !== "function") return false;
  if (home.storedOn === null) return home.node.type === "FunctionDeclaration" && /^[A-Z]/.test(home.name);
  const holder = valuesOf(facts).key(child(home.storedOn, "object")!);
  const returned = operation.fn.returns.some((value) => valuesOf(facts).key(value) === holder);
  return !returned && !facts.names.backward(home.name);
}

/** `ids.forEach((id, t) => this.gradW[id].set(gradOut[t]))`: rows by what a list says, and a list may say one twice. */
export const scatters = (write: Contribution, upstream: Read | null): boolean =>
  write.element && upstream?.kind === "param" && /[\w\])]\[\*\]$/.test(write.indexKey);

/** `c.adjoint = c.uses.reduce((s, u) => s + u.weight * adjointOf(u.by), 0)`: all of it comes out of the written node. */
export function gathers(facts: FileFacts, write: Contribution, reads: readonly Read[]): boolean {
  if (write.object === null || isEntry(write) || write.objectKey === "this") return false;
  if (facts.binding(write.object)?.kind !== "param") return false;
  let own = 0;
  for (const read of reads) {
    if (read.kind === "param") {
      if (facts.functionOf(read.binding.scope)?.inline === true) continue;
      if (`${read.binding.name}~${read.binding.id}` !== write.objectKey) return false;
    } else {
      const key = read.kind === "field" ? read.object : read.container;
      if (key === write.objectKey || startsAt(key, write.objectKey)) own++;
      else return false;
    }
  }
  return own > 0 && reads.some((read) => read.kind === "field" && read.object !== write.objectKey);
}

/** `edges.forEach((e, i) => e.receive(parts[i]))`: one part of what a call gave for each of a list. */
export function distributes(facts: FileFacts, value: Node, loops: readonly Loop[]): boolean {
  let inner = bare(value);
  // `const c = parts[i]; if (c !== null) p.grad = c;`
  const [kept, ...others] = facts.binding(inner)?.definitions ?? [];
  if (kept !== undefined && others.length === 0 && kept.path.length === 0) inner = bare(kept.expression);
  if (inner.type !== "MemberExpression" || inner.computed !== true) return false;
  const list = facts.binding(child(inner, "object")!);
  const [made, ...more] = list?.definitions ?? [];
  if (made === undefined || more.length > 0 || made.path.length > 0 || !facts.isCall(bare(made.expression)))
    return false;
  const index = facts.binding(child(inner, "property")!);
  return (
    index !== null &&
    loops.some(
      ({ node, counter }) =>
        counter === `${index.name}~${index.id}` ||
        (isFunction(node) && children(node, "params")[1] === index.declaration),
    )
  );
}

/** The node that the loop is at, or what a table holds under its name: `nodes.get(id)`. */
export function isAt(loop: Loop, target: string): boolean {
  if (loop.isCurrent(target)) return true;
  if (!target.endsWith("]")) return false;
  let open = 0;
  for (let at = target.length - 1; at >= 0; at--) {
    if (target[at] === "]") open++;
    else if (target[at] === "[" && --open === 0) return loop.isCurrent(target.slice(at + 1, -1));
  }
  return false;
}

/** `forward` and `backward` of one class, the latter writing into several objects that the class was given. */
export function pairedMethod(facts: FileFacts, home: Fn | null, write: Contribution): boolean {
  if (
    home === null ||
    home.owner === null ||
    !facts.names.backward(home.name) ||
    !write.objectKey.startsWith("this.")
  )
    return false;
  const paired = facts.functions.some(
    (fn) =>
      fn.owner === home.owner &&
      /^_?(?:forward|fwd|evaluate|compute|apply)/i.test(fn.name) &&
      fn.params.length === 0,
  );
  const others = writesOf(facts).filter(
    (other) => other.name === write.name && facts.home(other.node) === home,
  );
  return (
    paired &&
    others.some((other) => other.objectKey !== write.objectKey && other.objectKey.startsWith("this."))
  );
}

/** The upstream belongs to the operation's output, to the closure's own node or parameter. */
export function fromOutput(
  facts: FileFacts,
  upstream: Read | null,
  operation: Operation,
  home: Fn | null,
): boolean {
  if (upstream === null) return false;
  if (upstream.kind === "param") return true;
  const key = upstream.kind === "field" ? upstream.object : upstream.container;
  if (key === "this" && home !== null) return true;
  if (home !== null && handedNodes(facts, home).has(key)) return true;
  for (const output of operation.outputs) if (key === output || startsAt(key, output)) return true;
  return upstream.kind === "element";
}

/** The slot is read off an output that the operation gives back and made out of the operand that is written. */
export function madeFromOperand(
  facts: FileFacts,
  write: Contribution,
  upstream: Read,
  operation: Operation,
): boolean {
  if (!operation.linked || upstream.kind !== "field" || write.object === null) return false;
  const made = [...operation.fn.returns, ...(operation.handed ?? [])]
    .map((value) => bare(value))
    .find((value) => valuesOf(facts).key(value) === upstream.object);
  const init =
    made === undefined
      ? null
      : facts.binding(made)?.definitions.find(({ kind }) => kind === "initial")?.expression;
  if (init === null || init === undefined) return false;
  if (!facts.isCall(bare(init)) && bare(init).type !== "ObjectExpression") return false;
  const operand = valuesOf(facts).key(write.object);
  let mentioned = false;
  walk(init, (node) => {
    if (node.type === "ThisExpression" || node.type === "Identifier")
      mentioned ||= valuesOf(facts).key(node) === operand;
    return !mentioned;
  });
  return mentioned;
}

/** A short name needs the output to speak for it: its slot is read, or a parameter named for a gradient. */
export function outputSpeaks(
  facts: FileFacts,
  upstream: Read | null,
  operation: Operation,
  name: string,
  home: Fn | null,
): boolean {
  if (upstream === null) return false;
  if (upstream.kind === "param")
    return facts.names.gradient(upstream.binding.name) > 0 || handedSlot(facts, upstream.binding, name);
  if (upstream.kind === "element") return true;
  if (home !== null && handedNodes(facts, home).has(upstream.object)) return true;
  return (
    (upstream.object === "this" &&
      (operation.outputs.size > 0 || operation.fn.kind === "constructor" || isOfReturned(home, operation))) ||
    [...operation.outputs].some((output) => upstream.object === output || startsAt(upstream.object, output))
  );
}

/** A method of the record that the operation gives back: `(n, m) => ({ sens: 0, pull() { n.sens += this.sens * m.at; } })`. */
function isOfReturned(home: Fn | null, operation: Operation): boolean {
  const property = home?.node.parent;
  return (
    property?.type === "Property" && operation.fn.returns.some((value) => bare(value) === property.parent)
  );
}

/** The sweep hands the slot to the parameter: `node.pull(node.sens)` of a closure that is kept under `pull`. */
function handedSlot(facts: FileFacts, binding: Binding, name: string): boolean {
  const fn = facts.functionOf(binding.scope);
  const at = fn?.params.findIndex((param) => facts.binding(param) === binding) ?? -1;
  if (fn === null || at === -1) return false;
  const slots = slotNamesOf(facts);
  return keptAs(facts, fn).some((kept) =>
    callsNamed(facts, kept).some((call) => {
      const argument = argumentsOf(call)[at];
      return (
        argument !== undefined &&
        valuesOf(facts)
          .reads(argument)
          .some((read) =>
            read.kind === "field"
              ? slots.canonical(read.name) === slots.canonical(name)
              : read.kind === "element" && read.container.replace(/^.*\.|~\d+$/g, "") === name,
          )
      );
    }),
  );
}

/** A method that makes another of its kind and writes the gradient at once, with no closure between. */
export function ownOperation(
  facts: FileFacts,
  home: Fn | null,
  write: Contribution,
  reads: readonly Read[],
): boolean {
  if (home === null || home.kind === "constructor" || write.object === null) return false;
  const values = valuesOf(facts);
  const made = home.returns.map((value) => bare(value)).filter((value) => value.type === "Identifier");
  return made.some((value) => {
    const binding = facts.scopes.resolve(value);
    const init = binding?.definitions.find(({ kind }) => kind === "initial")?.expression;
    if (init === undefined || bare(init).type !== "NewExpression") return false;
    const key = values.key(value);
    if (key === write.objectKey) return false;
    const owner = home.owner === null ? null : identifier(child(home.owner, "id"));
    if (owner !== null && calleeName(bare(init)) !== owner) return false;
    return reads.some((read) => read.kind === "field" && (read.object === key || read.name === write.name));
  });
}

/** `mul(n) { n.left.d += ...; }`: a method of a class that pays the operands of the node it is handed. */
export function visits(facts: FileFacts, home: Fn | null, upstream: Read | null): boolean {
  if (home?.kind !== "method" || upstream?.kind !== "field") return false;
  return home.params.some(
    (param) => identifier(param) !== null && valuesOf(facts).key(param) === upstream.object,
  );
}

/** Goes on to the operands by calling itself. */
export const isRecursive = (facts: FileFacts, home: Fn | null): boolean =>
  home !== null && home.name !== "" && callsOf(facts, home).some((call) => facts.home(call) === home);

/** One of several functions of an object: a table of rules. */
export function inTable(home: Fn | null): boolean {
  const property = home?.node.parent;
  if (property?.type !== "Property" || property.parent === null || property.parent === undefined)
    return false;
  const values = children(property.parent, "properties").map((other) =>
    other === null ? null : child(other, "value"),
  );
  return values.filter((value) => value !== null && isFunction(bare(value))).length > 1;
}
