/** The line at fault: of the writes and draws of the smallest failing graph, the one that fits the class of the fault. */
import type { Foreign } from "./engine.js";
import type { FaultClass } from "./fault-class.js";
import type { Judged } from "./judge.js";
import { overwriteIn } from "./lost.js";
import type { Phase, Write } from "./outcome.js";
import { afterOf, nodeFinder } from "./slots.js";

const isObject = (x: unknown): x is object => typeof x === "object" && x !== null;
const near = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-6 * Math.max(Math.abs(a), Math.abs(b));

const isIndex = (key: unknown): boolean => typeof key === "number" || /^\d+$/.test(String(key));

/** The objects that other nodes hold where the output's handle holds this one: `node.dw` beside the output's `dw`. */
function alike(handles: readonly unknown[], output: number, object: unknown): unknown[] {
  const field = (handle: unknown): [string, unknown][] =>
    isObject(handle)
      ? Object.entries(Object.getOwnPropertyDescriptors(handle)).map(([key, { value }]) => [
          key,
          value as unknown,
        ])
      : [];
  const home = field(handles[output]).find(([, value]) => value === object)?.[0];
  if (home === undefined) return [];
  return handles.flatMap((handle) => field(handle).flatMap(([key, value]) => (key === home ? [value] : [])));
}

/** True for writes to where cotangents are kept: to the list or the field the output's own was put in. */
function carrying(foreign: Foreign, { outcome, graph }: Judged): (write: Write) => boolean {
  const find = nodeFinder(outcome, foreign.form);
  const seeds = outcome.writes.filter(
    (write) => write.phase !== "forward" && afterOf(write) === graph.seed && find(write) === graph.output,
  );
  const lists = new Set(
    seeds.flatMap(({ object }) => [object, ...alike(outcome.handles, graph.output, object)]),
  );
  const fields = new Set(seeds.flatMap(({ key }) => (isIndex(key) ? [] : [key])));
  return ({ object, key }) => lists.has(object) || fields.has(key);
}

/** Writes that can be contributions: of the sweep, of numbers, into something that is kept. */
function contributing(foreign: Foreign, judged: Judged, phase: Phase): Write[] {
  const all = judged.outcome.writes.filter((write) => write.phase === phase);
  const kept = all.filter(({ object }) => object !== null);
  const carries = carrying(foreign, judged);
  const isNumber = (write: Write): boolean =>
    typeof write.value === "number" && (!isCounting(write) || carries(write));
  // what is pushed may be a contribution, and is mostly the list of what is still to do
  const isSet = ({ operator }: Write): boolean => operator !== "push";
  const choices = [
    kept.filter((write) => isNumber(write) && isSet(write)),
    all.filter((write) => isNumber(write) && isSet(write)),
    kept.filter(isNumber),
    kept.filter(isSet),
    kept,
  ];
  return choices.find((list) => list.length > 0) ?? all;
}

/** `pending[p] -= 1`, `i += 1`, `visited[v] = 1`, `pending.set(p, n - 1)`: bookkeeping of the sweep. */
function isCounting(write: Write): boolean {
  const { operator, value, before, key } = write;
  if (key === "length") return true;
  const named = /grad|adj|bar|cot|der|sum/i.test(String(key));
  if (operator === "set" || operator === "=")
    return !named && Number.isInteger(before) && Math.abs((value as number) - (before as number)) === 1;
  const step = value === 1 && (operator === "+=" || operator === "-=");
  return step && Number.isInteger(before) && !named;
}

/** The shared intermediate: more uses than any other node, inputs last. */
function sharedNode({ truth, graph }: Judged): number {
  let best = -1;
  let most = 0;
  for (let v = graph.output - 1; v >= 0; v--) {
    if (v < graph.inputs.length && best >= 0) break;
    const uses = truth.edges.filter((edge) => edge.to === v).length;
    if (uses > most) [best, most] = [v, uses];
  }
  return best;
}

function lastInto(foreign: Foreign, judged: Judged, node: number, phase: Phase): Write | null {
  const find = nodeFinder(judged.outcome, foreign.form);
  const writes = contributing(foreign, judged, phase);
  const own = writes.findLast((write) => find(write) === node && afterOf(write) !== 0);
  if (own !== undefined) return own;
  // the output's own cotangent is nobody's contribution
  const { output } = judged.graph;
  return writes.findLast((write) => find(write) !== output || afterOf(write) !== judged.graph.seed) ?? null;
}

/** An assignment over what stood in a cotangent's slot, that is no sum with it; of those into the wrong node rather than another. */
function assignedOver(foreign: Foreign, judged: Judged, wrong: number): Write | null {
  const find = nodeFinder(judged.outcome, foreign.form);
  const over = contributing(foreign, judged, "backward").filter((write) => {
    const { operator, before } = write;
    if (!["=", "set", "with", "spread"].includes(operator) || typeof before !== "number" || before === 0)
      return false;
    const after = afterOf(write);
    const paid = judged.truth.edges.some(({ contribution }) =>
      contribution.some((c) => near(after - before, c)),
    );
    return after !== before && !paid;
  });
  return over.findLast((write) => find(write) === wrong) ?? over[over.length - 1] ?? null;
}

/** What goes on from the forward pass into the sweep and is no node's: a generator's state, a counter. */
function carriedOn(foreign: Foreign, { outcome, graph }: Judged): Write | null {
  const find = nodeFinder(outcome, foreign.form);
  const forward = new Set(
    outcome.writes.flatMap(({ phase, node, site }) =>
      phase === "forward" && node >= graph.inputs.length ? [site] : [],
    ),
  );
  return (
    outcome.writes.find(
      (write) =>
        write.phase !== "forward" &&
        forward.has(write.site) &&
        find(write) === null &&
        write.key !== "length",
    ) ?? null
  );
}

/** The first write of a sweep into a slot that an earlier sweep had filled. */
function staleWrite(foreign: Foreign, judged: Judged): Write | null {
  const phase: Phase = judged.symptom?.kind === "second sweep" ? "again" : "backward";
  const touched = new Map<unknown, Set<unknown>>();
  for (const write of contributing(foreign, judged, phase)) {
    // set to zero by a reset, which is no fault
    if (write.operator === "=" && write.value === 0) continue;
    const keys = touched.get(write.object) ?? new Set();
    touched.set(write.object, keys);
    if (keys.has(write.key)) continue;
    keys.add(write.key);
    if (typeof write.before === "number" && write.before !== 0 && /^[+-]=$|^=$|^set$/.test(write.operator)) {
      // assigning the seed anew is what a sweep begins with
      if (!Object.is(afterOf(write), judged.graph.seed)) return write;
    }
  }
  return remembered(foreign, judged) ?? lastInto(foreign, judged, wrongNode(judged), phase);
}

/** Where a second sweep, from another node, writes nothing to a node: the write of the first that it reads. */
function remembered(foreign: Foreign, judged: Judged): Write | null {
  const wrong = wrongNode(judged);
  const find = nodeFinder(judged.outcome, foreign.form);
  const own = judged.outcome.writes
    .filter(({ phase }) => phase !== "forward")
    .filter((w) => find(w) === wrong);
  if (judged.first === null || own.some(({ phase }) => phase === "again")) return null;
  return own.findLast(({ value }) => typeof value === "number") ?? null;
}

/** The tape a bare sweep was given: its entries, their lists of parents, and the pairs in these. */
function partsOf(entries: readonly unknown[]): Set<unknown> {
  const parts = new Set<unknown>();
  for (const entry of entries) {
    parts.add(entry);
    if (!isObject(entry)) continue;
    const list: unknown = Array.isArray(entry) ? entry[1] : (entry as { parents?: unknown }).parents;
    parts.add(list);
    if (Array.isArray(list)) for (const pair of list as unknown[]) if (isObject(pair)) parts.add(pair);
  }
  return parts;
}

/** An addition that puts down one contribution of a node more often than it is due. */
function paidTooOften(foreign: Foreign, { truth, outcome }: Judged, node: number): Write | null {
  const find = nodeFinder(outcome, foreign.form);
  const due = truth.edges.flatMap(({ to, contribution }) => (to === node ? [contribution[0]] : []));
  const paid = (write: Write, c: number): boolean =>
    write.phase !== "forward" &&
    /^[+-]=$/.test(write.operator) &&
    typeof write.value === "number" &&
    near(write.operator === "-=" ? -write.value : write.value, c) &&
    [node, null].includes(find(write));
  for (const c of due) {
    if (c === 0) continue;
    const times = due.filter((x) => near(x, c)).length;
    const writes = outcome.writes.filter((write) => paid(write, c));
    const often = writes.findLast(({ site }) => writes.filter((other) => other.site === site).length > times);
    if (often !== undefined) return often;
  }
  return null;
}

/** A value of the forward pass that is written over: in the forward pass by a later operation, or by the sweep. */
export function changedValue(foreign: Foreign, { truth, outcome }: Judged): Write | null {
  const find = nodeFinder(outcome, foreign.form);
  const given = foreign.form === "sweep" ? partsOf(outcome.handles) : null;
  for (const write of outcome.writes) {
    const { before, node, phase } = write;
    const after = afterOf(write);
    if (given?.has(write.object) === true && !Object.is(after, before)) return write;
    if (typeof before !== "number" || before === 0 || !Number.isFinite(after) || near(before, after))
      continue;
    const owner = find(write);
    const holders = truth.nodes.flatMap(({ value }, v) => (value.some((x) => near(x, before)) ? [v] : []));
    if (phase === "forward" ? holders.some((v) => v < node) : owner !== null && holders.includes(owner))
      if (owner === null || holders.includes(owner)) return write;
  }
  return null;
}

/** A slot outside the nodes that is written while more than one node is made. */
export function sharedSlot(foreign: Foreign, { truth, outcome, graph }: Judged): Write | null {
  const find = nodeFinder(outcome, foreign.form);
  const writers = new Map<unknown, Map<unknown, number>>();
  const handles = new Set(outcome.handles);
  let found: Write | null = null;
  for (const write of outcome.writes) {
    if (write.phase !== "forward" || write.node < graph.inputs.length || find(write) !== null) continue;
    const saved =
      handles.has(write.value) ||
      Array.isArray(write.value) ||
      typeof write.value === "function" ||
      truth.nodes.some(({ value }) => value.some((x) => x === write.value));
    if (!saved) continue;
    const keys = writers.get(write.object) ?? new Map<unknown, number>();
    writers.set(write.object, keys);
    const earlier = keys.get(write.key);
    if (earlier !== undefined && earlier !== write.node) found = write;
    keys.set(write.key, write.node);
  }
  return found;
}

/** A buffer that two slots hold: the write that handed it on. */
function sharedBuffer({ outcome }: Judged): Write | null {
  const homes = new Map<object, { object: unknown; key: unknown }>();
  // a buffer that two nodes hold in the end is the later one's: operands take it over
  for (const handle of outcome.handles.toReversed()) {
    if (!isObject(handle)) continue;
    for (const [key, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(handle)))
      if (isObject(descriptor.value) && !homes.has(descriptor.value))
        homes.set(descriptor.value, { object: handle, key });
  }
  let found: Write | null = null;
  for (const write of outcome.writes) {
    if (write.phase === "forward" || !isObject(write.value) || write.object === null) continue;
    const home = homes.get(write.value);
    if (home !== undefined && (home.object !== write.object || home.key !== write.key)) found = write;
    else homes.set(write.value, { object: write.object, key: write.key });
  }
  return found;
}

function wrongNode({ symptom }: Judged): number {
  return symptom === null || symptom.kind === "trouble" ? -1 : symptom.node;
}

/** The write that shows the fault, or null. */
function writeOf(fault: FaultClass, foreign: Foreign, judged: Judged): Write | null {
  const wrong = wrongNode(judged);
  switch (fault) {
    case "overwrite":
      return (
        overwriteIn(foreign, judged)?.write ??
        assignedOver(foreign, judged, wrong) ??
        lastInto(foreign, judged, wrong, "backward")
      );
    case "stale gradients":
      return staleWrite(foreign, judged);
    case "write after read":
      return changedValue(foreign, judged) ?? lastInto(foreign, judged, wrong, "backward");
    case "one slot per loop":
      return sharedSlot(foreign, judged) ?? lastInto(foreign, judged, wrong, "backward");
    case "aliasing":
      return sharedBuffer(judged) ?? lastInto(foreign, judged, wrong, "backward");
    case "recursion without order":
    case "total pushed on each arrival":
    case "post-order":
      return lastInto(foreign, judged, sharedNode(judged), "backward");
    case "double counting":
      return paidTooOften(foreign, judged, wrong) ?? lastInto(foreign, judged, wrong, "backward");
    case "wrong value":
      return null;
    default:
      return lastInto(foreign, judged, wrong, "backward");
  }
}

/** Site where the fault shows in the user's source; null where no write could be observed. */
export function blamedSite(fault: FaultClass, foreign: Foreign, judged: Judged): number | null {
  if (fault === "replay with new randomness or another branch") {
    const draw = judged.outcome.draws.find(({ phase }) => phase !== "forward");
    if (draw !== undefined) return draw.site;
    const state = carriedOn(foreign, judged);
    if (state !== null) return state.site;
  }
  return writeOf(fault, foreign, judged)?.site ?? null;
}
