/** Backward methods of classes that store a local derivative and know no cotangent at all. */
import type { FileFacts } from "../../facts.js";
import { prototypeOf } from "../../functions.js";
import { isEntry } from "../../overwriting/entries.js";
import { isBlank, slotNamesOf } from "../../overwriting/slots.js";
import type { Finding } from "../../report.js";
import type { Node } from "../../tree.js";
import { valuesOf } from "../../values.js";
import { writesOf, type Write } from "../../writes.js";
import { mentionsNode } from "../shared/nodes.js";
import { candidate, LOSS, readsNamed, report, withUpstream } from "./stored.js";

/** Backward methods of a class or a prototype: `x.g = gfx(o.v)`, where siblings or the same method know an output `o`. */
export function* inMethods(facts: FileFacts): Iterable<Finding> {
  const slots = slotNamesOf(facts);
  for (const fn of facts.functions) {
    const made = prototypeOf(fn);
    if ((fn.kind !== "method" && made === null) || !facts.names.backward(fn.name) || LOSS.test(fn.name))
      continue;
    if (LOSS.test(made ?? String((fn.owner?.id as Node | null | undefined)?.name ?? ""))) continue;
    const own = writesOf(facts).filter(({ node, object }) => facts.home(node) === fn && object !== null);
    const into = own.filter(
      (write) => candidate(facts, write) && !isEntry(write) && !write.element && write.objectKey !== "this",
    );
    if (into.length === 0) continue;
    if (
      into.some(
        (write) => readsAnySlot(facts, write, slots.canonical(write.name)) || readsNamed(facts, write.value),
      )
    )
      continue;
    // one fault: the rule of this class knows no upstream at all
    const [first] = into;
    if (!mentionsCall(first.value) || isBlank(facts, first.value)) continue;
    yield report(
      facts,
      first,
      withUpstream(facts).filter(({ write }) => slots.canonical(write.name) === slots.canonical(first.name)),
    );
  }
}

const mentionsCall = (value: Node): boolean =>
  mentionsNode(value, (node) => /CallExpression|BinaryExpression/.test(node.type));

function readsAnySlot(facts: FileFacts, write: Write, canonical: string): boolean {
  const slots = slotNamesOf(facts);
  return valuesOf(facts)
    .reads(write.value)
    .some(
      (read) =>
        (read.kind === "field" &&
          (slots.canonical(read.name) === canonical || facts.names.gradient(read.name) > 0)) ||
        (read.kind === "param" && read.binding.scope === facts.home(write.node)?.node),
    );
}
