/**
 * Orders of lists that are filled without recursion: depth first over a stack of one's own, by a generator that goes on to
 * the operands, or one entry for each operation as it is recorded.
 */
import type { FileFacts } from "../../facts.js";
import { partOf } from "../../lookups.js";
import {
  argumentsOf,
  bare,
  calleeName,
  child,
  isCall,
  isMember,
  literal,
  receiver,
  startOf,
  walk,
  type Node,
} from "../../tree.js";
import { valuesOf } from "../../values.js";
import { contributionsOf } from "./contributions.js";
import { inside, nodesOf, runsIn } from "./nodes.js";
import type { Ordered } from "./orders.js";
import { guardOf, recursionsOf } from "./recursion.js";

/** Lists that a loop over a stack fills, by key. */
export const stacked = (facts: FileFacts): ReadonlyMap<string, Ordered> =>
  facts.once("lists filled from a stack", (file) => {
    const out = new Map<string, Ordered>();
    const values = valuesOf(file);
    for (const loop of file.loops) {
      if (!/^(?:While|DoWhile|For)Statement$/.test(loop.type)) continue;
      const calls = partOf(file.calls, loop);
      const takes = calls.filter(
        (call) => /^(?:pop|shift)$/.test(calleeName(call) ?? "") && receiver(call) !== null,
      );
      for (const take of takes) {
        const stack = values.key(receiver(take)!);
        const nexts = calls.filter(
          (call) =>
            calleeName(call) === "push" && receiver(call) !== null && values.key(receiver(call)!) === stack,
        );
        if (nexts.length === 0) continue;
        for (const push of calls) {
          const list = receiver(push);
          const [value, ...more] = argumentsOf(push);
          const name = calleeName(push) ?? "";
          if (list === null || value === undefined || more.length > 0 || !/^(?:push|unshift|add)$/.test(name))
            continue;
          const key = values.key(list);
          if (key === stack || !values.key(value).startsWith(`${stack}[`)) continue;
          const order = orderIn(file, loop, take, nexts, push);
          if (order !== null && !out.has(key))
            out.set(key, {
              order: order === "after" && name === "unshift" ? "outputs-first" : after(order),
              push,
            });
        }
      }
    }
    return out;
  });

const after = (order: "after" | "before"): Ordered["order"] =>
  order === "after" ? "operands-first" : "preorder";

/** Is a node put on the list after all of its operands (`after`), or when it is met (`before`)? */
function orderIn(
  facts: FileFacts,
  loop: Node,
  take: Node,
  nexts: readonly Node[],
  push: Node,
): "after" | "before" | null {
  const around = branchIn(push, loop);
  // taken off in the branch that lists it: the others went on to an operand and left it where it is
  if (around !== null && inside(take, around))
    return nexts.every((next) => !inside(next, around)) ? "after" : null;
  // met twice: the second time, marked as open, it is listed
  if (around !== null) {
    const again = nexts.some((next) => partsWithTrue(next));
    return again && nexts.every((next) => !inside(next, around)) ? "after" : null;
  }
  if (nexts.some((next) => guardOf(facts, next, loop) === "counter")) return null;
  return "before";
}

/** The branch of the innermost choice around a node inside the loop, null outside of all; visited tests are none. */
function branchIn(node: Node, loop: Node): Node | null {
  for (let from = node, at = node.parent; at != null && at !== loop; from = at, at = at.parent)
    if (at.type === "IfStatement" && child(at, "test") !== from && !asksVisited(child(at, "test")!))
      return from;
  return null;
}

function asksVisited(test: Node): boolean {
  let asks = false;
  walk(test, (node) => {
    asks ||= isCall(node) && /^(?:has|includes)$/.test(calleeName(node) ?? "");
  });
  return asks;
}

/** `stack.push([n, true])`, `stack.push({ node: n, open: true })`. */
function partsWithTrue(call: Node): boolean {
  let found = false;
  for (const argument of argumentsOf(call))
    walk(argument, (node) => {
      found ||= node.type === "Literal" && (literal(node) === true || literal(node) === 1);
    });
  return found;
}

/** Generators that yield the node at hand and go on to its operands, by their function. */
export const yielded = (facts: FileFacts): ReadonlyMap<Node, Ordered> =>
  facts.once("orders of generators", (file) => {
    const out = new Map<Node, Ordered>();
    const values = valuesOf(file);
    for (const at of file.yields) {
      const value = child(at, "argument");
      const fn = runsIn(file, at);
      if (value === null || fn === null || at.delegate === true) continue;
      const own = recursionsOf(file).filter((one) => one.fn === fn);
      if (own.length === 0 || !own[0].current.has(values.key(value))) continue;
      if (own.every(({ site }) => startOf(site) < startOf(at)))
        out.set(fn.node, { order: "operands-first", push: at });
      else if (own.every(({ site }) => startOf(site) > startOf(at)))
        out.set(fn.node, { order: "preorder", push: at });
    }
    return out;
  });

/**
 * Lists of records: an operation pushes what it has made, with its operands in it, and gives it or its place back. They are in
 * the order of the forward pass.
 */
export const logged = (facts: FileFacts): ReadonlyMap<string, Ordered> =>
  facts.once("lists of records", (file) => {
    const out = new Map<string, Ordered>();
    const values = valuesOf(file);
    const sweeps = new Set(contributionsOf(file).map(({ write }) => runsIn(file, write.node)));
    for (const call of file.calls) {
      const list = receiver(call);
      const [value, ...more] = argumentsOf(call);
      if (calleeName(call) !== "push" || list === null || value === undefined || more.length > 0) continue;
      const fn = runsIn(file, call);
      if (fn === null || fn.returns.length === 0 || sweeps.has(fn) || fn.params.length === 0) continue;
      if (inLoop(call, fn.node) || recursionsOf(file).some((one) => one.fn === fn)) continue;
      // a list of the tape, not of this very run
      const root = rootName(list);
      const binding = root === null ? null : file.binding(root);
      if (binding !== null && file.scopes.declaredIn(binding, fn.node)) continue;
      const record = recordOf(file, value);
      if (record === null) continue;
      const holds = values
        .reads(record)
        .some(({ kind, node }) => kind === "param" && file.scopes.declaredIn(file.binding(node)!, fn.node));
      const givesBack =
        fn.returns.some((one) => values.key(one) === values.key(value)) || madeIn(file, record);
      if (holds && givesBack) out.set(values.key(list), { order: "operands-first", push: call });
    }
    return out;
  });

function inLoop(node: Node, root: Node): boolean {
  for (let at = node.parent; at != null && at !== root; at = at.parent)
    if (/^(?:For|While|DoWhile)/.test(at.type)) return true;
  return false;
}

function rootName(node: Node): Node | null {
  let at = bare(node);
  while (isMember(at)) at = bare(child(at, "object")!);
  return at.type === "Identifier" ? at : null;
}

/** A record or a list that is written in place, or a node that was made here. */
function recordOf(facts: FileFacts, value: Node): Node | null {
  const inner = bare(value);
  if (inner.type === "ObjectExpression" || inner.type === "ArrayExpression" || inner.type === "NewExpression")
    return inner;
  const made = facts
    .binding(inner)
    ?.definitions.find(({ kind, path }) => kind === "initial" && path.length === 0);
  const start = made === undefined ? null : bare(made.expression);
  return start !== null && /^(?:Object|New)Expression$/.test(start.type) ? start : null;
}

const madeIn = (facts: FileFacts, record: Node): boolean =>
  record.type !== "NewExpression" &&
  // the record names its output beside its operands
  nodesOf(facts, "Property").some(
    (property) =>
      property.parent === record &&
      /^_*(?:out|output|res|result|y|z|o|dst|to|target|index|id)$/.test(propertyKey(property)),
  );

const propertyKey = (property: Node): string => String(child(property, "key")?.name ?? "");
