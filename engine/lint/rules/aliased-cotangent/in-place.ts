/** Contributions that are added into a buffer as it stands: what makes a shared buffer a fault. */
import type { FileFacts } from "../../facts.js";
import { isBlank, slotNamesOf } from "../../overwriting/slots.js";
import { bare, child, isMember, propertyName } from "../../tree.js";
import { valuesOf } from "../../values.js";
import { writesOf, type Write } from "../../writes.js";

/** Writes that change the content of a slot and keep its buffer: `slot[i] += c`, `slot.data[i] += c`, `slot.add_(c)`. */
export function inPlace(facts: FileFacts, name: string, entries: boolean): Write | null {
  const slots = slotNamesOf(facts);
  const values = valuesOf(facts);
  return (
    writesOf(facts).find((write) => {
      if (write.form === "map-set" || write.form === "merge" || write.form === "spread") return false;
      const changes =
        write.element || write.form === "buffer-fill" || write.form === "buffer-set" || adding(write);
      if (!changes || isBlank(facts, write.value)) return false;
      if (!entries && write.object !== null && slots.canonical(write.name) === name)
        return write.element || write.form !== "assign";
      // `g[0] += c` of `const g = node.grad`, `node.grad.data[i] += c`
      const of = write.object ?? write.target;
      const key = write.object === null ? write.container : values.key(of);
      // `addInto(grads[p], c);`
      if (entries && write.form === "adding-call" && write.container !== "")
        return new RegExp(`(?:^|\\.)${escape(name)}(?:~\\d+)?$`).test(write.container);
      if (entries)
        return nestedEntry(write, name) || new RegExp(`${escape(name)}(?:~\\d+)?\\[.*\\]$`).test(key);
      return new RegExp(`\\.${escape(name)}$`).test(key);
    }) ?? null
  );
}

const adding = ({ form, target, name }: Write): boolean =>
  form === "adding-call" && isMember(target) && name !== "";

/** `grads[p][i] += c`: an element of an entry. */
function nestedEntry(write: Write, name: string): boolean {
  const object = bare(write.target);
  if (!isMember(object) || write.name !== name) return false;
  const inner = bare(child(object, "object")!);
  return propertyName(object) === null && isMember(inner) && propertyName(inner) === null;
}

const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
