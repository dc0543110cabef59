/** Where sweeps begin: a one that is stored or added into a slot, a weight that a function is handed for it, a helper that puts it there. */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import { callsOf } from "../../local.js";
import { isBlank, paramName, slotNamesOf, startsOf } from "../../overwriting/slots.js";
import { isOne, loopsAround } from "../../reverse.js";
import {
  argumentsOf,
  bare,
  calleeName,
  child,
  endOf,
  isCall,
  isFunction,
  propertyName,
  startOf,
  type Node,
} from "../../tree.js";
import type { Read } from "../../value-forms.js";
import { valuesOf } from "../../values.js";
import { writesOf, type Write } from "../../writes.js";
import { addingHelpers, contributionsOf, seedsOf } from "../shared/contributions.js";
import { nodesIn, runsIn } from "../shared/nodes.js";
import { sweepIn } from "./sweeps.js";

export interface Start {
  /** the store, or the call of a helper that stores */
  readonly node: Node;
  readonly write: Write;
}

export const startsOfSweeps = (facts: FileFacts): readonly Start[] =>
  facts.once("starts of sweeps", (file) => {
    const found: Start[] = [];
    const seeds = new Set(seedsOf(file).map(({ node }) => node));
    for (const write of writesOf(file)) {
      if (seeds.has(write.node) || isAddedOne(file, write) || isBeforeSweep(file, write))
        found.push({ node: write.node, write });
      else found.push(...handedIn(file, write));
    }
    for (const { fn, node } of addingHelpers(file)) {
      const write = writesOf(file).find((one) => file.home(one.node) === fn);
      if (write === undefined) continue;
      for (const call of callsOf(file, fn)) {
        const [given] = argumentsOf(call).slice(node + 1);
        if (given !== undefined && isOne(given)) found.push({ node: call, write });
      }
    }
    return found.sort((a, b) => startOf(a.node) - startOf(b.node) || endOf(b.node) - endOf(a.node));
  });

/** Names of slots that operands are paid into: they are named for gradients, or a one is stored into some of them. */
export const paidNames = (facts: FileFacts): ReadonlySet<string> =>
  facts.once("names of paid slots", (file) => {
    const { one } = startsOf(file);
    const names = new Set<string>();
    for (const { verdict, write, weighed } of contributionsOf(file)) {
      const name = slotNamesOf(file).canonical(write.name);
      if (verdict !== "accumulates") continue;
      if (
        file.names.gradient(write.name) > 0 ||
        one.has(name) ||
        readsItself(file, write) ||
        comesFrom(weighed!.upstream, write)
      )
        names.add(name);
    }
    return names;
  });

/** `const g = s.dh * k; prev.dh += g * w;`. */
const comesFrom = (upstream: Read | null, { name }: Write): boolean =>
  upstream !== null && upstream.kind === "field" && upstream.name === name;

/** `lambda[a] += d * lambda[out]`: what is handed on comes out of the same slots. */
const readsItself = (facts: FileFacts, { value, container, name }: Write): boolean =>
  nodesIn(facts, "MemberExpression", value).some((member) =>
    container === ""
      ? propertyName(member) === name
      : propertyName(member) === null && valuesOf(facts).key(child(member, "object")!) === container,
  );

const isPaid = (facts: FileFacts, { name }: Write): boolean =>
  paidNames(facts).has(slotNamesOf(facts).canonical(name));

/** `of.d += 1;` before the sweep. */
const isAddedOne = (facts: FileFacts, write: Write): boolean =>
  write.form === "add" &&
  isOne(write.value) &&
  (write.object !== null || write.container !== "") &&
  isPaid(facts, write) &&
  loopsAround(facts, write.node).length === 0;

/** `this.out.slope = this.out.value - target;`, `y.grad = y.data.map(() => 1)`: stored before the loop that sweeps. */
function isBeforeSweep(facts: FileFacts, write: Write): boolean {
  if (write.form !== "assign" || write.object === null || !isPaid(facts, write)) return false;
  if (isBlank(facts, write.value) && !isOnes(facts, write.value)) return false;
  if (loopsAround(facts, write.node).length > 0) return false;
  // `this.bars = fresh(n);`: the list of all slots, made anew
  const place = valuesOf(facts).key(write.target);
  if (contributionsOf(facts).some((one) => one.write.container === place)) return false;
  const fn = runsIn(facts, write.node);
  if (fn === null || fn.kind === "constructor" || fn.kind === "set") return false;
  const sweep = sweepIn(facts, { loop: fn.node, runs: new Set() });
  return sweep !== null && startOf(write.node) < startOf(sweep.node);
}

/** `1`, `data.map(() => 1)`. */
export function isOnes(facts: FileFacts, value: Node): boolean {
  if (isOne(value)) return true;
  const at = bare(value);
  const [callback] = isCall(at) && calleeName(at) === "map" ? argumentsOf(at).map(bare) : [];
  const given =
    callback !== undefined && isFunction(callback) ? (facts.functionOf(callback)?.returns ?? []) : [];
  return given.length === 1 && isOne(given[0]);
}

/** `seed(slot, w) { this.adjoint[slot] = w; }`, `root.bar = weight`: what the function is handed goes into a slot that is paid. */
function handedIn(facts: FileFacts, write: Write): readonly Start[] {
  if (write.form !== "assign" && write.form !== "map-set") return [];
  const fn = runsIn(facts, write.node);
  if (fn === null || fn.kind === "set" || fn.kind === "constructor" || !isPaid(facts, write)) return [];
  const given = facts.binding(write.value);
  const at = given?.kind === "param" ? paramAt(facts, fn, write.value) : -1;
  if (at < 0 || loopsAround(facts, write.node).length > 0) return [];
  const helper = callsOf(facts, fn)
    .filter((call) => argumentsOf(call)[at] !== undefined && isOne(argumentsOf(call)[at]))
    .map((node) => ({ node, write }));
  return [{ node: write.node, write }, ...helper];
}

const paramAt = (facts: FileFacts, fn: Fn, value: Node): number =>
  fn.params.findIndex((param) => {
    const id = paramName(param);
    return id !== null && facts.binding(id) === facts.binding(value);
  });
