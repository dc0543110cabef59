/** Maps of cotangents made of an old one and what is paid out of it: `bars = new Map([...bars, ...ins.map((p, i) => [p, parts[i]])])`. */
import type { FileFacts } from "../facts.js";
import {
  argumentsOf,
  bare,
  calleeName,
  child,
  children,
  identifier,
  isCall,
  isFunction,
  type Node,
} from "../tree.js";
import { valuesOf } from "../values.js";
import type { Write } from "../writes.js";
import { derivativeCall, multiplies } from "./parts.js";
import { mergesSums } from "./summed-records.js";

/** Later entries that are made of entries of the Map that they are put over, and not of the ones that they replace. */
export function* mapMerges(facts: FileFacts): Iterable<Write> {
  for (const made of facts.news) {
    if (calleeName(made) !== "Map") continue;
    const list = bare(argumentsOf(made)[0] ?? made);
    const [old, ...later] = list.type === "ArrayExpression" ? children(list, "elements") : [];
    if (old?.type !== "SpreadElement") continue;
    for (const more of later)
      if (more?.type === "SpreadElement") {
        const write = mergeOf(facts, child(old, "argument")!, more);
        if (paysOutOf(facts, write) && !mergesSums(facts, write)) yield write;
      }
  }
}

function mergeOf(facts: FileFacts, target: Node, more: Node): Write {
  return {
    node: more,
    target,
    form: "merge",
    value: child(more, "argument")!,
    object: null,
    objectKey: "",
    name: identifier(bare(target)) ?? "",
    element: true,
    container: valuesOf(facts).key(target),
    index: null,
    indexKey: "*",
  };
}

/** `ins.map((p, i) => [p, parts[i]])` of `parts = n.vjp(bars.get(n))`: pairs of what the old Map holds, scaled. */
function paysOutOf(facts: FileFacts, { value, container }: Write): boolean {
  const call = bare(value);
  if (!isCall(call) || !argumentsOf(call).some((one) => isFunction(bare(one)))) return false;
  return (
    (multiplies(facts, value) || derivativeCall(facts, value) > 0) &&
    valuesOf(facts)
      .reads(value)
      .some((read) => read.kind === "element" && read.container === container)
  );
}
