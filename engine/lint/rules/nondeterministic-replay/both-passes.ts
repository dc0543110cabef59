/**
 * Functions of a file that the forward pass runs and the reverse sweep runs again: a pullback that recomputes its step, a loop
 * towards the start that runs each step once more, a backward method that asks the same helper as the forward one.
 */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import { callsFrom, partOf } from "../../lookups.js";
import { isBackward } from "../../overwriting/entries.js";
import { loopsAround } from "../../reverse.js";
import { bare, calleeName, child, identifier, isMember, propertyName, type Node } from "../../tree.js";
import { inside, keptAs, targetsOf } from "../shared/nodes.js";

export interface BothPasses {
  /** runs in the reverse sweep for itself: a pullback, a backward method */
  readonly reverse: ReadonlySet<Fn>;
  /** what the sweep calls, each with the call that gets there first */
  readonly again: ReadonlyMap<Fn, Node>;
  /** what the forward pass calls */
  readonly forward: ReadonlySet<Fn>;
  /** a loop towards the start moves a cotangent that is named for it */
  readonly chained: boolean;
  /** the call stands in the sweep itself */
  inSweep(call: Node): boolean;
  /** a store that the sweep does, or what it runs: a counter is put where it was */
  setsBack(store: Node): boolean;
}

const DEPTH = 4;
const SWEEP = /^_*(?:pull|bwd|back|grad|vjp|reverse|revs?$|rev_)|(?:Pull|Pullback|Vjp|Adjoint)$/i;

/** Null where nothing is run again. */
export const bothPasses = (facts: FileFacts): BothPasses | null =>
  facts.once("both passes", (file) => {
    const reverse = new Set(file.functions.filter((fn) => !fn.inline && isOfSweep(file, fn)));
    const loops = reverseLoops(file);
    if (reverse.size === 0 && loops.length === 0) return null;
    const whole = new Set([...reverse].filter((fn) => !runsForward(file, fn, reverse, loops)));
    const inSweep = (call: Node): boolean => {
      const home = file.home(call);
      return (home !== null && whole.has(home)) || loops.some((loop) => inside(call, loop));
    };
    const again = reach(file, file.calls.filter(inSweep), whole);
    if (again.size === 0) return null;
    // methods of one name are not told apart: a layer that runs others has a forward method, too
    const isAgain = (call: Node): boolean => {
      const home = file.home(call);
      const why = home === null ? undefined : again.get(home);
      return inSweep(call) || (why !== undefined && targetsOf(file, why).length === 1);
    };
    // asked for only where something that is run again may give something else
    let forward: ReadonlySet<Fn> | null = null;
    const reachForward = (): ReadonlySet<Fn> =>
      new Set(
        reach(
          file,
          file.calls.filter((call) => !isAgain(call) && !isInside(file, call, whole)),
          reverse,
        ).keys(),
      );
    // the function around such a loop may put a counter back before it, itself or by a call
    const around = loops.flatMap((loop) => file.home(loop) ?? []);
    const own = new Set([...whole, ...again.keys(), ...around]);
    for (const fn of around)
      for (const call of callsFrom(file, fn)) for (const target of targetsOf(file, call)) own.add(target);
    const setsBack = (store: Node): boolean => {
      const home = file.home(store);
      return home !== null && own.has(home);
    };
    const chained = loops.some((loop) => movesCotangent(file, child(loop, "body")!));
    return {
      reverse: whole,
      chained,
      again,
      get forward() {
        return (forward ??= reachForward());
      },
      inSweep,
      setsBack,
    };
  });

/** In the sweep, or in something that the sweep makes. */
function isInside(facts: FileFacts, call: Node, whole: ReadonlySet<Fn>): boolean {
  for (let fn = facts.home(call); fn !== null; fn = facts.outer(fn)) if (whole.has(fn)) return true;
  return false;
}

/** `gradient(x)`, `chain(x)`: it runs the steps itself, and then a loop back or a pullback that it leaves behind. */
function runsForward(facts: FileFacts, fn: Fn, reverse: ReadonlySet<Fn>, loops: readonly Node[]): boolean {
  if ([...reverse].some((other) => other !== fn && inside(other.node, fn.node))) return true;
  const own = partOf(facts.loops, fn.node).filter((loop) => facts.home(loop) === fn);
  return (
    own.some((loop) => loops.includes(loop)) && own.some((loop) => !loops.some((back) => inside(loop, back)))
  );
}

/** Named or kept for the sweep, or handed a cotangent under its name. */
function isOfSweep(facts: FileFacts, fn: Fn): boolean {
  if (fn.kind === "constructor" || facts.names.copying(fn.name)) return false;
  if (isBackward(facts, fn)) return true;
  if (fn.params.some((param) => facts.names.gradient(identifier(bare(param)) ?? "") === 2)) return true;
  const isName = (name: string): boolean => SWEEP.test(name) || facts.names.backward(name);
  return isName(fn.name) || keptAs(facts, fn).some(isName);
}

/** Loops from the end to the start that pull a cotangent back: they call a pullback, or store into a name of one. */
const reverseLoops = (facts: FileFacts): readonly Node[] =>
  facts.loops.filter((loop) => {
    const body = child(loop, "body")!;
    if (!loopsAround(facts, body).some(({ node, reverse }) => node === loop && reverse)) return false;
    return (
      partOf(facts.calls, body).some((call) => {
        const name = calleeName(call) ?? "";
        return SWEEP.test(name) || facts.names.backward(name);
      }) ||
      movesCotangent(facts, body) ||
      keepsRecord(facts, body)
    );
  });

const movesCotangent = (facts: FileFacts, body: Node): boolean =>
  partOf(facts.assignments, body).some((node) => {
    const name = identifier(bare(child(node, "left")!));
    return name !== null && facts.names.gradient(name) === 2;
  });

/** `sens.angle = ...; sens.speed = ...;`: several cotangents in one record that is named for them. */
function keepsRecord(facts: FileFacts, body: Node): boolean {
  const fields = new Map<string, Set<string>>();
  for (const node of partOf(facts.assignments, body)) {
    const left = bare(child(node, "left")!);
    const holder = isMember(left) ? identifier(bare(child(left, "object")!)) : null;
    const field = isMember(left) ? propertyName(left) : null;
    if (holder === null || field === null || facts.names.gradient(holder) === 0) continue;
    fields.set(holder, (fields.get(holder) ?? new Set()).add(field));
  }
  return [...fields.values()].some(({ size }) => size > 1);
}

/** Functions that calls run, through what these call; those of the sweep are not run by calling what makes them. */
function reach(facts: FileFacts, calls: readonly Node[], without: ReadonlySet<Fn>): ReadonlyMap<Fn, Node> {
  const found = new Map<Fn, Node>();
  let next: readonly Node[] = calls;
  for (let depth = 0; depth < DEPTH && next.length > 0; depth++) {
    const met: Fn[] = [];
    for (const call of next)
      for (const fn of targetsOf(facts, call)) {
        if (found.has(fn) || without.has(fn)) continue;
        found.set(fn, call);
        met.push(fn);
      }
    next = met.flatMap((fn) => callsFrom(facts, fn));
  }
  return found;
}
