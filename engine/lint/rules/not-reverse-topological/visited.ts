/** Visited nodes told apart by what two nodes can share: their value, their text, or nothing at all (`in` on a Set). */
import type { FileFacts } from "../../facts.js";
import type { Finding, Suggestion } from "../../report.js";
import {
  argumentsOf,
  bare,
  calleeName,
  child,
  endOf,
  identifier,
  isCall,
  isMember,
  propertyName,
  receiver,
  startOf,
  type Node,
} from "../../tree.js";
import { valuesOf } from "../../values.js";
import { nodesIn, nodesOf, partsOf } from "../shared/nodes.js";
import { recursionsOf } from "../shared/recursion.js";

const VALUE = /^_?(?:v|val|value|values|data|x|num|number|primal|item|scalar|op|label|name|type)$/;
const SURELY_VALUE = /^_?(?:v|val|value|data|x|num|number|primal|scalar)$/;

export function* visitedByValue(facts: FileFacts): Iterable<{ node: Node; finding: Finding }> {
  const seen = new Set<Node>();
  for (const { fn, current } of recursionsOf(facts)) {
    if (seen.has(fn.node)) continue;
    seen.add(fn.node);
    for (const test of testsIn(facts, fn.node)) {
      const found = shared(facts, test, current);
      if (found !== null) {
        yield found;
        break;
      }
    }
  }
}

function testsIn(facts: FileFacts, fn: Node): Node[] {
  return [...nodesIn(facts, "IfStatement", fn), ...nodesIn(facts, "ConditionalExpression", fn)].map((node) =>
    child(node, "test")!,
  );
}

function shared(
  facts: FileFacts,
  test: Node,
  current: ReadonlySet<string>,
): { node: Node; finding: Finding } | null {
  for (const node of partsOf(test)) {
    if (node.type === "BinaryExpression" && node.operator === "in") {
      const set = child(node, "right")!;
      const kind = collection(facts, set);
      if (kind === null) continue;
      const left = child(node, "left")!;
      return report(
        node,
        `\`in\` asks for a property and a ${kind} keeps its elements elsewhere: no node is ever found visited, and each is visited once a path.`,
        [
          {
            title: "Ask with `has`",
            kind: "rewrite",
            edits: [
              {
                start: startOf(node),
                end: endOf(node),
                text: `${facts.source(set)}.has(${facts.source(left)})`,
              },
            ],
          },
        ],
      );
    }
    const key = keyOf(node);
    if (key === null) continue;
    const by = sharedKey(facts, key, current);
    if (by === null) continue;
    return report(
      test,
      `visited nodes are told apart by ${by}: of two different nodes that share it one is left out of the order, and what should flow through it is lost. Use the node itself in a Set, or a number of its own.`,
      [],
    );
  }
  return null;
}

const report = (
  node: Node,
  message: string,
  suggestions: readonly Suggestion[],
): { node: Node; finding: Finding } => ({
  node,
  finding: { start: startOf(node), end: endOf(node), message, evidence: "structural", suggestions },
});

/** What a test looks a node up by: `seen.has(KEY)`, `seen[KEY]`, `KEY in seen`. */
function keyOf(node: Node): { readonly key: Node; readonly text: boolean } | null {
  if (isCall(node)) {
    const name = calleeName(node) ?? "";
    const args = argumentsOf(node);
    return /^(?:has|includes|indexOf|get|hasOwn|hasOwnProperty)$/.test(name) &&
      args.length > 0 &&
      receiver(node) !== null
      ? { key: args[args.length - 1], text: /^hasOwn/.test(name) }
      : null;
  }
  if (isMember(node) && node.computed === true && propertyName(node) === null)
    return { key: child(node, "property")!, text: true };
  if (node.type === "BinaryExpression" && node.operator === "in")
    return { key: child(node, "left")!, text: true };
  return null;
}

function sharedKey(
  facts: FileFacts,
  { key, text }: { readonly key: Node; readonly text: boolean },
  current: ReadonlySet<string>,
): string | null {
  const values = valuesOf(facts);
  const inner = bare(key);
  const isNode = (node: Node): boolean => current.has(values.key(node));
  if (isMember(inner)) {
    const name = propertyName(inner) ?? "";
    return VALUE.test(name) && SURELY_VALUE.test(name) && isNode(child(inner, "object")!)
      ? `\`${facts.source(inner)}\``
      : null;
  }
  if (isCall(inner)) {
    const name = calleeName(inner) ?? "";
    const object = receiver(inner);
    const on = name === "toString" || name === "toFixed" ? object : argumentsOf(inner)[0];
    if (on == null || !/^(?:String|toString|stringify|toFixed)$/.test(name)) return null;
    if (isMember(bare(on))) return sharedKey(facts, { key: on, text: false }, current);
    return isNode(on) && isObject(facts, on) && !tellsApart(facts) ? "their text" : null;
  }
  if (inner.type === "TemplateLiteral") {
    const parts = partsOf(inner).filter((node) => node !== inner && isMember(node));
    const names = parts.map((part) => propertyName(part) ?? "");
    if (
      names.length > 0 &&
      names.every((name) => VALUE.test(name)) &&
      names.some((name) => SURELY_VALUE.test(name))
    )
      return "values in a text";
    return null;
  }
  return text && inner.type === "Identifier" && isNode(inner) && isObject(facts, inner) && !tellsApart(facts)
    ? "their text, which an object makes of them as a key"
    : null;
}

/** The node is an object: its fields are read. A number is a key of its own. */
function isObject(facts: FileFacts, node: Node): boolean {
  const binding = facts.binding(node);
  return (
    binding !== null &&
    nodesOf(facts, "MemberExpression").some((member) => {
      const object = bare(child(member, "object")!);
      return (
        propertyName(member) !== null &&
        identifier(object) === binding.name &&
        facts.binding(object) === binding
      );
    })
  );
}

/** A `toString` that gives a number or a name of the node's own. */
function tellsApart(facts: FileFacts): boolean {
  return facts.functions.some(
    (fn) =>
      (fn.name === "toString" || fn.name === "toPrimitive") &&
      fn.returns.some((value) =>
        partsOf(value).some(
          (node) => isMember(node) && /id|key|uid|uuid|index|serial/i.test(propertyName(node) ?? ""),
        ),
      ),
  );
}

/** A Set, a Map or an array by its making. */
function collection(facts: FileFacts, node: Node): string | null {
  const binding = facts.binding(node);
  const made =
    binding?.definitions.find(({ kind, path }) => kind === "initial" && path.length === 0)?.expression ??
    null;
  if (made === null) return null;
  const inner = bare(made);
  if (inner.type === "ArrayExpression") return "list";
  const name = inner.type === "NewExpression" ? (calleeName(inner) ?? "") : "";
  return /^(?:Weak)?(?:Set|Map)$/.test(name) ? name : null;
}
