/**
 * Records of contributions that pullbacks give, one a turn, put over one another: `Object.assign(total, piece.pullback(bar))` in
 * a loop over the pieces. Two pieces may pay the same name, and the later entry stays.
 */
import { adds } from "../adds.js";
import type { FileFacts } from "../facts.js";
import { keptAs } from "../rules/shared/nodes.js";
import { loopsAround, type Loop } from "../reverse.js";
import {
  argumentsOf,
  bare,
  calleeName,
  child,
  children,
  identifier,
  isCall,
  keyName,
  receiver,
  within,
  type Node,
} from "../tree.js";
import { valuesOf } from "../values.js";
import { writesOf, type Write } from "../writes.js";
import { rootOf } from "./exclusions.js";
import { guarded } from "./guards.js";

/** What is put over what, and the call that gives it. */
export interface PutOver {
  readonly node: Node;
  readonly call: Node;
}

export const putOver = (facts: FileFacts): readonly PutOver[] =>
  facts.once("records put over one another", (file) => {
    if (file.names.minified || (givers(file).size === 0 && !givesUnnamed(file))) return [];
    const out: PutOver[] = [];
    for (const write of writesOf(file)) {
      const call = givenIn(file, write);
      if (call !== null) out.push({ node: write.node, call });
    }
    for (const call of file.invocations()) {
      const given = listedIn(file, call) ?? secondOf(file, partsOf(call));
      if (given !== null) out.push({ node: call, call: given });
    }
    for (const record of file.objects) {
      const given = secondOf(file, spreadsOf(record));
      if (given !== null) out.push({ node: record, call: given });
    }
    return out;
  });

/** Names of functions that give records whose keys they were handed: any two of them may pay the same one. */
const givers = (facts: FileFacts): ReadonlySet<string> =>
  facts.once("givers of records", (file) => {
    const out = new Set<string>();
    for (const fn of file.functions) {
      if (fn.inline || !fn.returns.some((value) => hasHandedKey(file, value))) continue;
      for (const name of [fn.name, ...keptAs(file, fn)])
        if (name !== "" && file.names.derivative(name)) out.add(name);
    }
    return out;
  });

/** A function gives such a pullback without a name back: `(name, y) => (bar) => [[name, bar * y]]`. */
const givesUnnamed = (facts: FileFacts): boolean =>
  facts.once("givers without a name", (file) =>
    file.functions.some(
      (fn) =>
        !fn.inline &&
        fn.parent !== null &&
        fn.parent.returns.some((value) => bare(value) === fn.node) &&
        fn.params.some((param) => file.names.gradient(identifier(param) ?? "") === 2) &&
        fn.returns.some((value) => hasHandedKey(file, value)),
    ),
  );

/** `t(bar)` of a pullback `t` that was handed in, or is one of a list. */
function runsUnnamed(facts: FileFacts, call: Node): boolean {
  const pullback = facts.binding(child(call, "callee")!);
  const handed =
    pullback?.kind === "param" || pullback?.definitions.some(({ path }) => path.join("") === "[*]") === true;
  return (
    handed &&
    argumentsOf(call).some((one) => facts.names.gradient(identifier(bare(one)) ?? "") === 2) &&
    givesUnnamed(facts)
  );
}

/** `{ [name]: bar * y }`, `[[name, bar * y]]`, `new Map([[name, c]])` under a name that was handed in. */
function hasHandedKey(facts: FileFacts, value: Node): boolean {
  const made = bare(value);
  const list = made.type === "NewExpression" ? bare(argumentsOf(made)[0] ?? made) : made;
  const keys =
    list.type === "ObjectExpression"
      ? children(list, "properties").map((one) =>
          one?.type === "Property" && keyName(child(one, "key")!, one.computed === true) === null
            ? child(one, "key")
            : null,
        )
      : children(list, "elements").map((pair) =>
          pair === null || bare(pair).type !== "ArrayExpression" ? null : children(bare(pair), "elements")[0],
        );
  return keys.some((key) => {
    const root = key == null ? null : rootOf(key);
    return root !== null && facts.binding(root)?.kind === "param";
  });
}

/** The giver's call that a value comes from: itself, through a name, or one of its entries. */
function giverOf(facts: FileFacts, value: Node): Node | null {
  let at = bare(value);
  for (let steps = 0; steps < FOLLOWED; steps++) {
    if (isCall(at)) {
      const name = calleeName(at) ?? "";
      if (givers(facts).has(name) || runsUnnamed(facts, at)) return at;
      const [first] = argumentsOf(at);
      const record = /^(?:entries|keys|values|fromEntries)$/.test(name) ? (first ?? receiver(at)) : null;
      if (record === null) return null;
      at = bare(record);
      continue;
    }
    const [made, ...more] = (facts.binding(at)?.definitions ?? []).filter(({ kind }) => kind !== "element");
    const next = made === undefined ? child(at, "object") : more.length > 0 ? null : made.expression;
    if (next === null) return null;
    at = bare(next);
  }
  return null;
}

/** Names between a call and what is stored of it. */
const FOLLOWED = 6;

/** A write of the entries of such a record into one that is older than the turn in which it is given. */
function givenIn(facts: FileFacts, write: Write): Node | null {
  const merges = write.form === "merge";
  if (!merges && !(write.element || write.form === "map-set" || write.form === "spread")) return null;
  const call = giverOf(facts, write.value);
  const home = facts.home(write.node);
  if (call === null || home === null) return null;
  const turn = loopsAround(facts, call).find(
    (loop) =>
      within(write.node, loop.node) && differs(facts, call, loop) && isOlder(facts, write.target, loop),
  );
  if (turn === undefined) return null;
  if (merges) return call;
  const key = write.index === null ? null : valuesOf(facts).key(write.index);
  const own = { keys: new Set([`${write.container}[${key}]`]) };
  if (key === null || key === turn.counter || !fromGiver(facts, write.index!)) return null;
  return adds(facts, write.value, own) || guarded(facts, write, home) ? null : call;
}

const fromGiver = (facts: FileFacts, index: Node): boolean => giverOf(facts, rootOf(index) ?? index) !== null;

/** The record was there before the turn: made outside of the loop, or handed on from turn to turn. */
function isOlder(facts: FileFacts, record: Node, turn: Loop): boolean {
  const root = rootOf(record);
  if (root?.type === "ThisExpression") return true;
  const binding = root === null ? null : facts.binding(root);
  return binding !== null && !(binding.kind === "variable" && within(binding.declaration, turn.node));
}

/** Each turn asks another one, or hands over something else. */
const differs = (facts: FileFacts, call: Node, turn: Loop): boolean => {
  const from = [receiver(call) ?? child(call, "callee")!, ...argumentsOf(call)];
  return from.some((part) => {
    const root = rootOf(part);
    const binding = root === null ? null : facts.binding(root);
    return binding !== null && within(binding.declaration, turn.node);
  });
};

/** `Object.assign({}, ...pieces.map((p) => p.pullback(bar)))`, `new Map(pieces.flatMap((p) => ...))`, merging reducers. */
function listedIn(facts: FileFacts, call: Node): Node | null {
  const name = calleeName(call) ?? "";
  const args = argumentsOf(call);
  if (name === "assign" && args.at(-1)?.type === "SpreadElement")
    return mapped(facts, child(args.at(-1)!, "argument")!);
  if (name === "fromEntries" || (name === "Map" && call.type === "NewExpression"))
    return args.length === 1 ? mapped(facts, args[0]) : null;
  if (name !== "reduce" && name !== "reduceRight") return null;
  const list = receiver(call);
  const given = list === null ? null : mapped(facts, list);
  return given !== null && mergesParams(facts, args[0]) ? given : null;
}

/** The records that a call puts over one another: `Object.assign(a, b)`, `new Map([...a, ...b])`. */
function partsOf(call: Node): readonly Node[] {
  const name = calleeName(call);
  const args = argumentsOf(call);
  if (name === "assign") return args;
  const list = name === "Map" || name === "fromEntries" ? bare(args[0] ?? call) : null;
  return list?.type === "ArrayExpression" ? spreadsOf(list) : [];
}

/** `a` and `b` of `{ ...a, ...b }` and of `[...a, ...b]`. */
const spreadsOf = (node: Node): readonly Node[] =>
  children(node, node.type === "ArrayExpression" ? "elements" : "properties").flatMap((part) =>
    part?.type === "SpreadElement" ? [child(part, "argument")!] : [],
  );

/** The second of two calls of one giver that is the function around them: `{ ...grad(e.l, bar), ...grad(e.r, bar) }`. */
function secondOf(facts: FileFacts, parts: readonly Node[]): Node | null {
  if (parts.length < 2) return null;
  const calls = parts.map((part) => giverOf(facts, part)).filter((call) => call !== null);
  const [first, second] = calls;
  if (second === undefined || first === second) return null;
  const home = facts.home(second);
  const recursive = [first, second].every((call) => home !== null && calleeName(call) === home.name);
  return recursive && argumentsOf(second).length + (receiver(second) === null ? 0 : 1) > 1 ? second : null;
}

/** The call of a giver in the callback of a `map` or `flatMap`, through a name of the list. */
function mapped(facts: FileFacts, list: Node): Node | null {
  const inner = bare(list);
  const made = facts.binding(inner)?.definitions;
  const call = made?.length === 1 && made[0].path.length === 0 ? bare(made[0].expression) : inner;
  if (!isCall(call) || !/^(?:map|flatMap)$/.test(calleeName(call) ?? "")) return null;
  const fn = facts.functionOf(bare(argumentsOf(call)[0] ?? call));
  for (const value of fn?.returns ?? []) {
    const given = giverOf(facts, value);
    if (given !== null) return given;
  }
  return null;
}

/** `(a, b) => ({ ...a, ...b })`, `(a, b) => Object.assign(a, b)`. */
function mergesParams(facts: FileFacts, callback: Node | undefined): boolean {
  const fn = callback === undefined ? null : facts.functionOf(bare(callback));
  if (fn === null || fn.params.length < 2) return false;
  const params = fn.params.slice(0, 2).map((param) => facts.binding(param));
  return fn.returns.some((value) => {
    const made = bare(value);
    const parts =
      made.type === "ObjectExpression"
        ? children(made, "properties").map((part) =>
            part?.type === "SpreadElement" ? child(part, "argument") : null,
          )
        : isCall(made) && calleeName(made) === "assign"
          ? argumentsOf(made)
          : [];
    const merged = parts.map((part) => (part == null ? null : facts.binding(part)));
    return params.every((param) => param !== null && merged.includes(param));
  });
}
