/** Lists of leaves: by their names, or because the loop moves them by their gradients or hands these out. */
import type { FileFacts } from "../../facts.js";
import { partOf } from "../../lookups.js";
import { bare, child, identifier, isCall, isMember, propertyName, type Node } from "../../tree.js";
import { valuesOf } from "../../values.js";
import { writesOf } from "../../writes.js";
import { listLoops, type ListLoop } from "../shared/loops.js";
import { inside } from "../shared/nodes.js";

const LEAVES = /param|weight|bias|leaf|leaves|input|theta|trainable|wrt|coef/i;
const NODES = /node|tape|graph|order|topo|all|every|entr|ops|steps|records|tensors|vals|values|vars/i;

/** The loop walks leaves, and not what the sweep walks. */
export function isOfLeaves(facts: FileFacts, walk: ListLoop, sweep: ListLoop, loop: Node): boolean {
  const values = valuesOf(facts);
  if (values.key(walk.list) === values.key(sweep.list)) return false;
  const list = bare(walk.list);
  const name = (isMember(list) ? propertyName(list) : identifier(list)) ?? "";
  if (isCall(list)) return false;
  // `for (const n of order) for (const p of n.inputs) ...`: whatever is below some node
  if (
    listLoops(facts).some(
      (one) =>
        one.body !== walk.body &&
        inside(walk.node, one.body) &&
        inside(one.node, loop) &&
        one.body !== loop &&
        values.key(list).startsWith(one.current),
    )
  )
    return false;
  if (LEAVES.test(name)) return true;
  if (NODES.test(name)) return false;
  return read(facts, walk, loop);
}

/** `for (const p of xs) p.data -= rate * p.grad`, `xs.map((x) => x.grad)` in the same turn. */
function read(facts: FileFacts, walk: ListLoop, loop: Node): boolean {
  const values = valuesOf(facts);
  const key = values.key(walk.list);
  const writes = writesOf(facts);
  return listLoops(facts).some((one) => {
    if (one.body === walk.body || !inside(one.node, loop) || values.key(one.list) !== key) return false;
    const moves = writes.some(({ node, name }) => inside(node, one.body) && facts.names.gradient(name) === 0);
    return moves || (isCall(one.node) && handsOut(facts, one));
  });
}

/** What the callback gives is the slot of the node at hand. */
function handsOut(facts: FileFacts, one: ListLoop): boolean {
  const fn = facts.functionOf(one.body);
  return (fn?.returns ?? []).some((value) =>
    partOf(facts.byType.get("MemberExpression") ?? [], value).some((member) => {
      const name = propertyName(member);
      if (name !== null) return facts.names.gradient(name) > 0;
      const list = bare(child(member, "object")!);
      const holder = isMember(list) ? propertyName(list) : identifier(list);
      return holder !== null && facts.names.gradient(holder) > 0;
    }),
  );
}
