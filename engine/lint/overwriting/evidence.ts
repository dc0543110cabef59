/**
 * How much speaks for a write being one contribution of several into an operand's slot. Structure carries it: the value
 * comes from the same slot of another node, that node is the output, the code runs in the reverse sweep. Names add to it
 * and never suffice. Each sign has a weight; what reaches `ENOUGH` is reported.
 */
import type { FileFacts } from "../facts.js";
import type { Fn } from "../functions.js";
import { loopsAround, operationOf, resumedOperation, type Loop, type Operation } from "../reverse.js";
import {
  argumentsOf,
  bare,
  calleeName,
  child,
  children,
  identifier,
  isCall,
  isFunction,
  isMember,
  propertyName,
  walk,
  type Node,
} from "../tree.js";
import type { Binding } from "../scopes.js";
import { valuesOf, type Read } from "../values.js";
import { writesOf, type Write } from "../writes.js";
import { slotNamesOf, startsOf } from "./slots.js";

export const ENOUGH = 5;

export interface Weighed {
  readonly score: number;
  /** what the contribution comes from, null when it is not seen */
  readonly upstream: Read | null;
  readonly home: Fn | null;
  readonly operation: Operation | null;
  readonly loop: Loop | null;
  /** what is written is the node at hand, not an operand of it */
  readonly own: boolean;
  /** a name, or in its place a slot that starts at nothing and is fed from an output */
  readonly carried: boolean;
  /** runs in the reverse sweep, by where it stands or what it is called */
  readonly reverse: boolean;
}

/** A write to weigh: of the file, or one that a helper does for its caller. */
export type Contribution = Pick<
  Write,
  "node" | "value" | "object" | "objectKey" | "name" | "container" | "index" | "indexKey" | "element" | "form"
>;

export function weigh(facts: FileFacts, write: Contribution): Weighed {
  const values = valuesOf(facts);
  const slots = slotNamesOf(facts);
  const home = facts.home(write.node);
  const operation =
    home === null ? null : (resumedOperation(facts, write.node, home) ?? operationOf(facts, home));
  const loops = loopsAround(facts, write.node);
  const loop = loops.at(-1) ?? null;
  const reverseLoop = loops.find((around) => around.reverse) ?? null;
  const backward = home !== null && isBackward(facts, home);
  const reads = values.reads(write.value);
  const field = write.container === "" || write.object !== null;
  const strength = facts.names.gradient(write.name);

  const upstream =
    (field && write.object !== null ? fromField(reads, write, (name) => slots.canonical(name)) : null) ??
    (write.container !== "" ? fromContainer(reads, write) : null) ??
    fromParameter(facts, reads, home, operation, backward, write);
  const relation = related(facts, write, upstream);
  const target = write.object === null || isEntry(write) ? write.indexKey : write.objectKey;
  const atOnce = operation === null && ownOperation(facts, home, write, reads);
  const own =
    relation === "pull" ||
    pulledFromLater(loops, write, upstream) ||
    ownThis(facts, write, home, operation) ||
    published(values.key(write.value), target) ||
    (write.object !== null &&
      !isEntry(write) &&
      write.objectKey === "this" &&
      operation === null &&
      !atOnce) ||
    (relation !== "push" && loop !== null && operation === null && loop.isCurrent(target)) ||
    (operation !== null &&
      (operation.outputs.has(write.objectKey) || (isEntry(write) && operation.outputs.has(write.indexKey))));

  let score = 0;
  score += strength;
  if (operation !== null) score += operation.linked && fromOutput(upstream, operation, home) ? 2 : 1;
  else if (atOnce) score += 3;
  if (backward) score += 2;
  else if (reverseLoop !== null) score += 2;
  const product = multiplies(facts, write.value);
  const derivative = derivativeCall(facts, write.value);
  if (derivative === 2) score += 2;
  else if (product || derivative === 1) score += 1;
  else if (upstream !== null && isAlias(write.value, upstream)) score -= 1;
  if (relation === "push" || (upstream !== null && operation !== null)) score += 1;
  if (upstream === null) score -= 1;
  if (pairedMethod(facts, home, write)) score += 2;
  // from a node of a list to its operands
  if (relation === "push" && operation === null && loops.length > 0) score += 1;
  const starts = startsOf(facts);
  const blank = starts.blank.has(slots.canonical(write.name));
  if (blank && operation !== null && operation.linked) score += 1;
  // without a name that says gradient the rest has to: a slot that starts at nothing, an output or a seed
  const carried =
    strength > 0 ||
    (!facts.names.minified &&
      blank &&
      upstream !== null &&
      (operation !== null
        ? madeFromOperand(facts, write, upstream, operation)
        : reverseLoop !== null &&
          relation === "push" &&
          (starts.one.has(slots.canonical(write.name)) || (isEntry(write) && derivative > 0))));
  const doubtful =
    strength === 1 && operation !== null && !backward && !outputSpeaks(facts, upstream, operation);
  if (!carried || doubtful || (strength === 0 && !product && derivative === 0))
    score = Math.min(score, ENOUGH - 1);
  if (isEntry(write)) score += upstream !== null && upstream.kind === "element" ? 1 : 0;
  return {
    score,
    upstream,
    home,
    operation,
    loop: reverseLoop ?? loop,
    own,
    carried,
    reverse:
      operation !== null || atOnce || backward || reverseLoop !== null || (strength > 0 && inTable(home)),
  };
}

/** The write goes to an entry of an array, a map or a record that holds the slots of many nodes. */
export const isEntry = (write: Pick<Write, "container" | "index" | "form" | "object" | "element">): boolean =>
  write.form === "map-set" ||
  write.form === "merge" ||
  (write.form === "spread" && write.container !== "") ||
  (write.element && write.object === null);

export function isBackward(facts: FileFacts, fn: Fn): boolean {
  if (facts.names.copying(fn.name)) return false;
  return fn.name !== "" && facts.names.backward(fn.name);
}

/** The same slot of another node. */
function fromField(
  reads: readonly Read[],
  write: Contribution,
  canonical: (name: string) => string,
): Read | null {
  const name = canonical(write.name);
  return (
    reads.find(
      (read) => read.kind === "field" && canonical(read.name) === name && read.object !== write.objectKey,
    ) ?? null
  );
}

/** Another entry of the same array or map. */
function fromContainer(reads: readonly Read[], write: Contribution): Read | null {
  return (
    reads.find(
      (read) =>
        read.kind === "element" && read.container === write.container && read.index !== write.indexKey,
    ) ?? null
  );
}

/** What a backward closure or a rule is handed: its own parameter. */
function fromParameter(
  facts: FileFacts,
  reads: readonly Read[],
  home: Fn | null,
  operation: Operation | null,
  backward: boolean,
  write: Contribution,
): Read | null {
  if (home === null || home.kind === "constructor") return null;
  if (operation === null && !backward) return null;
  return (
    reads.find(
      (read) =>
        read.kind === "param" &&
        facts.scopes.declaredIn(read.binding, home.node) &&
        !write.objectKey.startsWith(`${read.binding.name}~${read.binding.id}`) &&
        !write.container.startsWith(`${read.binding.name}~${read.binding.id}`),
    ) ?? null
  );
}

const startsAt = (key: string, root: string): boolean =>
  key.startsWith(root) && (key[root.length] === "." || key[root.length] === "[");

/** push: the written node is reached from the one that is read (an operand); pull: the other way round. */
function related(facts: FileFacts, write: Contribution, upstream: Read | null): "push" | "pull" | null {
  if (upstream === null) return null;
  if (upstream.kind === "field") {
    const { object } = upstream;
    if (startsAt(write.objectKey, object) || mentions(write.objectKey, object)) return "push";
    if (startsAt(object, write.objectKey)) return "pull";
    return null;
  }
  if (upstream.kind === "element") {
    if (startsAt(write.indexKey, upstream.index) || mentions(write.indexKey, upstream.index)) return "push";
    if (startsAt(upstream.index, write.indexKey)) return "pull";
    // `bar.get(uses[i][k])` paid to `i`: the node at hand gathers from its uses
    if (write.indexKey !== "" && upstream.index.includes(`[${write.indexKey}]`)) return "pull";
    return derivedIndex(facts, write) ? "push" : null;
  }
  return null;
}

/** `layer[i].delta = f(layer[i + 1].delta)` in a loop that counts down: the node at hand gathers from its users. */
function pulledFromLater(loops: readonly Loop[], write: Contribution, upstream: Read | null): boolean {
  if (upstream === null || upstream.kind === "param") return false;
  const from = upstream.kind === "field" ? upstream.object : `${upstream.container}[${upstream.index}]`;
  return loops.some(
    ({ counter, reverse }) =>
      counter !== null &&
      reverse &&
      from.includes(`(${counter}+`) &&
      !write.objectKey.includes(`(${counter}-`) &&
      !write.indexKey.includes(`(${counter}-`),
  );
}

/** `this` of a plain function is what the function is called on: of a method its node, of a constructor what it makes. */
function ownThis(
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

/** `for (const [n, g] of sums) n.grad = g`: finished sums are handed out. */
function published(value: string, target: string): boolean {
  if (target === `${value.replace(/\[\*\]$/, "")}[entries][*][0]`) return true;
  const at = /^(.*\[\*\])\[\d\]$/.exec(value);
  return at !== null && target.startsWith(`${at[1]}[`);
}

/** `forward` and `backward` of one class, the latter writing into several objects that the class was given. */
function pairedMethod(facts: FileFacts, home: Fn | null, write: Contribution): boolean {
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

/** `exprs[this.left]` is reached through `this`. */
const mentions = (key: string, part: string): boolean =>
  key.includes(`[${part}.`) || key.includes(`[${part}[`);

/** The index comes out of data (`e.left`, `parents[k]`), not out of counting. */
export function derivedIndex(facts: FileFacts, write: Pick<Write, "index" | "indexKey">): boolean {
  if (write.index === null) return false;
  const binding = facts.binding(write.index);
  if (binding?.kind === "param" && facts.enclosing(binding.declaration)?.inline === false) return true;
  return /[.[]/.test(write.indexKey) || /^\?/.test(write.indexKey);
}

/** The upstream belongs to the operation's output, to the closure's own node or parameter. */
function fromOutput(upstream: Read | null, operation: Operation, home: Fn | null): boolean {
  if (upstream === null) return false;
  if (upstream.kind === "param") return true;
  const key = upstream.kind === "field" ? upstream.object : upstream.container;
  if (key === "this" && home !== null) return true;
  for (const output of operation.outputs) if (key === output || startsAt(key, output)) return true;
  return upstream.kind === "element";
}

/** The slot is read off an output that the operation gives back and made out of the operand that is written. */
function madeFromOperand(
  facts: FileFacts,
  write: Contribution,
  upstream: Read,
  operation: Operation,
): boolean {
  if (!operation.linked || upstream.kind !== "field" || write.object === null) return false;
  const made = operation.fn.returns
    .map((value) => bare(value))
    .find((value) => valuesOf(facts).key(value) === upstream.object);
  const init =
    made === undefined
      ? null
      : facts.binding(made)?.definitions.find(({ kind }) => kind === "initial")?.expression;
  if (init === null || init === undefined || !facts.isCall(bare(init))) return false;
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
function outputSpeaks(facts: FileFacts, upstream: Read | null, operation: Operation): boolean {
  if (upstream === null) return false;
  if (upstream.kind === "param") return facts.names.gradient(upstream.binding.name) > 0;
  if (upstream.kind === "element") return true;
  return (
    (upstream.object === "this" && (operation.outputs.size > 0 || operation.fn.kind === "constructor")) ||
    [...operation.outputs].some((output) => upstream.object === output || startsAt(upstream.object, output))
  );
}

/** A method that makes another of its kind and writes the gradient at once, with no closure between. */
function ownOperation(
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

/** One of several functions of an object: a table of rules. */
function inTable(home: Fn | null): boolean {
  const property = home?.node.parent;
  if (property?.type !== "Property" || property.parent === null || property.parent === undefined)
    return false;
  const values = children(property.parent, "properties").map((other) =>
    other === null ? null : child(other, "value"),
  );
  return values.filter((value) => value !== null && isFunction(bare(value))).length > 1;
}

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

function isAlias(value: Node, upstream: Read): boolean {
  const inner = bare(value);
  if (inner === upstream.node) return true;
  if (isMember(inner) && propertyName(inner) !== null) return true;
  return inner.type === "Identifier";
}
