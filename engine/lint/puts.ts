/** New maps and records made of old ones with one entry put in: `new Map([...m, [k, v]])`, `put(m, k, v)` of a one-line helper. */
import type { FileFacts } from "./facts.js";
import { localFunction } from "./local.js";
import {
  argumentsOf,
  bare,
  calleeName,
  child,
  children,
  isCall,
  keyName,
  receiver,
  type Node,
} from "./tree.js";

export interface Put {
  readonly record: Node;
  readonly key: Node;
  readonly value: Node;
}

/** What a node puts into which record; null when it does no such thing. */
export function putInto(facts: FileFacts, node: Node): Put | null {
  const inner = bare(node);
  const made = written(inner);
  if (made !== null) return made;
  // record, key and value are handed over
  if (!isCall(inner) || argumentsOf(inner).length < 3 || receiver(inner) !== null) return null;
  const fn = localFunction(facts, inner);
  const [value, ...more] = fn?.returns ?? [];
  const put =
    fn === null || value === undefined || more.length > 0
      ? null
      : (written(bare(value)) ?? spread(bare(value)));
  if (fn === null || put === null) return null;
  const args = argumentsOf(inner);
  const handed = (part: Node): Node | undefined =>
    args[
      fn.params.findIndex(
        (param) => facts.binding(param) !== null && facts.binding(param) === facts.binding(part),
      )
    ];
  const [record, key, content] = [handed(put.record), handed(put.key), handed(put.value)];
  return record === undefined || key === undefined || content === undefined
    ? null
    : { record, key, value: content };
}

/** `new Map([...m, [k, v]])`, `new Map(m).set(k, v)`. */
function written(node: Node): Put | null {
  if (node.type === "NewExpression" && calleeName(node) === "Map") {
    const list = bare(argumentsOf(node)[0] ?? node);
    const [old, entry, ...more] = list.type === "ArrayExpression" ? children(list, "elements") : [];
    if (old?.type !== "SpreadElement" || entry == null || more.length > 0) return null;
    const [key, value] = bare(entry).type === "ArrayExpression" ? children(bare(entry), "elements") : [];
    return key == null || value == null ? null : { record: child(old, "argument")!, key, value };
  }
  if (isCall(node) && calleeName(node) === "set" && receiver(node) !== null) {
    const copy = bare(receiver(node)!);
    const [key, value] = argumentsOf(node);
    const [record] = copy.type === "NewExpression" && calleeName(copy) === "Map" ? argumentsOf(copy) : [];
    return record === undefined || key === undefined || value === undefined ? null : { record, key, value };
  }
  return null;
}

/** `{ ...m, [k]: v }`, as what a helper returns. */
function spread(node: Node): Put | null {
  const [old, entry, ...more] = node.type === "ObjectExpression" ? children(node, "properties") : [];
  if (old?.type !== "SpreadElement" || entry?.type !== "Property" || more.length > 0) return null;
  const key = child(entry, "key")!;
  return keyName(key, entry.computed === true) === null
    ? { record: child(old, "argument")!, key, value: child(entry, "value")! }
    : null;
}
