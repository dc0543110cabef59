/**
 * The transpose of a gather: where the forward pass reads `table[ids[t]]`, the reverse sweep pays into `dTable[ids[t]]`, and an
 * entry that was read twice is paid twice. Stored instead of added, the last payment stays.
 */
import { adds, slotOf } from "../adds.js";
import type { FileFacts } from "../facts.js";
import type { Fn } from "../functions.js";
import { partOf } from "../lookups.js";
import { loopsAround, type Loop } from "../reverse.js";
import {
  argumentsOf,
  bare,
  calleeName,
  child,
  children,
  isCall,
  isFunction,
  isMember,
  propertyName,
  receiver,
  walk,
  within,
  type Node,
} from "../tree.js";
import { valuesOf } from "../values.js";
import { writesOf, type Write } from "../writes.js";
import { isAdjoint, isCotangentPlace, readsCotangent } from "./cotangents.js";
import { rootOf } from "./exclusions.js";
import { branchOf } from "./guards.js";
import { eachPart, multiplies } from "./parts.js";
import { sumOfCounters } from "./counters.js";
import { keepsMeetingPlace, meetingLoops } from "./overlaps.js";
import { gathers, indicesOf, normal, spelled } from "./gathers.js";
import { isBlank } from "./slots.js";
import { followsTurn, isReadIn, placeIsFixed } from "./turns.js";

/** Lists that name each place once: orders, permutations, masks, places of maxima in windows that do not overlap. */
const EACH_ONCE =
  /perm|arg|max|switch|order|inverse|sort|mask|pos|keys?$|names?$|params?$|nodes?$|layers?$|vars?$/i;

/** Fields that say which node something itself is. */
const OWN = /^_?(?:id|index|idx|key|uid|slot|pos|position|out|output|name|n|at|offset|ref|y|z|res|result)$/i;

/** The write stores into a place that another turn may come to again. */
export function storedInScatter(facts: FileFacts, write: Write): boolean {
  if (facts.names.minified) return false;
  const rows = write.form === "buffer-set" && indicesOf(write).length > 0;
  if (!rows && !(/^(?:assign|map-set)$/.test(write.form) && write.element)) return false;
  if (isBlank(facts, write.value) || isFunction(bare(write.value))) return false;
  const home = facts.home(write.node);
  if (home === null || !readsCotangent(facts, write.value, home)) return false;
  if (!isAdjoint(facts, home) && !isCotangentPlace(facts, write.target, home)) return false;
  const loops = olderLoops(facts, write);
  if (loops.length === 0) return false;
  const own = slotOf(write, (name) => [name]);
  if (adds(facts, write.value, own) || keepsOld(facts, write, home)) return false;
  const dims = indicesOf(write);
  if (rows) return byList(facts, write, dims, loops);
  const met = meetingLoops(facts, dims, loops);
  if (met !== null && met.every(({ node }) => !isReadIn(facts, write, node)))
    return isAdjoint(facts, home) || gathers(facts).has(normal(facts, dims));
  return (
    dims.some((dim) => keepsMeetingPlace(facts, dim)) ||
    byRounding(facts, write, dims, loops, home) ||
    byKeys(facts, write, loops, home) ||
    byList(facts, write, dims, loops) ||
    byEnds(facts, write, dims, loops)
  );
}

/** Loops around the write that the buffer is older than. */
function olderLoops(facts: FileFacts, write: Write): readonly Loop[] {
  const root = rootOf(write.target);
  const binding = root === null ? null : facts.binding(root);
  const made = binding?.definitions.find(({ kind }) => kind !== "element")?.at ?? binding?.declaration;
  if (root === null || (binding === null && root.type !== "ThisExpression")) return [];
  return loopsAround(facts, write.node).filter(({ node }) => made === undefined || !within(made, node));
}

/** A test around it asks what is there. */
function keepsOld(facts: FileFacts, write: Write, home: Fn): boolean {
  const name = (write.container || write.objectKey).split("~")[0];
  return branchOf(write.node, home.node).some(({ test }) => {
    const asked = child(test, "test") ?? child(test, "left");
    return asked !== null && facts.source(asked).includes(name.replace(/^this\./, ""));
  });
}

/** `dTable[ids[t] * n + k]`, `grad.set(id, ...)` for each `id` of a list that the forward pass was handed. */
function byList(facts: FileFacts, write: Write, dims: readonly Node[], loops: readonly Loop[]): boolean {
  const lists = dims.flatMap((dim) => listsIn(facts, dim, loops)).filter((list) => isHanded(facts, list));
  if (lists.length === 0 || !gathered(facts, write, dims, loops, lists)) return false;
  return loops.every(({ node }) => !isReadIn(facts, write, node));
}

/** The file reads a table under the same indices, or adds to another gradient in the same turn. */
const gathered = (
  facts: FileFacts,
  write: Write,
  dims: readonly Node[],
  loops: readonly Loop[],
  lists: readonly Node[],
): boolean =>
  [dims, ...rowsOf(facts, dims)].some(
    (some) =>
      gathers(facts).has(normal(facts, some)) ||
      lists.some((list) => gathers(facts).has(asHanded(facts, normal(facts, some), list))),
  ) ||
  (dims.length === 1 && gathers(facts).has(spelled(facts, dims[0]))) ||
  writesOf(facts).some(
    (other) =>
      other !== write &&
      other.form === "add" &&
      other.element &&
      within(other.node, loops[0].node) &&
      isCotangentPlace(facts, other.target, facts.home(other.node)),
  );

/** `id * n` of `id * n + j`, through a name too: the forward pass may read whole rows. */
function rowsOf(facts: FileFacts, dims: readonly Node[], depth = 0): readonly (readonly Node[])[] {
  const [dim, ...more] = dims;
  if (dim === undefined || more.length > 0 || depth > 3) return [];
  const [made, ...others] = facts.binding(dim)?.definitions ?? [];
  const whole = made === undefined || others.length > 0 || made.path.length > 0 ? dim : made.expression;
  const sum = bare(whole);
  return sum.type === "BinaryExpression" && sum.operator === "+"
    ? [
        [whole],
        ...rowsOf(facts, [child(sum, "left")!], depth + 1),
        ...rowsOf(facts, [child(sum, "right")!], depth + 1),
      ]
    : [[whole]];
}

/** The field that keeps a list by the name that the list is handed in by: `this.picked = ids.slice()`. */
function asHanded(facts: FileFacts, text: string, list: Node): string {
  const kept = keptParam(facts, list);
  return kept === null ? text : text.replace(`${nameOf(list)}[*]`, `${kept}[*]`);
}

const ROUNDING = /^(?:floor|round|trunc|ceil|indexOf|findIndex|findLastIndex)$/;

/** `dGrid[c] = ...` of `const c = Math.floor(points[n])`: several points may lie in one cell. */
function byRounding(
  facts: FileFacts,
  write: Write,
  dims: readonly Node[],
  loops: readonly Loop[],
  home: Fn,
): boolean {
  if (write.form !== "assign" || !isAdjoint(facts, home) || !multiplies(facts, write.value)) return false;
  const [turn] = loops;
  const rounded = dims.some((dim) => {
    let found = false;
    eachPart(facts, dim, (node) => {
      if (!isCall(node) || !ROUNDING.test(calleeName(node) ?? "")) return;
      const [argument] = argumentsOf(node);
      // counters alone may be told apart by their steps
      found ||=
        argument !== undefined &&
        followsTurn(facts, argument, turn) &&
        sumOfCounters(facts, argument, loops) === null &&
        partOf(facts.byType.get("MemberExpression") ?? [], argument).length > 0;
    });
    return found;
  });
  return rounded && loops.every(({ node }) => !isReadIn(facts, write, node));
}

/** `total[name] = ...` for the names of a record of gradients that each turn of a loop around makes anew. */
function byKeys(facts: FileFacts, write: Write, loops: readonly Loop[], home: Fn): boolean {
  if (loops.length < 2 || write.index === null || !isAdjoint(facts, home)) return false;
  const key = facts.binding(write.index);
  const [made, ...more] = key?.definitions ?? [];
  if (made === undefined || more.length > 0) return false;
  const entries = bare(made.expression);
  if (!isCall(entries) || !/^(?:entries|keys)$/.test(calleeName(entries) ?? "")) return false;
  const record = facts.binding(argumentsOf(entries)[0] ?? entries);
  const [from] = record?.definitions ?? [];
  if (record == null || from === undefined || !isCall(bare(from.expression))) return false;
  if (!/grad|backward|vjp/i.test(calleeName(bare(from.expression)) ?? "")) return false;
  const holder = receiver(bare(from.expression));
  const outer = loops.find(({ node }) => within(from.at, node));
  return (
    outer !== undefined &&
    (holder === null || placeIsFixed(facts, holder, outer)) &&
    followsTurn(facts, from.expression, outer) &&
    !isReadIn(facts, write, outer.node)
  );
}

/** Lists whose elements, one a turn, stand in an index: `ids` of `ids[t]` and of `for (const id of ids)`. */
function listsIn(facts: FileFacts, index: Node, loops: readonly Loop[]): readonly Node[] {
  const values = valuesOf(facts);
  const out: Node[] = [];
  const queue = [index];
  const seen = new Set<Node>();
  while (queue.length > 0 && seen.size < 50)
    walk(queue.pop()!, (node) => {
      if (seen.has(node)) return false;
      seen.add(node);
      if (isMember(node) && propertyName(node) === null) {
        const counter = values.key(child(node, "property")!);
        if (loops.some((loop) => loop.counter === counter || isFunction(loop.node)))
          out.push(child(node, "object")!);
        return false;
      }
      if (node.type !== "Identifier" || isMember(node.parent ?? node)) return;
      const [made, ...more] = facts.binding(node)?.definitions ?? [];
      if (made === undefined || more.length > 0) return;
      const entries = made.path.join("") === "[*][1]" && calleeName(bare(made.expression)) === "entries";
      if (made.path.length === 1 && made.path[0] === "[*]") out.push(made.expression);
      else if (entries && receiver(bare(made.expression)) !== null)
        out.push(receiver(bare(made.expression))!);
      else if (made.path.length === 0) queue.push(made.expression);
      return;
    });
  return out.filter((list) => !EACH_ONCE.test(nameOf(list)));
}

function nameOf(list: Node): string {
  const inner = bare(list);
  return (isMember(inner) ? propertyName(inner) : (inner.name as string | undefined)) ?? "";
}

/** Data of a run: a parameter, or a field that a method keeps a parameter in. What a constructor sets is of the object. */
function isHanded(facts: FileFacts, list: Node): boolean {
  const inner = bare(list);
  const binding = facts.binding(inner);
  if (binding?.kind === "param") return true;
  if (binding?.kind === "variable")
    return binding.definitions.some(
      ({ expression, kind }) => kind !== "element" && /\.|\$in/.test(valuesOf(facts).key(expression)),
    );
  return keptParam(facts, list) !== null;
}

/** The name of the parameter that a field keeps, or keeps a copy of: `this.ids = Int32Array.from(ids)`. */
function keptParam(facts: FileFacts, list: Node): string | null {
  const field = isMember(bare(list)) ? propertyName(bare(list)) : null;
  if (field === null) return null;
  for (const { node, name, element, form, value } of writesOf(facts)) {
    if (name !== field || element || form !== "assign" || facts.home(node)?.kind === "constructor") continue;
    const made = bare(value);
    const from = made.type === "NewExpression" ? (argumentsOf(made)[0] ?? made) : copied(made);
    const param = facts.binding(from);
    if (param?.kind === "param") return param.name;
  }
  return null;
}

/** `ids` of `ids.slice()`, `[...ids]` and `Int32Array.from(ids)`. */
function copied(made: Node): Node {
  const name = isCall(made) ? calleeName(made) : null;
  if (name === "slice") return receiver(made)!;
  if (name === "from") return argumentsOf(made)[0] ?? made;
  const [only, ...more] = made.type === "ArrayExpression" ? children(made, "elements") : [];
  return only?.type === "SpreadElement" && more.length === 0 ? child(only, "argument")! : made;
}

/** `f[2 * a] = -c; f[2 * b] = c` for the two ends of each edge of a list: an end may be that of another edge. */
function byEnds(facts: FileFacts, write: Write, dims: readonly Node[], loops: readonly Loop[]): boolean {
  const ends = new Set<string>();
  const mine = endIn(facts, dims, loops);
  if (mine === null || OWN.test(mine.field)) return false;
  for (const other of writesOf(facts)) {
    if (other.container !== write.container || !within(other.node, mine.loop.node)) continue;
    const end = endIn(facts, indicesOf(other), loops);
    if (end !== null && !OWN.test(end.field)) ends.add(end.field);
  }
  const paid = ends.size > 1 || paidFromOther(facts, write, mine.field, loops);
  return paid && !isReadIn(facts, write, mine.loop.node) && gathers(facts).has(normal(facts, dims));
}

/** `dh[src] = w * dout[dst]`: one end of the edge is paid out of the other. */
const paidFromOther = (facts: FileFacts, write: Write, field: string, loops: readonly Loop[]): boolean =>
  partOf(facts.byType.get("MemberExpression") ?? [], write.value).some((node) => {
    if (propertyName(node) !== null) return false;
    const end = endIn(facts, [child(node, "property")!], loops);
    return end !== null && end.field !== field && isCotangentPlace(facts, node, facts.home(node));
  });

/** The field of what a loop is at that stands in an index. */
function endIn(
  facts: FileFacts,
  dims: readonly Node[],
  loops: readonly Loop[],
): { readonly field: string; readonly loop: Loop } | null {
  for (const dim of dims) {
    const key = normal(facts, [dim]);
    const field = /\[(?:\*|[\w$]+)\](?:\.|\[)([\w$]+)/.exec(key)?.[1];
    const loop = loops.find(
      (one) => isFunction(one.node) || one.node.type === "ForOfStatement" || one.counter !== null,
    );
    if (field !== undefined && loop !== undefined) return { field, loop };
  }
  return null;
}
