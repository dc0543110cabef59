/**
 * Rules that stand side by side and add into one slot, whatever they are called: a method of one name in several classes of
 * operations, callbacks that one function is handed under the names of operations.
 */
import type { FileFacts } from "../facts.js";
import type { Fn } from "../functions.js";
import { argumentsOf, child, isCall, literal } from "../tree.js";
import { valuesOf } from "../values.js";
import { writesOf, type Write } from "../writes.js";
import { slotNamesOf } from "./slots.js";

const FORWARD = /forward|fwd|jvp|tangent|update|simulat|integrat|render|draw|layout/i;

/** What the function is one of; null: it stands alone. */
function familyOf(facts: FileFacts, fn: Fn): string | null {
  if (FORWARD.test(fn.name)) return null;
  if (fn.kind === "method") return fn.owner === null || fn.params.length > 0 ? null : `method ${fn.name}`;
  const call = fn.node.parent;
  if (call == null || !isCall(call) || argumentsOf(call).at(-1) !== fn.node) return null;
  const [name] = argumentsOf(call);
  return typeof literal(name) === "string" ? `call ${facts.source(child(call, "callee")!)}` : null;
}

/** Slots by the families that pay two operands at least, in one member or in several. */
const families = (facts: FileFacts): ReadonlyMap<string, ReadonlySet<string>> =>
  facts.once("families of rules", (file) => {
    const out = new Map<string, Set<string>>();
    if (file.names.minified) return out;
    const first = new Map<string, { readonly member: unknown; readonly operand: string }>();
    const slots = slotNamesOf(file);
    for (const write of writesOf(file)) {
      if (write.form !== "add" || write.object === null || file.names.gradient(write.name) < 2) continue;
      const fn = file.home(write.node);
      const family = fn === null ? null : familyOf(file, fn);
      if (fn === null || family === null || !pays(file, write, fn)) continue;
      const slot = slots.canonical(write.name);
      const member = fn.owner ?? fn;
      const met = first.get(`${family} ${slot}`);
      if (met === undefined) first.set(`${family} ${slot}`, { member, operand: write.objectKey });
      else if (met.member !== member || met.operand !== write.objectKey)
        out.set(family, (out.get(family) ?? new Set()).add(slot));
    }
    return out;
  });

/** Out of the same slot of another node, or of the cotangent that the callback is handed. */
const pays = (facts: FileFacts, write: Write, fn: Fn): boolean =>
  valuesOf(facts)
    .reads(write.value)
    .some((read) =>
      read.kind === "field"
        ? read.name === write.name && read.object !== write.objectKey
        : read.kind === "param" &&
          facts.names.gradient(read.binding.name) === 2 &&
          facts.scopes.declaredIn(read.binding, fn.node),
    );

/** The function is a rule of such a family, and the slot is the one that the others add into. */
export function isOfFamily(facts: FileFacts, fn: Fn, slot: string): boolean {
  const known = families(facts);
  const family = known.size === 0 ? null : familyOf(facts, fn);
  return family !== null && known.get(family)?.has(slotNamesOf(facts).canonical(slot)) === true;
}
