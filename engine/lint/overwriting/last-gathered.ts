/** The pull form with an assignment in its loop: `for (const u of n.users) n.adj = u.adj * d;` keeps what the last user gives. */
import type { FileFacts } from "../facts.js";
import { loopsAround } from "../reverse.js";
import { child, isCall, isFunction, receiver, within, type Node } from "../tree.js";
import { valuesOf } from "../values.js";
import type { Write } from "../writes.js";

/** The write stands in a loop over a list of the node that is written, and is made of the same slot of the one at hand. */
export function gathersLast(facts: FileFacts, write: Write): boolean {
  if (write.form !== "assign" || write.container !== "" || facts.names.gradient(write.name) < 2) return false;
  const [loop] = loopsAround(facts, write.node);
  const list = loop === undefined ? null : walked(loop.node);
  if (list === null) return false;
  const values = valuesOf(facts);
  const key = values.key(list);
  return (
    key.startsWith(`${write.objectKey}.`) &&
    values.reads(write.value).some(
      (read) =>
        read.kind === "field" &&
        read.name === write.name &&
        read.object.startsWith(`${key}[*]`) &&
        // a sum that is kept in a local is stored as far as it has come
        within(read.node, write.value),
    )
  );
}

function walked(loop: Node): Node | null {
  if (loop.type === "ForOfStatement") return child(loop, "right");
  return isFunction(loop) && loop.parent != null && isCall(loop.parent) ? receiver(loop.parent) : null;
}
