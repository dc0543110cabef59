/** Slots of many nodes in one array, map or record, and functions of the reverse sweep by their names. */
import type { FileFacts } from "../facts.js";
import type { Fn } from "../functions.js";
import { bare, child, children, identifier, isFunction, isMember, type Node } from "../tree.js";
import type { Write } from "../writes.js";

/** A write to weigh: of the file, or one that a helper does for its caller. */
export type Contribution = Pick<
  Write,
  "node" | "value" | "object" | "objectKey" | "name" | "container" | "index" | "indexKey" | "element" | "form"
>;

/** The write goes to an entry of an array, a map or a record that holds the slots of many nodes. */
export const isEntry = (
  write: Pick<Write, "container" | "index" | "indexKey" | "form" | "object" | "element">,
): boolean =>
  write.form === "map-set" ||
  write.form === "merge" ||
  (write.form === "spread" && write.container !== "") ||
  (write.element && (write.object === null || keepsNodes(write.object, write.index) || isOfRecord(write)));

/** `this.adj[i]` of `const [o, i, d] = this.ops[k]`: a part of the record that the sweep is at. */
const isOfRecord = ({ object, index, indexKey }: Pick<Write, "object" | "index" | "indexKey">): boolean =>
  object !== null &&
  bare(object).type === "ThisExpression" &&
  index !== null &&
  bare(index).type === "Identifier" &&
  /\[[^\][]*\](?:\.[\w$]+|\[\d\])$/.test(indexKey) &&
  !indexKey.includes("[entries]");

/** `this.adj[op.left]`, `this.bars[a]`: a list of the slots of all nodes, in a field of the object that runs the sweep. */
const keepsNodes = (object: Node, index: Node | null): boolean =>
  bare(object).type === "ThisExpression" &&
  index !== null &&
  (isMember(bare(index)) || isOperand(bare(index)) || startsAtOperand(bare(index)));

/** `this.adj[a.off + i]`: the stretch of an operand in one buffer of all. */
function startsAtOperand(index: Node): boolean {
  if (index.type !== "BinaryExpression" || index.operator !== "+") return false;
  return [child(index, "left")!, child(index, "right")!].some((side) => {
    let root = bare(side);
    if (!isMember(root)) return startsAtOperand(root);
    while (isMember(root)) root = bare(child(root, "object")!);
    return isOperand(root);
  });
}

/** A parameter of the method that the closure stands in: `mul(a, b) { this.ops.push(() => this.bars[a]...) }`. */
function isOperand(index: Node): boolean {
  if (index.type !== "Identifier") return false;
  let closures = 0;
  for (let at = index.parent ?? null; at !== null; at = at.parent ?? null) {
    if (!isFunction(at)) continue;
    if (children(at, "params").some((param) => identifier(param) === index.name)) return closures > 0;
    if (at.type !== "ArrowFunctionExpression") return false;
    closures++;
  }
  return false;
}

export function isBackward(facts: FileFacts, fn: Fn): boolean {
  if (facts.names.copying(fn.name)) return false;
  return fn.name !== "" && facts.names.backward(fn.name);
}
