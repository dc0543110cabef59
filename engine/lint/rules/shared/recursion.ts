/** Functions that call themselves on the operands of a node, and the conditions under which they do. */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import { paramName } from "../../overwriting/slots.js";
import { partOf } from "../../lookups.js";
import { operationOf } from "../../operations.js";
import { valuesOf } from "../../values.js";
import {
  argumentsOf,
  bare,
  calleeName,
  child,
  identifier,
  isCall,
  isFunction,
  isMember,
  literal,
  propertyName,
  receiver,
  startOf,
  type Node,
} from "../../tree.js";
import { callsIn, isCallOf, nodesIn, inside, partsOf, runsIn } from "./nodes.js";

export interface Recursion {
  readonly fn: Fn;
  /** the call, or `operands.forEach(visit)` */
  readonly site: Node;
  /** key of the node it goes on to */
  readonly operand: string;
  /** keys that stand for the node at hand */
  readonly current: ReadonlySet<string>;
  readonly args: readonly Node[];
}

const EACH = /^(?:forEach|map|flatMap|some|every|filter)$/;

export const recursionsOf = (facts: FileFacts): readonly Recursion[] =>
  facts.once("recursions", (file) => {
    const out: Recursion[] = [];
    const values = valuesOf(file);
    for (const fn of file.functions)
      for (const call of callsIn(file, fn)) {
        const object = receiver(call);
        const args = argumentsOf(call);
        const name = calleeName(call);
        if (isCallOf(file, call, fn) && !isOfLists(call, fn)) {
          const onThis = object === null || (bare(object).type === "ThisExpression" && args.length > 0);
          if (object === null && args.length === 0) continue;
          const operand = values.key(onThis ? args[0] : object!);
          const current = currentKeys(file, fn, onThis);
          if (!current.has(operand)) out.push({ fn, site: call, operand, current, args });
        } else if (
          object !== null &&
          name !== null &&
          EACH.test(name) &&
          args.length > 0 &&
          handsOn(file, args[0], fn)
        )
          out.push({
            fn,
            site: call,
            operand: `${values.key(object)}[*]`,
            current: currentKeys(file, fn, true),
            args: [],
          });
      }
    return out;
  });

/** Methods of arrays that sweeps are named like. */
const OF_LISTS = /^(?:reverse|fill|map|forEach|flatMap|reduce|reduceRight|sort|concat|push)$/;

/** `[...this.steps].reverse()` in a method named `reverse` turns a list round: it is made here, or what the method needs is not handed. */
function isOfLists(call: Node, fn: Fn): boolean {
  const object = receiver(call);
  if (object === null || !OF_LISTS.test(fn.name)) return false;
  const inner = bare(object);
  if (inner.type === "ArrayExpression" || isCall(inner)) return true;
  const needed = fn.params.filter(({ type }) => type !== "AssignmentPattern" && type !== "RestElement");
  return argumentsOf(call).length < needed.length;
}

/** `visit`, `this.visit`, `visit.bind(this)` handed to a method of arrays. */
function handsOn(facts: FileFacts, argument: Node, fn: Fn): boolean {
  let inner = bare(argument);
  if (isCall(inner) && calleeName(inner) === "bind") inner = bare(receiver(inner) ?? inner);
  if (isMember(inner))
    return (
      propertyName(inner) === fn.name &&
      fn.kind === "method" &&
      bare(child(inner, "object")!).type === "ThisExpression"
    );
  const binding = facts.binding(inner);
  return (
    binding !== null &&
    (binding.declaration === fn.node ||
      binding.definitions.some(({ expression, path }) => path.length === 0 && bare(expression) === fn.node))
  );
}

function currentKeys(facts: FileFacts, fn: Fn, byParameter: boolean): ReadonlySet<string> {
  const keys = new Set<string>();
  const values = valuesOf(facts);
  if (byParameter) {
    const first = fn.params[0] === undefined ? null : paramName(fn.params[0]);
    if (first !== null) keys.add(values.key(first));
    return keys;
  }
  const operation = operationOf(facts, fn);
  // a closure's node is the output it hangs on; a method's is `this`
  if (operation === null) keys.add("this");
  else for (const output of operation.outputs) keys.add(output);
  return keys;
}

/** Tests that decide whether a node of `fn` is reached: around it, and those before it that leave early. */
export function testsBefore(facts: FileFacts, node: Node, root: Node): Node[] {
  const out: Node[] = [];
  for (let from = node, at = node.parent; at != null && from !== root; from = at, at = at.parent) {
    if ((at.type === "IfStatement" || at.type === "ConditionalExpression") && child(at, "test") !== from)
      out.push(child(at, "test")!);
    else if (at.type === "LogicalExpression" && child(at, "right") === from) out.push(child(at, "left")!);
    if (at === root) break;
  }
  for (const test of nodesIn(facts, "IfStatement", root)) {
    if (startOf(test) > startOf(node) || inside(node, test)) continue;
    const branch = child(test, "consequent")!;
    const leaves = partsOf(branch).some(({ type }) => /^(?:Return|Continue|Break)Statement$/.test(type));
    if (leaves && sharesBlock(test, node)) out.push(child(test, "test")!);
  }
  return out;
}

function sharesBlock(test: Node, node: Node): boolean {
  for (let at: Node | null | undefined = node; at != null; at = at.parent)
    if (at.parent === test.parent) return true;
  return false;
}

export type Guard = "counter" | "visited" | "other" | "none";

/** What guards a way on: a count of uses still open (right), a set of visited nodes, something else, nothing. */
export function guardOf(facts: FileFacts, node: Node, root: Node): Guard {
  let guard: Guard = "none";
  for (const test of testsBefore(facts, node, root)) {
    if (isCounter(facts, test) || isEmptied(facts, test, root)) return "counter";
    if (isVisited(test)) guard = "visited";
    else if (guard === "none") guard = "other";
  }
  return guard;
}

/** `--n.pending === 0`, `left === 0`, `n.seen < n.uses`: a count, not a length and not a gradient. */
function isCounter(facts: FileFacts, test: Node): boolean {
  return partsOf(test).some((node) => {
    if (node.type === "UpdateExpression") return true;
    if (
      isCall(node) &&
      /pending|ready|remaining|indegree|outdegree|degree|all|done|every/i.test(calleeName(node) ?? "")
    )
      return true;
    if (node.type === "UnaryExpression" && node.operator === "!") {
      const inner = bare(child(node, "argument")!);
      return /pending|remaining|left|uses|degree|count/i.test(
        (isMember(inner) ? propertyName(inner) : identifier(inner)) ?? "",
      );
    }
    if (node.type !== "BinaryExpression" || !/^(?:[<>]=?|[!=]==?)$/.test(String(node.operator))) return false;
    const sides = [bare(child(node, "left")!), bare(child(node, "right")!)];
    if (
      !sides.some((side) => typeof literal(side) === "number") &&
      !/^[<>]/.test(String(node.operator)) &&
      !sides.every(isMember)
    )
      return false;
    return sides.every((side) => {
      const name = isMember(side) ? propertyName(side) : identifier(side);
      if (name === "undefined" || literal(side) === null) return false;
      if (name !== null && (/^(?:length|size)$/.test(name) || facts.names.gradient(name) === 2)) return false;
      return !isFunction(side);
    });
  });
}

/** `uses.length === 0` of a list that the same function takes each use off: a count of what is still open. */
function isEmptied(facts: FileFacts, test: Node, root: Node): boolean {
  const values = valuesOf(facts);
  const takenOff = new Set(
    partOf(facts.calls, root)
      .filter((call) => /^(?:splice|delete|pop|shift)$/.test(calleeName(call) ?? ""))
      .map((call) => receiver(call))
      .filter((list) => list !== null)
      .map((list) => values.key(list)),
  );
  if (takenOff.size === 0) return false;
  return partsOf(test).some((node) => {
    if (!isMember(node) || !/^(?:length|size)$/.test(propertyName(node) ?? "")) return false;
    return takenOff.has(values.key(child(node, "object")!));
  });
}

/** `seen.has(n)`, `!seen.includes(n)`, `n.visited`, `seen[n.id]`. */
export function isVisited(test: Node): boolean {
  return partsOf(test).some((node) => {
    if (isCall(node)) return /^(?:has|includes|indexOf|some|find)$/.test(calleeName(node) ?? "");
    const name = isMember(node) ? propertyName(node) : identifier(node);
    if (node.type === "BinaryExpression" && node.operator === "in") return true;
    return name !== null && /visit|seen|mark|done|reached|flag/i.test(name);
  });
}

export const hostOf = (facts: FileFacts, node: Node): Fn | null => runsIn(facts, node);
