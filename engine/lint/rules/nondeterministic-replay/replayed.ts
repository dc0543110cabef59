/** Functions that the sweep runs again: its closures, what it calls on the way, what a checkpoint is handed. */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import { callsFrom, callsNamed, callsThrough } from "../../lookups.js";
import { operationOf } from "../../operations.js";
import { isBackward } from "../../overwriting/entries.js";
import { paramName } from "../../overwriting/slots.js";
import { loopsAround } from "../../reverse.js";
import {
  argumentsOf,
  bare,
  calleeName,
  child,
  identifier,
  isFunction,
  isMember,
  receiver,
  type Node,
} from "../../tree.js";
import { backwardClosures, contributionsOf, seedsOf } from "../shared/contributions.js";
import { inside, isCallOf, keptAs, runsIn, targetsOf } from "../shared/nodes.js";
import { segments } from "./segments.js";

export interface Replayed {
  readonly fn: Fn;
  readonly why: Node | null;
  /** run in the forward pass too: then a global that changes between the two matters */
  readonly twice: boolean;
}

export function* replayed(facts: FileFacts): Iterable<Replayed> {
  for (const fn of backwardClosures(facts)) yield { fn, why: null, twice: false };
  yield* calledBySweep(facts);
  yield* handedTwice(facts);
  yield* computedAgain(facts);
  yield* segments(facts);
}

/** Steps of the forward pass by their names. */
const STEP = /forward|apply|run|eval|compute|step|call|block|layer|activat|dropout/i;

/** A step of the forward pass that a backward method runs again, two calls away: `recompute(block)` of a checkpointed net. */
function* computedAgain(facts: FileFacts): Iterable<Replayed> {
  const reached = new Map<Fn, Node>();
  const queue = facts.functions.filter((fn) => isBackward(facts, fn));
  const from = new Set<Fn>(queue);
  for (let depth = 0; depth < 3 && queue.length > 0; depth++)
    for (const fn of queue.splice(0))
      for (const call of callsFrom(facts, fn))
        for (const target of targetsOf(facts, call)) {
          if (from.has(target) || reached.has(target)) continue;
          reached.set(target, call);
          queue.push(target);
        }
  for (const [fn, why] of reached) {
    const inForward = callsNamed(facts, fn.name).some((call) => {
      const home = facts.home(call);
      // methods of one name are not told apart: a net's `forward` runs that of its layers
      if (home === null || from.has(home)) return false;
      return !reached.has(home) || home.name === fn.name || calledElsewhere(facts, home, from);
    });
    if (inForward && STEP.test(fn.name)) yield { fn, why, twice: false };
  }
}

/** A method that both passes go through, `run` of `forward` and `backward`. */
const calledElsewhere = (facts: FileFacts, fn: Fn, backward: ReadonlySet<Fn>): boolean =>
  callsNamed(facts, fn.name).some((call) => {
    const home = facts.home(call);
    return home !== null && home !== fn && !backward.has(home);
  });

/** Functions kept in a field that the sweep calls: `node.evaluate(...)` in the loop that pays. */
function* calledBySweep(facts: FileFacts): Iterable<Replayed> {
  // nothing pays and nothing is seeded: there is no sweep in this file that would call them
  if (!contributionsOf(facts).some(({ weighed }) => weighed!.carried) && seeding(facts).size === 0) return;
  const calls = facts.calls.filter((call) => {
    const object = receiver(call);
    // `Math.cos` is not the operation `cos` of this file
    return object !== null && identifier(bare(object)) !== "Math" && inSweep(facts, call);
  });
  if (calls.length === 0) return;
  for (const fn of facts.functions) {
    if (fn.inline || fn.kind !== "function") continue;
    const names = keptAs(facts, fn);
    if (names.length === 0) continue;
    const call = calls.find((one) => names.includes(calleeName(one) ?? ""));
    if (call === undefined) continue;
    const name = calleeName(call);
    const twice = callsNamed(facts, name!).some((other) => other !== call && !inSweep(facts, other));
    yield { fn, why: call, twice };
  }
}

/** Inside a loop that pays operands, or that runs towards the inputs in a function that seeds. */
function inSweep(facts: FileFacts, call: Node): boolean {
  const home = runsIn(facts, call);
  const loop = loopsAround(facts, call).at(-1);
  if (home === null || loop === undefined) return false;
  if (paysIn(facts, loop.node)) return true;
  return loop.reverse && seeding(facts).has(home);
}

function paysIn(facts: FileFacts, loop: Node): boolean {
  const cache = facts.once("loops that pay", () => new Map<Node, boolean>());
  let known = cache.get(loop);
  if (known === undefined) {
    known = contributionsOf(facts).some(({ write, weighed }) => weighed!.carried && inside(write.node, loop));
    cache.set(loop, known);
  }
  return known;
}

const seeding = (facts: FileFacts): ReadonlySet<Fn | null> =>
  facts.once("functions that seed", (file) => new Set(seedsOf(file).map(({ node }) => runsIn(file, node))));

/** `checkpoint(f, x)`: a parameter that is called at once, and again in a closure or a second loop of the sweep. */
function* handedTwice(facts: FileFacts): Iterable<Replayed> {
  for (const fn of facts.functions) {
    const params = fn.params.map(paramName);
    if (params.every((param) => param === null)) continue;
    for (let at = 0; at < params.length; at++) {
      const id = params[at];
      const binding = id === null ? null : facts.scopes.resolve(id);
      if (binding === null) continue;
      const own = callsThrough(facts, binding);
      const now = own.filter((call) => facts.home(call) === fn);
      const later = own.filter((call) => facts.home(call) !== fn);
      yield* replayedSegments(facts, fn, own);
      const twice =
        (now.length > 0 && later.length > 0) ||
        (later.length > 0 && facts.names.backward(facts.home(later[0])?.name ?? ""));
      if (!twice) continue;
      for (const call of handingCalls(facts, fn)) {
        const argument = argumentsOf(call)[at];
        const handed = argument === undefined ? null : functionOf(facts, argument);
        if (handed !== null) yield { fn: handed, why: later[0], twice: true };
      }
    }
  }
}

/**
 * `checkpoint = (seg) => (x, t) => { seg(x, off); t.save((g) => { seg(x, on); ... }); }`, and nothing in this file is handed to it:
 * functions that take what it hands over and leave a closure behind are what it runs twice.
 */
function* replayedSegments(facts: FileFacts, fn: Fn, own: readonly Node[]): Iterable<Replayed> {
  const again = own.find((call) => {
    const home = facts.home(call);
    return own.some((first) => {
      const outer = facts.home(first);
      return outer !== null && outer !== home && inside(call, outer.node);
    });
  });
  if (again === undefined || handingCalls(facts, fn).length > 0) return;
  const count = argumentsOf(again).length;
  for (const segment of leavers(facts)) {
    if (segment.inline || segment.params.length !== count || inside(segment.node, fn.node)) continue;
    yield { fn: segment, why: again, twice: true };
  }
}

/** Functions that leave a step of the sweep behind. */
const leavers = (facts: FileFacts): readonly Fn[] =>
  facts.once("functions that leave a step behind", (file) => {
    const found = new Set(
      file.functions.flatMap((one) =>
        operationOf(file, one)?.linked === true ? (file.outer(one) ?? []) : [],
      ),
    );
    return file.functions.filter((fn) => found.has(fn));
  });

/** Calls of a function by a name of its own, and by methods of its name. */
function handingCalls(facts: FileFacts, fn: Fn): readonly Node[] {
  const plain = facts.once("plain calls by function", (file) => {
    const found = new Map<Node, Node[]>();
    for (const call of file.calls) {
      const binding = file.binding(bare(child(call, "callee")!));
      if (binding === null) continue;
      const given =
        binding.kind === "variable"
          ? binding.definitions.flatMap(({ expression, path }) =>
              path.length === 0 ? [bare(expression)] : [],
            )
          : [];
      for (const node of new Set([binding.declaration, ...given])) {
        if (!isFunction(node)) continue;
        const calls = found.get(node);
        if (calls === undefined) found.set(node, [call]);
        else calls.push(call);
      }
    }
    return found;
  });
  const byMethod = callsNamed(facts, fn.name).filter(
    (call) => isMember(bare(child(call, "callee")!)) && isCallOf(facts, call, fn),
  );
  return [...(plain.get(fn.node) ?? []), ...byMethod];
}

function functionOf(facts: FileFacts, node: Node): Fn | null {
  const inner = bare(node);
  if (isFunction(inner)) return facts.functionOf(inner);
  const binding = facts.binding(inner);
  if (binding === null) return null;
  if (isFunction(binding.declaration)) return facts.functionOf(binding.declaration);
  const made = binding.definitions.length === 1 ? bare(binding.definitions[0].expression) : null;
  return made !== null && isFunction(made) ? facts.functionOf(made) : null;
}
