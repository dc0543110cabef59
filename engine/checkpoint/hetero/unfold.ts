/** The operations of a memory-persistent schedule, unfolded from its choices with a stack of its own. */
import type { HeteroChain } from "./chain.js";
import { cutsOf } from "./cuts.js";
import type { ChainOp } from "./ops.js";

type Part = ChainOp | { readonly s: number; readonly t: number; readonly room: number };

/**
 * @param choice what to do with steps s..t in a room: 0 records step s, c cuts there
 * @param root room of the whole chain
 */
export function unfold(
  chain: HeteroChain,
  root: number,
  choice: (s: number, t: number, room: number) => number,
): ChainOp[] {
  const cuts = cutsOf(chain);
  const contained = chain.model === "contained";
  const ops: ChainOp[] = [];
  const stack: Part[] = [{ s: 1, t: chain.n, room: root }];
  while (stack.length > 0) {
    const part = stack.pop()!;
    if ("kind" in part) {
      ops.push(part);
      continue;
    }
    const { s, t, room } = part;
    const c = choice(s, t, room);
    if (c === 0) {
      ops.push({ kind: "T", i: s });
      if (!contained && s > 1) ops.push({ kind: "dA", i: s - 1 });
      if (!contained && s === t) ops.push({ kind: "dA", i: s });
      stack.push({ kind: "B", i: s });
      if (s < t) stack.push({ s: s + 1, t, room: room - cuts.taped(s) });
      continue;
    }
    for (let i = s; i < c; i++) {
      ops.push({ kind: "F", i });
      if (i > s) ops.push({ kind: "dA", i: i - 1 });
    }
    stack.push({ s, t: c - 1, room });
    // a self-contained part drops its input itself
    if (contained) stack.push({ kind: "dA", i: c - 1 });
    stack.push({ s: c, t, room: room - cuts.kept(s, c) });
  }
  return ops;
}
