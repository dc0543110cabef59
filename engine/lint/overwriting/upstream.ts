/** What a contribution comes from: the same slot of another node, another entry, what a rule is handed; and how the two nodes are related. */
import type { FileFacts } from "../facts.js";
import type { Fn } from "../functions.js";
import type { Loop } from "../reverse.js";
import type { Operation } from "../operations.js";
import type { Binding } from "../scopes.js";
import { partOf } from "../lookups.js";
import { localFunction } from "../local.js";
import { bare, child, isCall, isMember, propertyName, receiver, type Node } from "../tree.js";
import { valuesOf } from "../values.js";
import { slotNamesOf } from "./slots.js";
import type { Read } from "../value-forms.js";
import type { Write } from "../writes.js";
import type { Contribution } from "./entries.js";

/** `bars.get(i)[k] += bars.get(id)[k]`: an element of one entry out of that of another pays the entry. */
export function ofEntries(
  write: Contribution,
  reads: readonly Read[],
): { readonly write: Contribution; readonly entry: Read | null } {
  const whole = write.object === null ? /^([\w$#]+~\d+)\[(.+)\]$/.exec(write.container) : null;
  if (whole === null) return { write, entry: null };
  const [, container, indexKey] = whole;
  for (const read of reads)
    if (
      read.kind === "element" &&
      read.container.startsWith(`${container}[`) &&
      read.container.endsWith("]") &&
      read.container !== write.container
    ) {
      const index = read.container.slice(container.length + 1, -1);
      return {
        write: { ...write, container, indexKey },
        entry: { kind: "element", node: read.node, container, index },
      };
    }
  return { write, entry: null };
}

/** The same slot of another node. */
export function fromField(
  reads: readonly Read[],
  write: Contribution,
  canonical: (name: string) => string,
): Read | null {
  const name = canonical(write.name);
  return (
    reads.find(
      (read) => read.kind === "field" && canonical(read.name) === name && read.object !== write.objectKey,
    ) ?? null
  );
}

/** Another entry of the same array or map. */
export function fromContainer(reads: readonly Read[], write: Contribution): Read | null {
  return (
    reads.find(
      (read) =>
        read.kind === "element" && read.container === write.container && read.index !== write.indexKey,
    ) ?? null
  );
}

/** What a backward closure or a rule is handed: its own parameter. */
export function fromParameter(
  facts: FileFacts,
  reads: readonly Read[],
  home: Fn | null,
  operation: Operation | null,
  backward: boolean,
  write: Contribution,
): Read | null {
  if (home === null || home.kind === "constructor") return null;
  if (operation === null && !backward) return null;
  return (
    reads.find(
      (read) =>
        read.kind === "param" &&
        facts.scopes.declaredIn(read.binding, home.node) &&
        !write.objectKey.startsWith(`${read.binding.name}~${read.binding.id}`) &&
        !write.container.startsWith(`${read.binding.name}~${read.binding.id}`),
    ) ?? null
  );
}

/** `for (const [p, c] of s.owed()) p.take(c)`: parts of what a method of the node gives for the slot that it keeps itself. */
export function fromMethod(facts: FileFacts, write: Contribution): Read | null {
  const giver = write.object === null ? null : giverOf(facts, write.value);
  const holder = giver === null ? null : receiver(giver);
  const fn = giver === null || holder === null ? null : localFunction(facts, giver);
  if (fn === null || giver === null || holder === null) return null;
  const slots = slotNamesOf(facts);
  const reads = partOf(facts.byType.get("MemberExpression") ?? [], fn.node).some(
    (node) =>
      bare(child(node, "object")!).type === "ThisExpression" &&
      slots.canonical(propertyName(node) ?? "") === slots.canonical(write.name),
  );
  const object = valuesOf(facts).key(holder);
  return reads && object !== write.objectKey
    ? { kind: "field", node: giver, object, name: write.name }
    : null;
}

export const startsAt = (key: string, root: string): boolean =>
  key.startsWith(root) && (key[root.length] === "." || key[root.length] === "[");

/** push: the written node is reached from the one that is read (an operand); pull: the other way round. */
export function related(
  facts: FileFacts,
  write: Contribution,
  upstream: Read | null,
): "push" | "pull" | null {
  if (upstream === null) return null;
  if (upstream.kind === "field") {
    const { object } = upstream;
    if (startsAt(write.objectKey, object) || mentions(write.objectKey, object)) return "push";
    if (startsAt(object, write.objectKey)) return "pull";
    return ofOneRecord(write.objectKey, object) ? "push" : null;
  }
  if (upstream.kind === "element") {
    if (startsAt(write.indexKey, upstream.index) || mentions(write.indexKey, upstream.index)) return "push";
    if (startsAt(upstream.index, write.indexKey)) return "pull";
    // `bar.get(uses[i][k])` paid to `i`: the node at hand gathers from its uses
    if (write.indexKey !== "" && upstream.index.includes(`[${write.indexKey}]`)) return "pull";
    if (isOwnKey(write.indexKey, upstream.index)) return "pull";
    return derivedIndex(facts, write) ? "push" : null;
  }
  return null;
}

/** `layer[i].delta = f(layer[i + 1].delta)` in a loop that counts down: the node at hand gathers from its users. */
export function pulledFromLater(loops: readonly Loop[], write: Contribution, upstream: Read | null): boolean {
  if (upstream === null || upstream.kind === "param") return false;
  const from = upstream.kind === "field" ? upstream.object : `${upstream.container}[${upstream.index}]`;
  return loops.some(
    ({ counter, reverse }) =>
      counter !== null &&
      reverse &&
      from.includes(`(${counter}+`) &&
      // `adj[code[pc + 2]] = adj[code[pc + 1]]`: both come out of the words of one instruction
      !/\+|-/.test(stepsFrom(write.objectKey, counter) + stepsFrom(write.indexKey, counter)),
  );
}

/** The sign of what is counted on from the counter of a loop: `+` of `[(i~3+1)]`. */
const stepsFrom = (key: string, counter: string): string => key.split(`(${counter}`)[1]?.[0] ?? "";

/** `v[s.id] = s.p * v[s.next]`: the entry of the node itself, out of that of another one. */
function isOwnKey(written: string, read: string): boolean {
  const [own, other] = [written, read].map((key) => /^(.+)\.([\w$#]+)$/.exec(key));
  return own !== null && other !== null && own[1] === other[1] && OWN.test(own[2]) && !OWN.test(other[2]);
}

/** Fields that say which node something itself is. */
const OWN = /^_*(?:id|index|idx|key|uid|self|me|node|out|output|name|at|pos|slot|target|dst|res|result)$/i;

/** `r.a.grad = r.da * r.out.grad`: output and operand are kept in one record of the tape. */
function ofOneRecord(written: string, read: string): boolean {
  const [a, b] = [written, read].map((key) => /^([\w$]+~\d+(?:\[.*\])?)\.([\w$]+)$/.exec(key));
  return (
    a !== null &&
    b !== null &&
    a[1] === b[1] &&
    a[2] !== b[2] &&
    /^_*(?:out|output|res|result|y|z|node|self|dst|to|ret|target)\w*$/i.test(b[2])
  );
}

/** `exprs[this.left]` is reached through `this`. */
const mentions = (key: string, part: string): boolean =>
  key.includes(`[${part}.`) || key.includes(`[${part}[`);

/** The index comes out of data (`e.left`, `parents[k]`), not out of counting. */
export function derivedIndex(facts: FileFacts, write: Pick<Write, "index" | "indexKey">): boolean {
  if (write.index === null) return false;
  const binding = facts.binding(write.index);
  if (binding?.kind === "param" && facts.enclosing(binding.declaration)?.inline === false) return true;
  return /[.[]/.test(write.indexKey) || /^\?/.test(write.indexKey) || isPartOfPair(binding);
}

/** `name` of `for (const [name, share] of rules[op](g, node))`, `l` of `const [z, l, r] = refs.subarray(at, at + 3)`. */
function isPartOfPair(binding: Binding | null): boolean {
  const [made, ...more] = binding?.definitions ?? [];
  if (made === undefined || more.length > 0 || !isCall(bare(made.expression))) return false;
  const [first] = made.path;
  return made.path.length > 1 ? first === "[*]" : first !== undefined && /^\[\d+\]$/.test(first);
}

/** Names between a call and what is stored of it. */
const FOLLOWED = 6;

/** The call that a value is one part of several of: by a pattern, an index or a turn of a loop over what it gives. */
export function giverOf(facts: FileFacts, value: Node): Node | null {
  let at = bare(value);
  let parts = 0;
  for (let steps = 0; steps < FOLLOWED; steps++) {
    if (isCall(at)) return parts > 0 ? at : null;
    if (isMember(at)) {
      parts++;
      at = bare(child(at, "object")!);
      continue;
    }
    const [made, ...more] = (facts.binding(at)?.definitions ?? []).filter(({ kind }) => kind !== "element");
    if (made === undefined || more.length > 0) return null;
    parts += made.path.length;
    at = bare(made.expression);
  }
  return null;
}
