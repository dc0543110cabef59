/** Chains so deep that a recursion over them overflows the stack. */
import type { Foreign } from "./engine.js";
import { judge, type Judged } from "./judge.js";
import { deepChain } from "./visits.js";

/** A chain every engine must get through, and one that few recursions do. */
const DEEP = 2_000;
const DEEPER = 20_000;
/** A chain that takes longer is not followed by a deeper one. */
const SLOW_CHAIN_MS = 150;
/** Four times as deep a chain takes about four times as long; one that takes more than this grows with the square. */
const STEEP = 8;
const SHORT_MS = 2;

/** What a deep chain does to an engine: a fault with how long the chain was, or a note. */
export interface DeepFinding {
  readonly judged: Judged | null;
  readonly detail: string;
  readonly note: string | null;
}

function timed(foreign: Foreign, depth: number, shape: readonly number[], turns: number): number {
  const graph = deepChain(foreign, depth, shape);
  let best = Infinity;
  for (let k = 0; graph !== null && k < turns; k++) {
    const started = performance.now();
    foreign.run(graph);
    best = Math.min(best, performance.now() - started);
  }
  return best;
}

/**
 * An engine that keeps a matrix of all nodes is right and would need gigabytes for the deeper chain: it is not asked for
 * that, and what it throws there is a note.
 */
export function deepFinding(foreign: Foreign, shape: readonly number[]): DeepFinding | null {
  for (const depth of [DEEP, DEEPER]) {
    const graph = deepChain(foreign, depth, shape);
    if (graph === null) return null;
    const started = performance.now();
    const judged = judge(foreign, graph, foreign.run(graph));
    const took = performance.now() - started;
    const { symptom } = judged;
    const chain = `a chain of ${depth.toLocaleString("en-US")} operations`;
    const trouble = symptom?.kind === "trouble" ? symptom.trouble : null;
    if (trouble !== null && depth === DEEPER) {
      const note =
        trouble.kind === "overflow"
          ? `${chain} overflows the stack: the recursion is as deep as the graph`
          : `${chain} could not be run: ${trouble.message}`;
      return { judged: null, detail: "", note };
    }
    if (symptom !== null) return { judged, detail: `on ${chain}`, note: null };
    if (took > SLOW_CHAIN_MS) return null;
    if (depth === DEEP && took > SHORT_MS) {
      const best = Math.min(took, timed(foreign, DEEP, shape, 2));
      if (best > STEEP * timed(foreign, DEEP / 4, shape, 3)) return null;
    }
  }
  return null;
}
