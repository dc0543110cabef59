/**
 * Does a stored value add to what the slot held? Reading the old value proves nothing (`this.grad = out.grad * this.grad`
 * is a fault); it has to arrive through sums, through calls that add, or untouched on one branch.
 */
import type { FileFacts } from "./facts.js";
import type { Fn } from "./functions.js";
import type { Binding } from "./scopes.js";
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
  literal,
  propertyName,
  receiver,
  walk,
  type Node,
} from "./tree.js";
import { localFunction } from "./local.js";
import { isEntry } from "./overwriting/entries.js";
import { valuesOf } from "./values.js";
import { addingName, type Write } from "./writes.js";

const MULTIPLYING =
  /^(?:mul|multiply|times|dot|matmul|mm|bmm|mv|scale|scaled|div|divide|pow|hadamard|prod|product|outer|elementwise_?mul|compose|max|min(?!us)|hypot)|(?:Mul|Multiply|Times|Dot|Scale|Prod)(?:$|[A-Z_])/;
const MULTIPLYING_SIGN = /^(?:\*|\/|\^|mul|multiply|times|div|divide|pow|dot)$/i;

/** Keys under which the old value of a slot is read. */
export interface Slot {
  readonly keys: ReadonlySet<string>;
  /** key of the array or map that it is an entry of: its other entries are other slots */
  readonly container?: string;
}

/** The slot of a write; `same` gives every name that one slot goes by (accessors and the fields behind them). */
export function slotOf(write: Write, same: (name: string) => readonly string[]): Slot {
  const keys = new Set<string>();
  if (write.container !== "" && write.index !== null) keys.add(`${write.container}[${write.indexKey}]`);
  if (write.container !== "" && write.index === null) keys.add(write.container);
  if (write.object !== null && !isEntry(write))
    for (const name of same(write.name)) keys.add(`${write.objectKey}.${name}`);
  return write.container !== "" && write.index !== null ? { keys, container: write.container } : { keys };
}

/** `inside ? c : old`: where the test does not look at the slot, one branch keeps the old value and the other replaces it. */
function replacesInBranch(facts: FileFacts, value: Node, slot: Slot): boolean {
  const inner = bare(value);
  if (inner.type !== "ConditionalExpression") return false;
  const values = valuesOf(facts);
  const isOld = (node: Node): boolean => slot.keys.has(values.key(node));
  const branches = [child(inner, "consequent")!, child(inner, "alternate")!];
  const other = branches.find((branch) => !isOld(branch));
  if (branches.filter(isOld).length !== 1 || other === undefined || literal(other) !== undefined)
    return false;
  let asked = false;
  walk(child(inner, "test")!, (node) => {
    asked ||= isMember(node) && isOld(node);
  });
  return !asked && !adds(facts, other, slot);
}

export function adds(facts: FileFacts, value: Node, slot: Slot): boolean {
  if (replacesInBranch(facts, value, slot)) return false;
  const asked = (key: string): boolean => {
    if (slot.keys.has(key)) return true;
    for (const old of slot.keys)
      if (key.startsWith(old) && (key[old.length] === "[" || key[old.length] === ".")) return true;
    return false;
  };
  return reaches(facts, value, asked, 0, slot.container);
}

/** Follows the positions of a value that are added up, until one whose key is asked for. */
function reaches(
  facts: FileFacts,
  value: Node,
  asked: (key: string) => boolean,
  depth = 0,
  container?: string,
): boolean {
  const values = valuesOf(facts);
  const queue: Node[] = [value];
  const seen = new Set<Node>();
  const bindings = new Set<Binding>();
  const push = (...nodes: (Node | null)[]): void => {
    for (const node of nodes) if (node !== null) queue.push(node);
  };
  while (queue.length > 0) {
    const node = bare(queue.pop()!);
    facts.spend(1);
    if (seen.has(node)) continue;
    seen.add(node);
    if (
      (isMember(node) || node.type === "Identifier" || node.type === "LogicalExpression" || isCall(node)) &&
      asked(values.key(node))
    )
      return true;
    if (container !== undefined && isEntryOf(facts, node, container)) continue;
    if (node.type === "Identifier") {
      const binding = facts.scopes.resolve(node);
      if (binding === null || bindings.has(binding)) continue;
      bindings.add(binding);
      const taken = takenByKey(facts, binding);
      if (taken !== null && asked(taken)) return true;
      for (const { expression, kind, at } of binding.definitions) {
        if (kind === "compound" && at.operator !== "+=" && at.operator !== "-=") continue;
        push(expression);
      }
      continue;
    }
    switch (node.type) {
      case "BinaryExpression":
        if (node.operator === "+" || node.operator === "-") push(child(node, "left"), child(node, "right"));
        continue;
      case "LogicalExpression":
        push(child(node, "left"), child(node, "right"));
        continue;
      case "ConditionalExpression":
        push(child(node, "consequent"), child(node, "alternate"));
        continue;
      case "AssignmentExpression":
        push(
          child(node, "right"),
          node.operator === "+=" || node.operator === "-=" ? child(node, "left") : null,
        );
        continue;
      case "UnaryExpression":
      case "SpreadElement":
      case "YieldExpression":
        push(child(node, "argument"));
        continue;
      case "SequenceExpression":
        push(children(node, "expressions").at(-1) ?? null);
        continue;
      case "ArrayExpression":
        push(...children(node, "elements"));
        continue;
      case "ObjectExpression":
        for (const property of children(node, "properties"))
          if (property !== null)
            push(property.type === "SpreadElement" ? child(property, "argument") : child(property, "value"));
        continue;
    }
    if (isMember(node)) {
      const object = bare(child(node, "object")!);
      // a part of something made here: `sum.data` of `const sum = add(x.grad, c)`
      if (object.type !== "ThisExpression") push(object);
      continue;
    }
    if (isCall(node) || node.type === "NewExpression") pushCall(facts, node, push, depth);
  }
  return false;
}

/** `before` of `const { [name]: before = 0, ...others } = grads`: the key of the entry. */
function takenByKey(facts: FileFacts, binding: Binding): string | null {
  const [made] = binding.definitions;
  if (made?.path.length !== 1 || made.path[0] !== "[*]") return null;
  const value =
    binding.declaration.parent?.type === "AssignmentPattern"
      ? binding.declaration.parent
      : binding.declaration;
  const property = value.parent;
  if (property?.type !== "Property" || property.computed !== true) return null;
  const values = valuesOf(facts);
  return `${values.key(made.expression)}[${values.key(child(property, "key")!)}]`;
}

/** `bar[i]`, `bar.get(i)`: an entry of the container that is not the one asked for. */
function isEntryOf(facts: FileFacts, node: Node, container: string): boolean {
  const object = isMember(node)
    ? propertyName(node) === null
      ? child(node, "object")
      : null
    : isCall(node) && calleeName(node) === "get"
      ? receiver(node)
      : null;
  return object !== null && valuesOf(facts).key(object) === container;
}

function pushCall(
  facts: FileFacts,
  call: Node,
  push: (...nodes: (Node | null)[]) => void,
  depth: number,
): void {
  const name = calleeName(call) ?? "";
  const args = argumentsOf(call);
  const object = receiver(call);
  const callbacks = args.filter(isFunction);
  if (callbacks.length > 0) {
    for (const callback of callbacks) {
      push(...(facts.functionOf(callback)?.returns ?? []));
      // `zip(old, c, (x, y) => x + y)`: element by element, what is handed over is added
      // `mapped(old, (x) => x + g)`, by a helper of the engine's own, too
      if (sumsPair(facts, callback) || (object === null && sumsParam(facts, callback)))
        push(object, ...args.filter((argument) => !isFunction(argument)));
    }
    if (name === "reduce" || name === "reduceRight") push(args[1] ?? null);
    return;
  }
  if (object !== null && identifier(bare(object)) === "Math") return;
  if (args.some((argument) => MULTIPLYING_SIGN.test(String(literal(argument) ?? "")))) return;
  const local = depth < 3 ? localFunction(facts, call) : null;
  // what is called `add` adds, however it goes about it
  if (local !== null && !addingName(name)) {
    const adding = additiveParams(facts, local, depth);
    args.forEach((argument, i) => {
      if (adding.has(i)) push(argument);
    });
    if (object !== null && adding.has(-1)) push(object);
    return;
  }
  // slicing, casting and unknown combining calls get the benefit of the doubt; those that multiply do not
  if (MULTIPLYING.test(name) && !addingName(name) && !facts.names.helper(name)) return;
  push(object, ...args);
}

/** `(x) => x + g`, `(x, i) => x + g[i]`. */
function sumsParam(facts: FileFacts, callback: Node): boolean {
  const fn = facts.functionOf(callback);
  const [value, ...more] = fn?.returns ?? [];
  if (fn === null || value === undefined || more.length > 0 || fn.params.length === 0) return false;
  const sum = bare(value);
  if (sum.type !== "BinaryExpression" || sum.operator !== "+") return false;
  const first = facts.binding(fn.params[0]);
  return (
    first !== null &&
    [child(sum, "left")!, child(sum, "right")!].some((side) => facts.binding(side) === first)
  );
}

/** `(x, y) => x + y`. */
function sumsPair(facts: FileFacts, callback: Node): boolean {
  const fn = facts.functionOf(callback);
  const [value, ...more] = fn?.returns ?? [];
  if (fn === null || value === undefined || more.length > 0 || fn.params.length < 2) return false;
  const sum = bare(value);
  if (sum.type !== "BinaryExpression" || sum.operator !== "+") return false;
  const sides = new Set([facts.binding(child(sum, "left")!), facts.binding(child(sum, "right")!)]);
  return fn.params.slice(0, 2).every((param) => sides.has(facts.binding(param)));
}

/** Parameters (-1: the receiver) that a function adds into what it returns. */
function additiveParams(facts: FileFacts, fn: Fn, depth: number): ReadonlySet<number> {
  // functions that call each other in many places are asked again and again
  const known = facts.once(`additive parameters ${depth}`, () => new Map<Fn, ReadonlySet<number>>());
  const before = known.get(fn);
  if (before !== undefined) return before;
  const found = new Set<number>();
  fn.params.forEach((param, i) => {
    const target =
      param.type === "AssignmentPattern"
        ? child(param, "left")!
        : param.type === "RestElement"
          ? child(param, "argument")!
          : param;
    if (target.type !== "Identifier") return;
    const key = valuesOf(facts).key(target);
    const asked = (k: string): boolean => k === key || k.startsWith(`${key}[`) || k.startsWith(`${key}.`);
    if (fn.returns.some((value) => reaches(facts, value, asked, depth + 1))) found.add(i);
  });
  const own = (key: string): boolean => key === "this" || key.startsWith("this.");
  if (fn.returns.some((value) => reaches(facts, value, own, depth + 1))) found.add(-1);
  known.set(fn, found);
  return found;
}
