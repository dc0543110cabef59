/** Contributions of the reverse sweep, as the rules about order, operands and saved values need them. */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import { isBackward, isEntry } from "../../overwriting/entries.js";
import { judgedWrites, type Judged } from "../../overwriting/judge.js";
import { showsReverseMode } from "../../overwriting/shows.js";
import { multiplies } from "../../overwriting/parts.js";
import { isBlank, slotNamesOf, startsOf } from "../../overwriting/slots.js";
import { callsOf, localFunction } from "../../local.js";
import { isOne, loopsAround } from "../../reverse.js";
import { operationOf } from "../../operations.js";
import {
  argumentsOf,
  bare,
  calleeName,
  child,
  identifier,
  isCall,
  isFunction,
  type Node,
} from "../../tree.js";
import { valuesOf } from "../../values.js";
import { writesOf, type Write } from "../../writes.js";
import { keptAs, runsIn } from "./nodes.js";

export interface Contribution extends Judged {
  /** key of the node that is paid: the object of a field, the index of an entry */
  readonly operand: string;
  /** key of the node that pays, "" for a parameter or when it is not seen */
  readonly payer: string;
}

/** Writes that add or assign a contribution, guarded first writes among them. */
export const contributionsOf = (facts: FileFacts): readonly Contribution[] =>
  facts.once("contributions", (file) =>
    judgedWrites(file)
      .filter(
        ({ verdict, weighed, write }) =>
          weighed !== null &&
          (verdict === "accumulates" || verdict === "overwrites" || verdict === "single-use") &&
          // a running sum in a local is none: it has a place that is a node's
          (write.object !== null || write.container !== ""),
      )
      .map((judged) => {
        const { write, weighed } = judged;
        const upstream = weighed!.upstream;
        return {
          ...judged,
          operand: isEntry(write) ? write.indexKey : write.objectKey,
          payer:
            upstream === null || upstream.kind === "param"
              ? ""
              : upstream.kind === "field"
                ? upstream.object
                : upstream.index,
        };
      }),
  );

export function contributionsIn(facts: FileFacts, fn: Fn): readonly Contribution[] {
  const table = facts.once("contributions by home", (file) => {
    const map = new Map<Fn, Contribution[]>();
    for (const one of contributionsOf(file)) {
      const home = runsIn(file, one.write.node);
      if (home === null) continue;
      const list = map.get(home);
      if (list === undefined) map.set(home, [one]);
      else list.push(one);
    }
    return map;
  });
  return table.get(fn) ?? [];
}

/** Deferred functions that pay operands: closures hung on a node, kept in it, pushed on a tape, returned. */
export const backwardClosures = (facts: FileFacts): readonly Fn[] =>
  facts.once("backward closures", (file) =>
    file.functions.filter(
      (fn) =>
        !fn.inline &&
        fn.kind === "function" &&
        operationOf(file, fn)?.linked === true &&
        (contributionsIn(file, fn).some(({ weighed }) => weighed!.reverse && weighed!.carried) ||
          paymentsByCall(file).has(fn)),
    ),
  );

/** A helper that adds what it is handed to the slot of a node: of its own object, or of one that it is handed, too. */
export interface AddingHelper {
  readonly fn: Fn;
  /** which parameter the paid node is; -1: the object it is called on */
  readonly node: number;
}

/** `accumulate(g) { this.grad = this.grad ? this.grad.add(g) : g; }`, `contribute(t, g) { grads.set(t, ...); }`. */
export const addingHelpers = (facts: FileFacts): readonly AddingHelper[] =>
  facts.once("helpers that add", (file) => {
    const found = new Map<Fn, AddingHelper>();
    for (const { write, verdict, slot } of judgedWrites(file)) {
      const fn = verdict === "accumulates" ? file.home(write.node) : null;
      if (fn === null || fn.name === "" || found.has(fn) || fn.params.length === 0) continue;
      if (file.names.gradient(write.name) === 0 && file.names.gradient(slot) === 0) continue;
      const key = isEntry(write) ? write.indexKey : write.objectKey;
      const node = key === "this" ? -1 : fn.params.findIndex((param) => valuesOf(file).key(param) === key);
      if ((node === -1 && key !== "this") || fn.params.length < (node === -1 ? 1 : 2)) continue;
      found.set(fn, { fn, node });
    }
    return [...found.values()];
  });

/** Functions that pay operands by calling such helpers. */
const paymentsByCall = (facts: FileFacts): ReadonlySet<Fn> =>
  facts.once("payments by call", (file) => {
    const found = new Set<Fn>();
    for (const { fn } of addingHelpers(file))
      for (const call of callsOf(file, fn)) {
        const home = runsIn(file, call);
        if (home !== null && home !== fn) found.add(home);
      }
    return found;
  });

/** Names that run what pays operands: fields that hold backward closures, methods that contribute. */
export const stepNames = (facts: FileFacts): ReadonlySet<string> =>
  facts.once("step names", (file) => {
    const names = new Set<string>();
    for (const fn of backwardClosures(file)) for (const name of keptAs(file, fn)) names.add(name);
    for (const fn of file.functions)
      if (fn.kind === "method" && contributionsIn(file, fn).some(({ weighed }) => weighed!.reverse))
        names.add(fn.name);
    return names;
  });

export interface Seed {
  readonly node: Node;
  readonly key: string;
  readonly container: string;
  readonly index: Node | null;
}

/** Stores of one, or of a parameter called seed, into a slot: where a sweep begins. */
export const seedsOf = (facts: FileFacts): readonly Seed[] =>
  facts.once("seeds", (file) =>
    writesOf(file)
      .filter(
        ({ value, form, name, container }) =>
          (form === "assign" || form === "map-set" || form === "buffer-fill") &&
          (isOne(value) ||
            ((file.names.gradient(name) > 0 ||
              (container !== "" && contributionsOf(file).some((one) => one.write.container === container))) &&
              !isBlank(file, value) &&
              !isFunction(bare(value)) &&
              /^(?:seed|upstream|g|dy|ones?)$/i.test(String(bare(value).name ?? "")))),
      )
      .map((write) => ({
        node: write.node,
        key: isEntry(write) ? write.indexKey : write.objectKey,
        container: write.container,
        index: write.index,
      })),
  );

/** A short name is taken for a slot where one is stored into it and products are paid. */
const seededProduct = (facts: FileFacts, write: Write): boolean =>
  facts.names.gradient(write.name) === 1 &&
  startsOf(facts).one.has(slotNamesOf(facts).canonical(write.name)) &&
  multiplies(facts, write.value);

/** Closures of operations that pay through a helper which adds into a slot named for a gradient. */
const paysThroughHelpers = (facts: FileFacts): boolean =>
  backwardClosures(facts).some((fn) => paymentsByCall(facts).has(fn)) &&
  judgedWrites(facts).some(
    ({ write, verdict }) => verdict === "accumulates" && facts.names.gradient(write.name) === 2,
  );

/** A function named for the sweep that hands products to such a helper. */
const sweepsThroughHelpers = (facts: FileFacts): boolean =>
  addingHelpers(facts).some(({ fn }) =>
    callsOf(facts, fn).some((call) => {
      const home = runsIn(facts, call);
      return (
        home !== null &&
        home !== fn &&
        isBackward(facts, home) &&
        argumentsOf(call).some((argument) => multiplies(facts, argument))
      );
    }),
  );

/** Reverse-mode code, or a function that pays an operand's gradient out of another node's: the gate of most rules. */
export const showsContributions = (facts: FileFacts): boolean =>
  facts.once(
    "shows contributions",
    (file) =>
      showsReverseMode(file) ||
      (!file.names.minified && (paysThroughHelpers(file) || sweepsThroughHelpers(file))) ||
      (!file.names.minified &&
        contributionsOf(file).some(
          ({ write, weighed, payer, operand }) =>
            (file.names.gradient(write.name) === 2 || seededProduct(file, write)) &&
            (weighed!.upstream?.kind === "field" ||
              (weighed!.upstream?.kind === "element" && /[.[]/.test(write.indexKey))) &&
            !weighed!.own &&
            payer !== operand,
        )),
  );

/** `for (let i = n - 1; i >= 0; i--) bar = pull(chain[i], bar);`: a chain's cotangent goes through the function from its end. */
export const isThreaded = (facts: FileFacts, fn: Fn): boolean =>
  facts
    .once("threaded functions", (file) => {
      const out = new Set<Fn>();
      for (const store of file.assignments) {
        const call = bare(store.right as Node);
        if (store.operator !== "=" || !isCall(call)) continue;
        const local = file.binding(store.left as Node);
        if (local === null || !argumentsOf(call).some((argument) => file.binding(argument) === local))
          continue;
        const target = loopsAround(file, store).some(({ reverse }) => reverse)
          ? localFunction(file, call)
          : null;
        if (target !== null) out.add(target);
      }
      return out;
    })
    .has(fn);

/** An entry of a table that is named for the sweep: `const vjps = { sin: (bar, x) => bar * Math.cos(x) };`. */
export function isOfRules(facts: FileFacts, fn: Fn): boolean {
  const property = fn.node.parent;
  const table = property?.type === "Property" ? property.parent : null;
  let holder = table?.parent ?? null;
  while (holder !== null && /^TS|^(?:Call|New)Expression$/.test(holder.type)) holder = holder.parent ?? null;
  const name = holder === null ? null : (identifier(child(holder, "id")) ?? identifier(child(holder, "key")));
  const named = name !== null && facts.names.backward(name);
  // `{ sin: (bar, x) => bar * Math.cos(x), ... }` says as much whatever it is called
  const handed = table !== null && facts.names.gradient(identifier(fn.params[0] ?? null) ?? "") === 2;
  return (named || handed) && fn.params.length > 0 && fn.returns.some((value) => multiplies(facts, value));
}

/** `calls.reduceRight((bar, call) => ..., seed)`: the callback that hands the cotangent of a chain from its end. */
export function isFolded(facts: FileFacts, fn: Fn | null): boolean {
  const call = fn?.node.parent;
  return (
    fn !== null &&
    call != null &&
    isCall(call) &&
    calleeName(call) === "reduceRight" &&
    facts.names.gradient(identifier(fn.params[0] ?? null) ?? "") === 2
  );
}

/** A function named for the reverse sweep, or run by one, that is handed a cotangent: rules may stand in a file that pays nobody. */
export const showsRules = (facts: FileFacts): boolean =>
  facts.once("shows rules", (file) =>
    file.functions.some(
      (fn) =>
        isOfRules(file, fn) ||
        ((isBackward(file, fn) ||
          /vjp|pull_?back|adjoint/i.test(fn.name) ||
          isFolded(file, fn) ||
          isThreaded(file, fn)) &&
          fn.params.some((param) => {
            const name = String(bare(param).name ?? "");
            return file.names.gradient(name) > 0 || /^(?:u|up|upstream|seed|dy|y_?bar|ct)$/.test(name);
          })),
    ),
  );

/** `bar *= rule(x);` in a loop from the end, in a function named for the sweep. */
export const showsChain = (facts: FileFacts): boolean =>
  facts.once(
    "shows a chain",
    (file) =>
      !file.names.minified &&
      file.assignments.some((node) => {
        const name = node.operator === "*=" ? identifier(bare(child(node, "left")!)) : null;
        if (name === null || file.names.gradient(name) < 2) return false;
        const home = file.home(node);
        return (
          home !== null && isBackward(file, home) && loopsAround(file, node).some(({ reverse }) => reverse)
        );
      }),
  );
