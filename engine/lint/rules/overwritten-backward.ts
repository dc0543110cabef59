/**
 * The backward closure belongs to the node that an operation makes. Hung on an operand instead, the closure of the
 * operand's second use replaces that of its first, and its own operands are never paid.
 */
import type { FileFacts } from "../facts.js";
import type { Fn } from "../functions.js";
import { callsOf, localFunction } from "../local.js";
import { addingHelpers, contributionsIn, showsContributions } from "./shared/contributions.js";
import { place } from "../overwriting/words.js";
import { operationName, operationOf } from "../operations.js";
import { everySeverity, type Finding, type Rule, type Suggestion } from "../report.js";
import {
  argumentsOf,
  bare,
  child,
  endOf,
  identifier,
  isFunction,
  isMember,
  keyName,
  propertyName,
  receiver,
  startOf,
  within,
  type Node,
} from "../tree.js";
import { valuesOf } from "../values.js";
import { writesOf } from "../writes.js";
import { asksOutput } from "./overwritten-backward/pulled.js";
import { mentionsNode, parameterNames } from "./shared/nodes.js";

export const overwrittenBackward: Rule = {
  name: "overwritten-backward",
  summary: "the backward closure is stored on an operand, where that of its next use replaces it",
  severity: everySeverity("error"),
  *check(facts: FileFacts): Iterable<Finding> {
    const shown = showsContributions(facts) || (!facts.names.minified && addingHelpers(facts).length > 0);
    const pulls = !facts.names.minified && facts.functions.some((fn) => fn.storedOn !== null);
    if (!shown && !pulls) return;
    for (const store of [...stores(facts), ...handedStores(facts)]) {
      const finding = judge(facts, store, shown);
      if (finding !== null) yield finding;
    }
  },
};

interface Store {
  readonly node: Node;
  /** what the closure hangs on, as an expression and as a key */
  readonly object: Node;
  readonly objectKey: string;
  readonly field: string;
  readonly fn: Fn;
}

/** Fields that a node is told apart by. */
const ID = /^_*(?:id|uid|key|index|idx|name)$/i;

/** Functions stored in a field: written in place, or by the name of a local one. */
function* stores(facts: FileFacts): Iterable<Store> {
  for (const { node, form, value, object, objectKey, name, element, index, indexKey } of writesOf(facts)) {
    // a table of closures by node: `steps.set(a, () => ...)`
    const keyed = form === "map-set" && index !== null ? functionIn(facts, value) : null;
    if (keyed !== null && index !== null) {
      // `steps.set(a.id, () => ...)`
      const of = isMember(bare(index)) && ID.test(propertyName(bare(index)) ?? "") ? bare(index) : null;
      const holder = of === null ? index : child(of, "object")!;
      const key = of === null ? indexKey : valuesOf(facts).key(holder);
      yield { node, object: holder, objectKey: key, field: name, fn: keyed };
    }
    if (object === null || element || !/^(?:assign|object-assign|default)$/.test(form)) continue;
    const fn = functionIn(facts, value);
    if (fn !== null) yield { node, object, objectKey, field: name, fn };
  }
}

/** `a.onBackward(() => ...)` of a method that keeps what it is handed in a field. */
function* handedStores(facts: FileFacts): Iterable<Store> {
  for (const call of facts.calls) {
    const object = receiver(call);
    if (object === null) continue;
    for (const [at, argument] of argumentsOf(call).entries()) {
      const fn = functionIn(facts, argument);
      const names = fn === null ? [] : parameterNames(facts, call, at);
      if (fn === null || names.length < 2 || localFunction(facts, call)?.kind !== "method") continue;
      yield { node: call, object, objectKey: valuesOf(facts).key(object), field: names[1], fn };
    }
  }
}

function functionIn(facts: FileFacts, value: Node): Fn | null {
  const inner = bare(value);
  if (isFunction(inner)) return facts.functionOf(inner);
  if (inner.type === "CallExpression" && propertyName(bare(child(inner, "callee")!)) === "bind")
    return functionIn(facts, child(bare(child(inner, "callee")!), "object")!);
  const binding = facts.binding(inner);
  if (binding === null) return null;
  if (isFunction(binding.declaration)) return facts.functionOf(binding.declaration);
  const [only, ...more] = binding.definitions;
  return only !== undefined && more.length === 0 && isFunction(bare(only.expression))
    ? facts.functionOf(bare(only.expression))
    : null;
}

function judge(facts: FileFacts, store: Store, shown: boolean): Finding | null {
  const { node, object, objectKey, fn } = store;
  const operation = operationOf(facts, fn);
  if (operation === null || facts.home(node) !== operation.fn || operation.fn.kind === "constructor")
    return null;
  const outputs = outputsOf(facts, operation.fn);
  if (outputs.size === 0 || outputs.has(objectKey)) return null;
  const pulled = isOperand(facts, object, operation.fn) && asksOutput(facts, fn, outputs);
  const own = shown ? contributionsIn(facts, fn) : [];
  // it pays the very node it hangs on, out of the node that the operation makes
  const paying = own.filter(({ payer }) => outputs.has(payer));
  const pays =
    (own.some(({ operand }) => operand === objectKey) && paying.length + forgotten(own).length > 0) ||
    paysByHelper(facts, store, outputs);
  if (!pays && !pulled) return null;
  // a closure that runs what was there before keeps both
  const keeps = (root: Node): boolean =>
    mentionsNode(
      root,
      (part) => isMember(part) && part !== bare(targetOf(node) ?? node) && reads(facts, part, store),
    );
  if (keeps(fn.node) || keptBefore(facts, operation.fn, store)) return null;
  const output = [...outputs.values()][0];
  const on = facts.source(object);
  if (pulled)
    return {
      start: startOf(node),
      end: endOf(node),
      message: `\`${operationName(facts, node)}\` keeps in \`${on}\` where its cotangent comes from, and the next use of \`${on}\` replaces it: of two uses only the last is asked. Keep a list, and sum what they give.`,
      evidence: "structural",
    };
  return {
    start: startOf(node),
    end: endOf(node),
    message: `\`${operationName(facts, node)}\` hangs its backward closure on \`${on}\`, one of its operands, and not on \`${output}\`, which it makes: the next use of \`${on}\` replaces it.`,
    evidence: "structural",
    related: paying.slice(0, 2).map(({ write }) => place(write.node, "pays an operand")),
    suggestions: moved(facts, store, output),
  };
}

/** What the operation is called on, or one of its parameters. */
function isOperand(facts: FileFacts, object: Node, fn: Fn): boolean {
  const inner = bare(object);
  const binding = facts.binding(inner);
  return (
    inner.type === "ThisExpression" ||
    (binding?.kind === "param" && facts.scopes.declaredIn(binding, fn.node))
  );
}

const forgotten = <T extends { payer: string }>(own: readonly T[]): readonly T[] =>
  own.filter(({ payer }) => payer === "");

/** Names of what the operation makes and returns, by key. */
function outputsOf(facts: FileFacts, fn: Fn): ReadonlyMap<string, string> {
  const out = new Map<string, string>();
  for (const value of fn.returns) {
    const inner = bare(value);
    const name = identifier(inner);
    const binding = name === null ? null : facts.scopes.resolve(inner);
    if (name === null || binding === null || binding.kind !== "variable") continue;
    const made = binding.definitions.find(({ kind }) => kind === "initial");
    if (
      made !== undefined &&
      (facts.isCall(bare(made.expression)) || bare(made.expression).type === "ObjectExpression")
    )
      out.set(valuesOf(facts).key(inner), name);
  }
  return out;
}

/** `this.owe(x, k * this.d(y))` in the closure: a helper that adds is handed the operand, and something of the output. */
function paysByHelper(
  facts: FileFacts,
  { fn, objectKey }: Store,
  outputs: ReadonlyMap<string, string>,
): boolean {
  const values = valuesOf(facts);
  return addingHelpers(facts).some((helper) =>
    callsOf(facts, helper.fn).some((call) => {
      if (!within(call, fn.node)) return false;
      const args = argumentsOf(call);
      const paid = helper.node === -1 ? receiver(call) : args[helper.node];
      return (
        paid != null &&
        values.key(paid) === objectKey &&
        args.some((argument) =>
          mentionsNode(argument, (part) => part.type === "Identifier" && outputs.has(values.key(part))),
        )
      );
    }),
  );
}

const targetOf = (node: Node): Node | null => child(node, "left");

function reads(facts: FileFacts, part: Node, { objectKey, field }: Store): boolean {
  if (propertyName(part) !== field || valuesOf(facts).key(child(part, "object")!) !== objectKey) return false;
  const parent = part.parent;
  return !(parent?.type === "AssignmentExpression" && child(parent, "left") === part);
}

/** `const before = this.back; this.back = () => { before(); ... }`. */
function keptBefore(facts: FileFacts, fn: Fn, store: Store): boolean {
  return mentionsNode(fn.node, (part) => isMember(part) && reads(facts, part, store));
}

function moved(facts: FileFacts, { node, object, field, fn }: Store, output: string): readonly Suggestion[] {
  // a function with a `this` of its own would take the output for its operand
  const arrow = fn.node.type === "ArrowFunctionExpression";
  if (!arrow && mentionsNode(fn.node, (part) => part.type === "ThisExpression")) return [];
  if (node.type !== "AssignmentExpression") return [];
  return [
    {
      title: `Hang it on \`${output}\``,
      kind: "rewrite",
      edits: [{ start: startOf(object), end: endOf(object), text: output }],
    },
  ].filter(
    () => keyName({ type: "Identifier", name: field }, false) !== null && facts.source(object) !== output,
  ) as readonly Suggestion[];
}
