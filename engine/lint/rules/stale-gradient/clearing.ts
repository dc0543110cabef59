/** How much of a graph the resets of a turn set back: all of its nodes, or no more than leaves. */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import { callsOf } from "../../local.js";
import { namesOf, partOf } from "../../lookups.js";
import { isEntry } from "../../overwriting/entries.js";
import { paramName, slotNamesOf } from "../../overwriting/slots.js";
import {
  argumentsOf,
  bare,
  calleeName,
  child,
  isCall,
  isMember,
  literal,
  propertyName,
  receiver,
  type Node,
} from "../../tree.js";
import { valuesOf } from "../../values.js";
import type { Write } from "../../writes.js";
import { listLoops, type ListLoop } from "../shared/loops.js";
import { inside, runsIn, targetsOf } from "../shared/nodes.js";
import { isInterior, isInteriorField, isOfLeaves, type Walk } from "./leaves.js";
import { leafTest, resets } from "./resets.js";
import { isIn, type Region } from "./sweeps.js";

/** The resets of a turn where they are of leaves or of single nodes; all: of more, or nobody knows of what. */
export function clearedIn(
  facts: FileFacts,
  region: Region,
  slot: string,
  sweep: ListLoop,
): "all" | readonly Write[] {
  const unknown = [region.loop, ...[...region.runs].map(({ node }) => node)].some((part) =>
    partOf(facts.calls, part).some(
      (call) => facts.names.reset(calleeName(call) ?? "") && targetsOf(facts, call).length === 0,
    ),
  );
  if (unknown) return "all";
  const own = resets(facts).filter(
    ({ node, name }) => isIn(node, region) && slotNamesOf(facts).canonical(name) === slot,
  );
  return own.every((write) => isOfSome(facts, write, sweep, region)) ? own : "all";
}

/** The reset is of a list of leaves, or of single nodes that are leaves. */
function isOfSome(facts: FileFacts, write: Write, sweep: ListLoop, region: Region): boolean {
  if (inside(write.node, sweep.node)) return false;
  if (leafTest(facts, write) !== null) return true;
  const walk = walkAround(facts, write.node, region);
  if (walk !== undefined) {
    const holder = operandsOf(facts, walk, write, region);
    return holder === null
      ? isOfLeaves(facts, walk, sweep, region.loop)
      : isOfHanded(facts, holder, sweep, region);
  }
  if (isOfFirst(facts, write)) return true;
  // a whole list of slots at once
  if (/^buffer/.test(write.form) || (write.element && !isEntry(write))) return false;
  if (isEntry(write)) return inside(write.node, region.loop);
  if (write.object === null) return false;
  const handed = handedTo(facts, write, region);
  if (handed !== null) return isOfHanded(facts, handed, sweep, region);
  return isLeafPlace(facts, write.object);
}

const walkAround = (facts: FileFacts, node: Node, { loop }: Region): ListLoop | undefined =>
  listLoops(facts).findLast((one) => inside(node, one.body) && one.body !== loop && one.node !== loop);

/** A name or a field that holds a node which is made of no other. */
function isLeafPlace(facts: FileFacts, at: Node): boolean {
  const inner = bare(at);
  if (isMember(inner)) {
    const name = propertyName(inner);
    return name !== null && !isInteriorField(facts, name);
  }
  const binding = facts.binding(inner);
  return binding !== null && !isInterior(facts, binding);
}

/** `function zero(n) { n.d = 0; for (const p of n.ins) p.d = 0; }`: one node and its operands, and none further down. */
function operandsOf(facts: FileFacts, { list }: Walk, { node }: Write, { loop }: Region): Handed | null {
  const fn = runsIn(facts, node);
  const at = bare(list);
  if (fn === null || inside(loop, fn.node) || !isMember(at)) return null;
  const holder = facts.binding(child(at, "object")!);
  const param = fn.params.findIndex((one) => {
    const id = paramName(one);
    return holder !== null && id !== null && facts.binding(id) === holder;
  });
  return param < 0 ? null : { fn, at: param };
}

interface Handed {
  readonly fn: Fn;
  /** which parameter is set back; -1: the object itself */
  readonly at: number;
}

/** `zero() { this.grad = 0; }`, `zero(n) { n.grad = 0; }`: the node comes from the caller. */
function handedTo(facts: FileFacts, write: Write, { loop }: Region): Handed | null {
  const fn = runsIn(facts, write.node);
  // the same node in all turns
  if (fn === null || inside(loop, fn.node)) return null;
  if (write.objectKey === "this") return { fn, at: -1 };
  const at = fn.params.findIndex((param) => {
    const id = paramName(param);
    return id !== null && valuesOf(facts).key(id) === write.objectKey;
  });
  return at < 0 ? null : { fn, at };
}

function isOfHanded(facts: FileFacts, { fn, at }: Handed, sweep: ListLoop, region: Region): boolean {
  const calls = callsOf(facts, fn).filter((call) => isIn(call, region));
  const walks = handedAsCallback(facts, fn);
  // on to itself, or elsewhere
  if (calls.length + walks.length === 0 || calls.some((call) => inside(call, fn.node))) return false;
  if (walks.some((walk) => walk === null || inside(walk.node, fn.node))) return false;
  if (!walks.every((walk) => at >= 0 && isOfLeaves(facts, walk!, sweep, region.loop))) return false;
  return calls.every((call) => {
    const walk = walkAround(facts, call, region);
    if (walk !== undefined) return isOfLeaves(facts, walk, sweep, region.loop);
    const given = at < 0 ? receiver(call) : argumentsOf(call)[at];
    return given != null && isLeafPlace(facts, given);
  });
}

/** `xs.forEach(zero)`: the list; null where the function is handed to anything else. */
function handedAsCallback(facts: FileFacts, fn: Fn): readonly (Walk | null)[] {
  const id =
    fn.node.parent?.type === "VariableDeclarator" ? child(fn.node.parent, "id") : child(fn.node, "id");
  const binding = id === null || fn.kind === "method" ? null : facts.binding(id);
  if (binding === null) return [];
  return namesOf(facts, binding).flatMap((name) => {
    const parent = name.parent;
    if (name === id || parent == null || child(parent, "callee") === name) return [];
    const list = isCall(parent) && calleeName(parent) === "forEach" ? receiver(parent) : null;
    return [list === null ? null : { node: parent, body: parent, list }];
  });
}

/** `adj.fill(0, 0, nParams)`: the first places, which are those of leaves. */
function isOfFirst(facts: FileFacts, { form, node }: Write): boolean {
  const [, from, to] = form === "buffer-fill" ? argumentsOf(node) : [];
  return to !== undefined && literal(from) === 0 && /param|leaf|leaves|input|weight/i.test(facts.source(to));
}
