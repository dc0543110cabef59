/** Sources in functions of both passes, where what they give gets into the value and into the derivative. */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import { partOf } from "../../lookups.js";
import type { Finding } from "../../report.js";
import { bare, child, endOf, isMember, startOf, type Node } from "../../tree.js";
import { callsIn, inside, newsIn, targetsOf } from "../shared/nodes.js";
import { bothPasses, type BothPasses } from "./both-passes.js";
import { sourceCall } from "./draws.js";
import { flowsOut, isWorkedWith } from "./flows-out.js";
import { countIn, mayHoldCount } from "./held-counts.js";
import { isClock } from "./idle.js";
import { hasSettings, modeIn } from "./modes.js";
import { isKept, isRemembered, type Source } from "./sources.js";

interface Unsteady extends Source {
  /** it is counted or set: told where that is counted or read, and not where the step is asked */
  readonly counts: boolean;
  /** functions between the sweep and the source, that of the source first */
  readonly through: readonly Fn[];
}

/** `told`: what other looks have found; one fault is told once. */
export function* runAgain(
  facts: FileFacts,
  told: readonly Finding[],
): Iterable<Source & { readonly why: Node }> {
  const both = bothPasses(facts);
  if (both === null || !mayGiveElse(facts, both)) return;
  const known = new Map<Fn, Unsteady | null>();
  const done = new Set<Node>();
  for (const [fn, why] of both.again) {
    if (!both.forward.has(fn)) continue;
    const calls = callsInSweep(facts, both, fn);
    // a helper of a step is told with the step
    if (calls.length === 0) continue;
    const found = unsteady(facts, both, fn, known, 0);
    if (found === null) continue;
    const within = [...found.through, ...calls.flatMap(({ home }) => (home === null ? [] : [home]))];
    const isTold = told.some(({ start, end }) =>
      within.some(({ node }) => start >= startOf(node) && end <= endOf(node)),
    );
    const used = calls.find(
      ({ call, home }) =>
        home === null ||
        (!both.reverse.has(home) && both.inSweep(call)) ||
        leavesBehind(facts, call, found.through[0]) ||
        (flowsOut(facts, home, [call]) && isWorkedWith(facts, home, [call])),
    );
    if (isTold || used === undefined) continue;
    // what only draws is right where it stands: it is asked once too often
    const node = isSampler(found, fn) ? used.call : found.node;
    if (done.has(node)) continue;
    done.add(node);
    yield { node, what: node === found.node ? found.what : `\`${fn.name}\` (${found.what})`, why };
  }
}

/** A look before values are followed: something that the sweep runs again draws, counts, or may ask for a mode. */
export const mayGiveElse = (facts: FileFacts, { again }: BothPasses): boolean =>
  hasSettings(facts) ||
  [...again.keys()].some(
    (fn) =>
      mayHoldCount(facts, fn) ||
      [...callsIn(facts, fn), ...newsIn(facts, fn)].some((call) => sourceCall(facts, call) !== null),
  );

/** A draw of its own, handed nothing or named for it: `gaussian()`, `pickSome(list, k)`. */
const isSampler = ({ node, counts, through }: Unsteady, fn: Fn): boolean =>
  !counts &&
  through[0] === fn &&
  !isClock(node) &&
  (fn.params.length === 0 ||
    /sampl|draw|pick|rand|nois|normal|gauss|unif|mask|shuffl|perm|cho(?:ic|os|se)|subset|kick|jitter|coin|flip/i.test(
      fn.name,
    )) &&
  fn.owner === null;

/** `this.replay();`: run for what the steps keep of it, which their backward methods read. */
const leavesBehind = (facts: FileFacts, call: Node, step: Fn): boolean =>
  call.parent?.type === "ExpressionStatement" &&
  step.kind === "method" &&
  partOf(facts.assignments, step.node).some((node) => {
    const target = bare(child(node, "left")!);
    return (
      node.operator === "=" && isMember(target) && bare(child(target, "object")!).type === "ThisExpression"
    );
  });

/** In what the sweep runs and the forward pass does not: `rhsBar(s, t, lam)` beside `rhs(s, t)`. */
function isOnlyOfSweep(facts: FileFacts, both: BothPasses, call: Node): boolean {
  const home = facts.home(call);
  return home !== null && both.again.has(home) && !both.forward.has(home);
}

/** Where the sweep itself calls a function, and not what it runs again. */
const callsInSweep = (
  facts: FileFacts,
  both: BothPasses,
  fn: Fn,
): readonly { readonly call: Node; readonly home: Fn | null }[] =>
  facts
    .once("calls of the sweep by what they run", (file) => {
      const out = new Map<Fn, { call: Node; home: Fn | null }[]>();
      for (const call of file.calls)
        if (both.inSweep(call) || isOnlyOfSweep(file, both, call))
          for (const target of new Set(targetsOf(file, call)))
            out.set(target, [...(out.get(target) ?? []), { call, home: file.home(call) }]);
      return out;
    })
    .get(fn) ?? [];

/** What makes a function give something else each time. */
function unsteady(
  facts: FileFacts,
  both: BothPasses,
  fn: Fn,
  known: Map<Fn, Unsteady | null>,
  depth: number,
): Unsteady | null {
  const before = known.get(fn);
  if (before !== undefined || depth > 4) return before ?? null;
  known.set(fn, null);
  const found = ofOwn(facts, both, fn) ?? ofHelper(facts, both, fn, known, depth);
  known.set(fn, found);
  return found;
}

function ofOwn(facts: FileFacts, both: BothPasses, fn: Fn): Unsteady | null {
  for (const call of [...callsIn(facts, fn), ...newsIn(facts, fn)]) {
    const what = sourceCall(facts, call);
    if (what === null || isKept(facts, call, fn) || isRemembered(facts, call, fn)) continue;
    if (flowsOut(facts, fn, [call])) return { node: call, what, counts: false, through: [fn] };
  }
  const mode = modeIn(facts, both, fn);
  if (mode !== null) return { ...mode, counts: true, through: [fn] };
  const count = countIn(facts, fn);
  if (count === null || !flowsOut(facts, fn, count.uses)) return null;
  if (count.resets.some((store) => both.setsBack(store))) return null;
  return { node: count.node, what: count.what, counts: true, through: [fn] };
}

function ofHelper(
  facts: FileFacts,
  both: BothPasses,
  fn: Fn,
  known: Map<Fn, Unsteady | null>,
  depth: number,
): Unsteady | null {
  for (const call of callsIn(facts, fn)) {
    // of methods of one name any may be run
    const helper = targetsOf(facts, call).find(
      (one) => one !== fn && !inside(call, one.node) && unsteady(facts, both, one, known, depth + 1) !== null,
    );
    const deep = helper === undefined ? null : unsteady(facts, both, helper, known, depth + 1);
    if (helper === undefined || deep === null) continue;
    if (isKept(facts, call, fn) || !flowsOut(facts, fn, [call])) continue;
    const through = [...deep.through, fn];
    return deep.counts
      ? { ...deep, through }
      : { node: call, what: `\`${helper.name}\` (${deep.what})`, counts: false, through };
  }
  return null;
}
