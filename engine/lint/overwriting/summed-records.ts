/**
 * Records of sums put over the record that they are the sums of: `Object.assign(grads, plus(grads, more))`. Every entry that
 * is put in has the old one in it, so nothing is lost.
 */
import type { FileFacts } from "../facts.js";
import { localFunction } from "../local.js";
import { partOf } from "../lookups.js";
import {
  argumentsOf,
  bare,
  calleeName,
  child,
  isCall,
  isMember,
  propertyName,
  receiver,
  type Node,
} from "../tree.js";
import { valuesOf } from "../values.js";
import { addingName, type Write } from "../writes.js";

/** What is merged in was made by adding to the entries of the record that it goes into. */
export function mergesSums(facts: FileFacts, write: Write): boolean {
  const call = madeBy(facts, write.value);
  if (call === null) return false;
  const record = valuesOf(facts).key(write.target);
  const isRecord = (node: Node): boolean => valuesOf(facts).key(node) === record;
  if (addsEntryOf(facts, call, isRecord)) return true;
  const handed = [...argumentsOf(call), receiver(call)].some((part) => part !== null && isRecord(part));
  if (!handed) return false;
  const name = calleeName(call) ?? "";
  const fn = localFunction(facts, call);
  // a function of another file may do anything with the old record, and needs it to add
  if (fn === null) return addingName(name) || !facts.names.backward(name);
  return addsEntryOf(facts, fn.node, () => true);
}

/** The call that a value comes from, through one name. */
function madeBy(facts: FileFacts, value: Node): Node | null {
  const [made, ...more] = facts.binding(value)?.definitions ?? [];
  const from = made !== undefined && more.length === 0 && made.path.length === 0 ? made.expression : value;
  return isCall(bare(from)) ? bare(from) : null;
}

/** `(old[k] ?? 0) + c`, `out[k] += c` somewhere in a part of the file. */
function addsEntryOf(facts: FileFacts, around: Node, isRecord: (node: Node) => boolean): boolean {
  const ofEntry = (node: Node): boolean => {
    const inner = bare(node);
    if (inner.type === "LogicalExpression") return ofEntry(child(inner, "left")!);
    if (isMember(inner)) return propertyName(inner) === null && isRecord(child(inner, "object")!);
    const map = isCall(inner) && calleeName(inner) === "get" ? receiver(inner) : null;
    return map !== null && isRecord(map);
  };
  return (
    partOf(facts.byType.get("BinaryExpression") ?? [], around).some(
      (sum) => sum.operator === "+" && (ofEntry(child(sum, "left")!) || ofEntry(child(sum, "right")!)),
    ) ||
    partOf(facts.assignments, around).some(({ operator, left }) => operator === "+=" && ofEntry(left as Node))
  );
}
