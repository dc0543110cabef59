/** Element loops: the forward pass reads an operand at a folded index, the backward pass pays it at the output's. */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import { updatesOf } from "../../lookups.js";
import { place } from "../../overwriting/words.js";
import { operationOf } from "../../operations.js";
import type { Finding, Suggestion } from "../../report.js";
import type { Binding } from "../../scopes.js";
import {
  argumentsOf,
  bare,
  calleeName,
  child,
  endOf,
  isCall,
  isFunction,
  isMember,
  propertyName,
  receiver,
  startOf,
  type Node,
} from "../../tree.js";
import { valuesOf } from "../../values.js";
import { contributionsOf, type Contribution } from "../shared/contributions.js";
import { inside, nodesIn, partsOf, runsIn } from "../shared/nodes.js";
import { elementOf } from "./one-element.js";

export function* elementLoops(facts: FileFacts): Iterable<Finding> {
  for (const one of contributionsOf(facts)) {
    const { write } = one;
    const index = write.index ?? mapped(facts, one);
    if (write.object === null || index === null) continue;
    const fn = runsIn(facts, write.node);
    const operation = fn === null ? null : operationOf(facts, fn);
    if (fn === null || operation === null || !operation.linked) continue;
    if (!atOutputIndex(facts, one, index, fn)) continue;
    const folded = foldedRead(facts, operation.fn, fn, write.objectKey, write.name);
    const forward = folded ?? elementOf(facts, operation.fn, fn, write.objectKey, write.name);
    if (forward === null) continue;
    const operand = facts.source(write.object);
    yield {
      start: startOf(write.node),
      end: endOf(write.node),
      message: `\`${operand}\` is broadcast: the forward pass reads ${folded === null ? "one element of it for all of the output's," : "it at"} \`${facts.source(forward)}\`, and here it is paid at the output's own index \`${facts.source(index)}\`. Sum over the repetitions: add at the index that was read.`,
      evidence: "structural",
      related: [place(forward, folded === null ? "one element for all" : "read at a folded index")],
      suggestions: folded === null ? [] : folding(facts, one, index, folded),
    };
  }
}

/** `b.grad = b.grad.map((old, i) => old + out.grad[i])`: the callback's index. */
function mapped(facts: FileFacts, { write }: Contribution): Node | null {
  const call = bare(write.value);
  if (!isCall(call) || calleeName(call) !== "map") return null;
  const fn = facts.functionOf(bare(argumentsOf(call)[0] ?? call));
  return fn?.params[1] ?? null;
}

/** The slot is written where the output's slot is read: the same counter, or the index of a walk over it. */
function atOutputIndex(facts: FileFacts, { write, weighed }: Contribution, index: Node, fn: Fn): boolean {
  const values = valuesOf(facts);
  const key = values.key(index);
  const slot = new RegExp(`\\.${write.name.replace(/\$/g, "\\$")}$`);
  const reads = values.reads(write.value);
  const outside = (container: string): boolean =>
    slot.test(container) && container !== `${write.objectKey}.${write.name}`;
  if (reads.some((read) => read.kind === "element" && outside(read.container) && read.index === key))
    return true;
  // `for (const [i, g] of y.grad.entries())`
  const walked = /^(.*)\[entries\]\[\*\]\[0\]$/.exec(key);
  if (walked !== null && outside(walked[1])) return true;
  const binding = facts.binding(index);
  if (binding?.kind !== "param" || weighed!.upstream === null) return false;
  for (let at: Node | null | undefined = write.node; at != null && at !== fn.node; at = at.parent) {
    if (!isFunction(at)) continue;
    const call = at.parent;
    const object = call != null && isCall(call) ? receiver(call) : null;
    const params = facts.functionOf(at)?.params ?? [];
    if (object !== null && params[1] !== undefined && facts.binding(params[1]) === binding)
      return (
        outside(values.key(object)) ||
        reads.some((read) => read.kind === "element" && outside(read.container) && read.index === key)
      );
  }
  return false;
}

/** The index at which the forward pass reads the operand, if it folds several elements of the output into one. */
function foldedRead(
  facts: FileFacts,
  forward: Fn,
  closure: Fn,
  operandKey: string,
  slot: string,
): Node | null {
  const values = valuesOf(facts);
  const members = nodesIn(facts, "MemberExpression", forward.node).filter(
    (node) => !inside(node, closure.node) && node.computed === true && propertyName(node) === null,
  );
  const indexOf = (node: Node): Node => child(node, "property")!;
  const own = members.filter((node) => {
    const around = node.parent;
    // `x.data[0].length`, `x.shape[1]` tell of the form; `x.data[i][j]` is two steps into nested lists
    if (around != null && isMember(around) && child(around, "object") === node) return false;
    if (
      isMember(bare(child(node, "object")!)) &&
      /shape|stride|dims|size/i.test(propertyName(bare(child(node, "object")!)) ?? "[]")
    )
      return false;
    const holder = bare(child(node, "object")!);
    const key = values.key(holder);
    return isMember(holder) || key.startsWith(`${operandKey}.`)
      ? key.startsWith(`${operandKey}.`) && !key.endsWith(`.${slot}`)
      : false;
  });
  if (own.length === 0) return null;
  const others = members.filter((node) => !own.includes(node)).map((node) => counters(facts, indexOf(node)));
  const [read] = own;
  const index = indexOf(read);
  if (
    own.some(
      (node) =>
        values.key(indexOf(node)) !== values.key(index) &&
        facts.source(indexOf(node)) !== facts.source(index),
    )
  )
    return null;
  const folds = foldsOver(facts, index);
  const mine = counters(facts, index);
  const fewer = others.some((set) => set.size > mine.size && [...mine].every((one) => set.has(one)));
  const constant = bare(index).type === "Literal" && loops(facts, read, forward);
  return folds || fewer || constant ? index : null;
}

/** `i % n`, `Math.floor(i / n)`, `(i / n) | 0`, `i >> 2`, through locals. */
function foldsOver(facts: FileFacts, index: Node): boolean {
  const inner = bare(index);
  const binding = facts.binding(inner);
  if (
    binding?.kind === "variable" &&
    binding.definitions.length === 1 &&
    updatesOf(facts, binding).length === 0
  )
    return foldsOver(facts, binding.definitions[0].expression);
  return partsOf(inner).some(
    (node) => node.type === "BinaryExpression" && /^(?:%|\/|>>>?|\|)$/.test(String(node.operator)),
  );
}

/** Counters of loops and index parameters of callbacks that an index is made of. */
function counters(facts: FileFacts, index: Node): ReadonlySet<Binding> {
  const out = new Set<Binding>();
  const queue = [index];
  const seen = new Set<Binding>();
  while (queue.length > 0)
    for (const node of partsOf(queue.pop()!)) {
      const binding = node.type === "Identifier" ? facts.scopes.resolve(node) : null;
      if (binding === null || seen.has(binding)) continue;
      seen.add(binding);
      const counted = updatesOf(facts, binding).length > 0;
      const callback = binding.kind === "param" && facts.enclosing(binding.declaration)?.inline === true;
      if (counted || callback) out.add(binding);
      else if (binding.kind === "variable" && binding.definitions.length === 1)
        queue.push(binding.definitions[0].expression);
    }
  return out;
}

/** Stands in a loop or a callback over elements. */
function loops(facts: FileFacts, node: Node, fn: Fn): boolean {
  for (let at: Node | null | undefined = node.parent; at != null && at !== fn.node; at = at.parent)
    if (/^(?:For|While)/.test(at.type) || (isFunction(at) && facts.functionOf(at)?.inline === true))
      return true;
  return false;
}

/** The folded index in the place of the plain one, where both are spelled with the same counter. */
function folding(
  facts: FileFacts,
  { write }: Contribution,
  index: Node,
  forward: Node,
): readonly Suggestion[] {
  if (write.index === null || write.form !== "add" || bare(index).type !== "Identifier") return [];
  const names = [...counters(facts, forward)];
  if (
    names.length !== 1 ||
    !foldsOver(facts, forward) ||
    !partsOf(forward).some((node) => node.type === "Identifier" && node.name === names[0].name)
  )
    return [];
  const name = String(bare(index).name);
  const text = facts.source(forward).replace(new RegExp(`\\b${names[0].name}\\b`, "g"), name);
  return [
    {
      title: `Add at \`${text}\``,
      kind: "elements",
      edits: [{ start: startOf(index), end: endOf(index), text }],
    },
  ];
}
