/** Sources in functions of both passes, where what they give gets into the value and the derivative. */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import type { Finding } from "../../report.js";
import { child, type Node } from "../../tree.js";
import { valuesOf } from "../../values.js";
import { callsIn, inside, newsIn, runsIn, targetsOf } from "../shared/nodes.js";
import { bothPasses, type BothPasses } from "./both-passes.js";
import { flowsOut, isFactorOf } from "./flows-out.js";
import { countIn, type Count } from "./held-counts.js";
import { isKept, sourceCall, type Source } from "./sources.js";

/** `told`: what other looks have found; one fault is told once. */
export function* runAgain(facts: FileFacts, told: readonly Finding[]): Iterable<Source & { why: Node | null }> {
  const both = bothPasses(facts);
  if (both === null) return;
  const done = new Set<Node>();
  const isTold = (fns: readonly Fn[], node: Node): boolean =>
    done.has(node) ||
    told.some(({ start, end }) =>
      fns.some(({ node: at }) => start >= (at.range?.[0] ?? at.start ?? 0) && end <= (at.range?.[1] ?? at.end ?? 0)),
    );
  for (const [fn, why] of both.again) {
    if (!both.forward.has(fn)) continue;
    const found = unsteady(facts, both, fn, 0);
    if (found === null || isTold([...found.through, fn], found.node)) continue;
    // what a helper draws is told where the step, or the sweep, asks for it
    const helper = [...both.again.keys()].some(
      (other) => other !== fn && both.forward.has(other) && callsIn(facts, other).some((call) => targetsOf(facts, call).includes(fn)),
    );
    if (helper && !found.counts) continue;
    done.add(found.node);
    yield { node: found.node, what: found.what, why };
  }
}
