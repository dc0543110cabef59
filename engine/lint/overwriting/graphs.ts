/**
 * Graphs of the file itself that reach a fault: `const y = x.mul(w); const z = y.relu().add(y);` uses `y` twice, and where
 * `relu` assigns what it pays the first of the two contributions is lost. What only structure tells is proven then.
 */
import type { FileFacts } from "../facts.js";
import type { Fn } from "../functions.js";
import { callsOf } from "../local.js";
import { operationOf } from "../operations.js";
import type { Binding } from "../scopes.js";
import {
  argumentsOf,
  bare,
  calleeName,
  child,
  endOf,
  identifier,
  receiver,
  startOf,
  within,
  type Node,
} from "../tree.js";
import { valuesOf } from "../values.js";
import { writesFrom } from "./guards.js";
import { isEntry } from "./entries.js";
import type { Judged } from "./judge.js";
import { paramName } from "./slots.js";

/** A value of the file that is used twice, so that the write loses one of its contributions. */
export interface Reached {
  readonly value: Binding;
  /** its use by the operation of the write */
  readonly faulty: Node;
  /** the other use, by the same call where both operands are the value */
  readonly other: Node;
}

/** The first value of the file whose graph reaches the write, null when no graph of the file does. */
export function reachedBy(facts: FileFacts, judged: Judged, all: readonly Judged[]): Reached | null {
  if (judged.verdict !== "overwrites") return null;
  const paid = paidOperand(facts, judged);
  if (paid === null) return null;
  const operations = operationsOf(facts, all);
  const uses = usesOf(facts, operations);
  for (const call of callsTo(facts, paid.fn)) {
    const value = valueAt(facts, call, paid.place);
    if (value === null) continue;
    const others = (uses.get(value) ?? []).filter((use) => use.call !== call || use.place !== paid.place);
    const other = others.find(
      (use) =>
        // the same call: its backward closure pays the value twice, and assigns last what it pays last
        (use.call === call && paysLater(facts, judged, use.place)) ||
        // a later use has paid before this one is swept
        (startOf(use.call) > endOf(call) && sameRun(facts, call, use.call)) ||
        // nested: `add(mul(x, w), x)` pays first what is outside
        (use.call !== call && within(call, use.call)),
    );
    if (other !== undefined) return { value, faulty: call, other: other.call };
  }
  return null;
}

interface Operand {
  readonly fn: Fn;
  /** position among the arguments; -1: what the method is called on */
  readonly place: number;
}

/** Which operand of which operation a write pays: a parameter, what the method is called on, what a constructor was handed. */
function paidOperand(facts: FileFacts, { write, weighed }: Judged): Operand | null {
  const values = valuesOf(facts);
  const key = isEntry(write) ? write.indexKey.replace(/\.[\w$#]+$/, "") : write.objectKey;
  if (weighed?.operation != null) {
    const { fn } = weighed.operation;
    if (key === "this") return fn.kind === "method" ? { fn, place: -1 } : null;
    const place = fn.params.findIndex((param) => {
      const name = paramName(param);
      return name !== null && values.key(name) === key;
    });
    return place === -1 ? null : { fn, place };
  }
  // `this.a.grad = ...` in a method: the constructor's parameter that is kept under `a`
  const home = weighed?.home;
  const field = /^this\.([\w$#]+)$/.exec(key)?.[1];
  if (home?.owner == null || field === undefined) return null;
  const made = facts.functions.find((fn) => fn.owner === home.owner && fn.kind === "constructor");
  if (made === undefined) return null;
  const kept = writesFrom(facts, made).find(({ objectKey, name }) => objectKey === "this" && name === field);
  const place = made.params.findIndex((param) => {
    const name = paramName(param);
    if (name === null) return false;
    if (param.type === "TSParameterProperty") return identifier(name) === field;
    return kept !== undefined && values.key(kept.value) === values.key(name);
  });
  return place === -1 ? null : { fn: made, place };
}

/** Calls of an operation: of the function, of the method, of the class. */
function callsTo(facts: FileFacts, fn: Fn): readonly Node[] {
  if (fn.kind !== "constructor") return callsOf(facts, fn);
  const name = fn.owner === null ? null : identifier(child(fn.owner, "id"));
  return name === null ? [] : facts.news.filter((node) => calleeName(node) === name);
}

/** Functions that make a node and pay its operands. */
const operationsOf = (facts: FileFacts, all: readonly Judged[]): ReadonlySet<Fn> =>
  facts.once("operations that pay", (file) => {
    const found = new Set<Fn>();
    for (const judged of all) {
      if (judged.verdict !== "overwrites" && judged.verdict !== "accumulates") continue;
      const operand = paidOperand(file, judged);
      if (operand !== null) found.add(operand.fn);
    }
    return found;
  });

interface Use {
  readonly call: Node;
  readonly place: number;
}

/** Where the names that hold one value are operands of operations. */
const usesOf = (facts: FileFacts, operations: ReadonlySet<Fn>): ReadonlyMap<Binding, readonly Use[]> =>
  facts.once("uses as operands", (file) => {
    const out = new Map<Binding, Use[]>();
    for (const fn of operations)
      for (const call of callsTo(file, fn))
        for (let place = fn.kind === "method" ? -1 : 0; place < argumentsOf(call).length; place++) {
          const value = valueAt(file, call, place);
          if (value !== null) out.set(value, [...(out.get(value) ?? []), { call, place }]);
        }
    return out;
  });

/** The name at a place of a call, where it is one value for good and the call is part of a graph, not of a sweep. */
function valueAt(facts: FileFacts, call: Node, place: number): Binding | null {
  const node = place === -1 ? receiver(call) : argumentsOf(call)[place];
  const binding = node == null || identifier(bare(node)) === null ? null : facts.binding(node);
  if (binding?.kind !== "variable" || binding.definitions.length !== 1) return null;
  const [{ kind, path, expression }] = binding.definitions;
  if (kind !== "initial" || path.length > 0 || !facts.isCall(bare(expression))) return null;
  const home = facts.home(call);
  return home !== null && operationOf(facts, home)?.linked === true ? null : binding;
}

/** Another write of the same closure pays the operand at that place after this one, or pays it first and is lost. */
function paysLater(facts: FileFacts, judged: Judged, place: number): boolean {
  const { fn } = judged.weighed?.operation ?? {};
  if (fn === undefined) return false;
  const values = valuesOf(facts);
  const param = place === -1 ? null : paramName(fn.params[place] ?? fn.node);
  const key = place === -1 ? "this" : param === null ? null : values.key(param);
  const home = facts.home(judged.write.node);
  return (
    home !== null &&
    key !== null &&
    writesFrom(facts, home).some(
      (other) => other !== judged.write && other.objectKey === key && other.name === judged.write.name,
    )
  );
}

/** Both calls run in one function, neither in a branch or loop that the other is not in. */
function sameRun(facts: FileFacts, a: Node, b: Node): boolean {
  const home = facts.home(a);
  if (home !== facts.home(b)) return false;
  const around = (node: Node): Node[] => {
    const out: Node[] = [];
    for (let at = node.parent; at != null && at !== home?.node; at = at.parent)
      if (/^(?:If|For|ForOf|ForIn|While|DoWhile|Switch|Try)Statement$|^ConditionalExpression$/.test(at.type))
        out.push(at);
    return out;
  };
  return around(a).every((one) => within(b, one)) && around(b).every((one) => within(a, one));
}
