/** Records of gradients put together so that later entries win: `Object.assign(grads, more)`, `{ ...a, ...b }`, reducers. */
import { adds } from "../adds.js";
import type { FileFacts } from "../facts.js";
import type { Finding } from "../report.js";
import type { Fn } from "../functions.js";
import { assignmentsTo } from "../lookups.js";
import { operationName } from "../operations.js";
import {
  argumentsOf,
  bare,
  child,
  children,
  endOf,
  identifier,
  isCall,
  calleeName,
  isMember,
  propertyName,
  startOf,
  type Node,
} from "../tree.js";
import { loopsAround } from "../reverse.js";
import { valuesOf } from "../values.js";
import { writesOf, type Write } from "../writes.js";
import { isBackward } from "./entries.js";
import { rootOf } from "./exclusions.js";
import { putInto } from "../puts.js";
import { mergesDisjoint } from "./disjoint-records.js";
import { leafStores } from "./leaf-stores.js";
import { mapMerges } from "./map-merges.js";
import { isCotangentParam, paidByReducer, reducesPullbacks, storedByReducer } from "./reduced-pullbacks.js";
import { mergesSums } from "./summed-records.js";
import { threadedWrites } from "./threaded.js";
import { multiplies } from "./parts.js";
import { derivedIndex } from "./upstream.js";
import { mergeFix } from "./fixes.js";
import { isBlank } from "./slots.js";

interface Merge {
  readonly node: Node;
  readonly finding: Finding;
}

export function* mergeFindings(facts: FileFacts): Iterable<Merge> {
  const all = writesOf(facts);
  for (const write of all) {
    if (write.form === "merge") {
      const over = isCall(write.node) ? assignOverFilled(facts, write, all) : spreadOverFilled(facts, write);
      if (over && !mergesSums(facts, write) && !mergesDisjoint(facts, write)) yield report(facts, write);
    } else if (
      write.form === "spread" &&
      write.container !== "" &&
      (reducesOver(facts, write) || paysItself(facts, write))
    )
      yield report(facts, write);
    else if (storedByReducer(facts, write) || paidByReducer(facts, write)) yield report(facts, write);
  }
  for (const found of [threadedWrites(facts), leafStores(facts), mapMerges(facts)])
    for (const write of found) yield report(facts, write);
}

function report(facts: FileFacts, write: Write): Merge {
  const target = facts.source(write.target).replace(/\s+/g, " ").slice(0, 40);
  const name = operationName(facts, write.node);
  const what =
    write.form !== "merge"
      ? `an entry of \`${target}\` without the old one`
      : `entries over those of \`${target}\``;
  return {
    node: write.node,
    finding: {
      start: startOf(write.node),
      end: endOf(write.node),
      message: `\`${name}\` puts ${what}: gradients of two branches are merged, not added. A value used in both keeps only the last contribution.`,
      evidence: "structural",
      suggestions: mergeFix(facts, write),
    },
  };
}

const gradientRecord = (facts: FileFacts, node: Node): boolean => {
  const inner = bare(node);
  const name = isMember(inner) ? propertyName(inner) : isCall(inner) ? calleeName(inner) : identifier(inner);
  if (name !== null && facts.names.gradient(name) === 2) return true;
  // `const next = structuredClone(grads)`, `{ ...grads }`
  const [made, ...more] = facts.binding(inner)?.definitions.filter(({ kind }) => kind === "initial") ?? [];
  const copied = made === undefined || more.length > 0 ? null : copyOf(bare(made.expression));
  if (copied !== null) return gradientRecord(facts, copied);
  // a callback's accumulator goes by the name of what it starts with
  const root = /^([\w$]+)~\d+$/.exec(valuesOf(facts).key(inner));
  return root !== null && facts.names.gradient(root[1]) === 2;
};

/** What a call or a record is the copy of. */
function copyOf(made: Node): Node | null {
  if (isCall(made) && calleeName(made) === "structuredClone") return argumentsOf(made)[0] ?? null;
  const [only, ...more] = made.type === "ObjectExpression" ? children(made, "properties") : [];
  return only?.type === "SpreadElement" && more.length === 0 ? child(only, "argument") : null;
}

/** The source is a record of contributions: named so, or made by a call in the reverse sweep. */
function contributions(facts: FileFacts, write: Write): boolean {
  if (isBlank(facts, write.value)) return false;
  const home = facts.home(write.node);
  const inner = madeRecord(write.value);
  if (gradientRecord(facts, inner) || paysOutOfItself(facts, write)) return true;
  if (isCall(inner) && facts.names.derivative(calleeName(inner) ?? "")) return true;
  // `term(upstream)` of the cotangent that the function was handed
  if (isCall(inner) && home !== null && argumentsOf(inner).some((one) => isCotangentParam(facts, one, home)))
    return true;
  // `v.back(grads[v.key])`: made from an entry of the very record
  if (isCall(inner) && facts.names.backward(calleeName(inner) ?? "") && readsRecord(facts, write))
    return true;
  // `const own = layer.backward(seed)`
  const made = facts.binding(inner)?.definitions ?? [];
  if (made.length === 1 && made[0].path.length === 0 && isCall(bare(made[0].expression))) {
    const call = bare(made[0].expression);
    if (facts.names.derivative(calleeName(call) ?? "")) return true;
  }
  return home !== null && isBackward(facts, home) && (isCall(inner) || inner.type === "Identifier");
}

/** `Object.fromEntries(n.vjp(g))`, `new Map(n.vjp(g))`: a record of what the call gives. */
function madeRecord(value: Node): Node {
  const inner = bare(value);
  const name = calleeName(inner);
  const made =
    (isCall(inner) && name === "fromEntries") || (inner.type === "NewExpression" && name === "Map");
  const [entries] = made ? argumentsOf(inner) : [];
  return entries === undefined ? inner : bare(entries);
}

/** `Object.assign({}, adj, ...deps.map(([i, w]) => ({ [i]: w * adj[k] })))`: products of an entry of the record that is merged into. */
const paysOutOfItself = (facts: FileFacts, write: Write): boolean =>
  readsRecord(facts, write) && multiplies(facts, write.value);

const readsRecord = (facts: FileFacts, write: Write): boolean =>
  valuesOf(facts)
    .reads(write.value)
    .some((read) => read.kind === "element" && read.container === write.container);

/** `Object.assign(grads, b)` after something else went into `grads`. */
function assignOverFilled(facts: FileFacts, write: Write, all: readonly Write[]): boolean {
  const home = facts.home(write.node);
  const short = home !== null && isBackward(facts, home) && facts.names.gradient(write.name) > 0;
  if (home === null) return false;
  if (givesForParam(facts, write, home) && inLoop(write.node, home.node)) return true;
  if (!(short || gradientRecord(facts, write.target)) || !contributions(facts, write)) return false;
  // what it is paid out of was there before
  if (gradientRecord(facts, write.target) && paysOutOfItself(facts, write)) return true;
  const handed = argumentsOf(bare(write.value)).some((one) => isCotangentParam(facts, one, home));
  if (!reverseFunction(facts, write) && !(handed && inLoop(write.node, home.node))) return false;
  const before = all.filter(
    (other) =>
      other !== write &&
      startOf(other.node) < startOf(write.node) &&
      other.container === write.container &&
      facts.home(other.node) === home &&
      !isBlank(facts, other.value),
  );
  return before.length > 0 || inLoop(write.node, home.node);
}

/**
 * `Object.assign(total, b.gradOf(bar * b.weight))`: what a call gives for the cotangent that the function was handed. In a chain each
 * layer is handed what the one before gave, so there the cotangent is stored anew in each turn.
 */
function givesForParam(facts: FileFacts, write: Write, home: Fn): boolean {
  const inner = bare(write.value);
  const [made, ...more] = facts.binding(inner)?.definitions ?? [];
  const call =
    made !== undefined && more.length === 0 && made.path.length === 0 ? bare(made.expression) : inner;
  if (!isCall(call) || !facts.names.derivative(calleeName(call) ?? "")) return false;
  if (!isBackward(facts, home) && !facts.names.derivative(home.name)) return false;
  const root = rootOf(write.target);
  const record = root === null ? null : facts.binding(root);
  if (record === null || !home.returns.some((value) => facts.binding(value) === record)) return false;
  return argumentsOf(call).some((argument) =>
    valuesOf(facts)
      .reads(argument)
      .some(
        (read) =>
          read.kind === "param" &&
          facts.names.gradient(read.binding.name) > 0 &&
          facts.scopes.declaredIn(read.binding, home.node) &&
          assignmentsTo(facts, read.binding).length === 0,
      ),
  );
}

function reverseFunction(facts: FileFacts, write: Write): boolean {
  const home = facts.home(write.node);
  if (home === null) return false;
  return (
    isBackward(facts, home) ||
    facts.functions.some((fn) => isBackward(facts, fn)) ||
    loopsAround(facts, write.node).some(({ reverse }) => reverse)
  );
}

function inLoop(node: Node, home: Node): boolean {
  for (let at = node.parent; at !== null && at !== undefined && at !== home; at = at.parent)
    if (
      /^(?:For|While|DoWhile)/.test(at.type) ||
      at.type === "ArrowFunctionExpression" ||
      at.type === "FunctionExpression"
    )
      return true;
  return false;
}

/** `{ ...gradA, ...gradB }`, both records of gradients. */
function spreadOverFilled(facts: FileFacts, write: Write): boolean {
  if (!contributions(facts, write) || !reverseFunction(facts, write)) return false;
  const record = write.node.parent!;
  const spreads = children(record, "properties").filter((property) => property?.type === "SpreadElement");
  if (spreads[0] === write.node) return false;
  const home = facts.home(write.node)!;
  const named = spreads.every((spread) => {
    const source = bare(child(spread!, "argument")!);
    return (
      gradientRecord(facts, source) ||
      (spread === write.node && source.type === "Identifier") ||
      // one is made out of entries of the other
      readsRecord(facts, write) ||
      (isCall(source) && facts.names.derivative(calleeName(source) ?? "")) ||
      isBackward(facts, home)
    );
  });
  const anyNamed = spreads.some(
    (spread) =>
      gradientRecord(facts, child(spread!, "argument")!) || isCall(bare(child(spread!, "argument")!)),
  );
  return named && anyNamed;
}

/** `(grads, { name, value }) => ({ ...grads, [name]: value })` over contributions. */
function reducesOver(facts: FileFacts, write: Write): boolean {
  if (!gradientRecord(facts, write.target) || isBlank(facts, write.value)) return false;
  if (!reverseFunction(facts, write) && !reducesPullbacks(facts, write)) return false;
  const values = valuesOf(facts);
  const key = values.key(write.target);
  const old = new Set([`${key}[${write.indexKey}]`]);
  if (adds(facts, write.value, { keys: old })) return false;
  // `[p.name]: p.grad` collects what is finished
  const value = bare(write.value);
  if (isMember(value) && facts.names.gradient(propertyName(value) ?? "") > 0) return false;
  return facts.home(write.node) !== null;
}

/**
 * `{ ...bars, [e.to]: bars[n.id] * e.w }`: an entry made of another entry of the same record, through a local that is put
 * together anew in each turn (`next = { ...next, ... }`), too.
 */
function paysItself(facts: FileFacts, write: Write): boolean {
  if (isBlank(facts, write.value) || !derivedIndex(facts, write)) return false;
  const records = sameRecord(facts, write.target);
  const old = new Set([...records].map((record) => `${record}[${write.indexKey}]`));
  const from = valuesOf(facts)
    .reads(write.value)
    .some((read) => read.kind === "element" && records.has(read.container) && read.index !== write.indexKey);
  if (!from || adds(facts, write.value, { keys: old })) return false;
  const named = [...records].some(
    (key) => facts.names.gradient(/([\w$]+)(?:~\d+)?$/.exec(key)?.[1] ?? "") > 0,
  );
  return (
    (named && reverseFunction(facts, write)) ||
    (multiplies(facts, write.value) && loopsAround(facts, write.node).some(({ reverse }) => reverse))
  );
}

/** Keys of a record and of those that it is put together from: `g1` and `g` of `const g1 = { ...g, [k]: v }`. */
function sameRecord(facts: FileFacts, record: Node): ReadonlySet<string> {
  const keys = new Set<string>();
  const queue = [record];
  while (queue.length > 0 && keys.size < 20) {
    const node = bare(queue.pop()!);
    if (node.type === "ObjectExpression") {
      const first = children(node, "properties")[0];
      if (first?.type === "SpreadElement") queue.push(child(first, "argument")!);
      continue;
    }
    const from = putInto(facts, node);
    if (from !== null) {
      queue.push(from.record);
      continue;
    }
    const key = valuesOf(facts).key(node);
    if (keys.has(key)) continue;
    keys.add(key);
    for (const { kind, path, expression } of facts.binding(node)?.definitions ?? [])
      if (kind !== "element" && path.length === 0) queue.push(expression);
  }
  return keys;
}
