/** Which faulty sweep predicts what an engine says: for all operations, or for some found one by one. */
import type { Foreign } from "./engine.js";
import { agrees, type Observation } from "./observe.js";
import type { Scope, Simulator } from "./simulate.js";

/** Part of the graphs that a prediction must meet when none meets all. */
const MOST = 0.9;

export interface Fit {
  readonly simulator: Simulator;
  readonly scope: Scope;
  /** part of all graphs, and of the wrong ones */
  readonly score: number;
}

function scoreOf(foreign: Foreign, simulator: Simulator, scope: Scope, seen: readonly Observation[]): number {
  let met = 0;
  for (const one of seen) if (agrees(foreign, one, simulator.predict(one.tape, scope))) met++;
  return met / seen.length;
}

/** True if this fault, and not another one that the engine has too, is what a graph shows. */
export function explains(
  foreign: Foreign,
  { simulator, scope }: Pick<Fit, "simulator" | "scope">,
  shown: Observation | null,
): boolean {
  return shown === null || agrees(foreign, shown, simulator.predict(shown.tape, scope));
}

/**
 * The faulty sweep that says what the engine says; of those that meet all graphs the first.
 *
 * @param shown a graph that it must meet, whatever else it meets
 */
export function bestFit(
  foreign: Foreign,
  simulators: readonly Simulator[],
  seen: readonly Observation[],
  shown: Observation | null = null,
): Fit | null {
  const wrong = seen.filter((one) => one.wrong);
  if (wrong.length === 0) return null;
  let best: Fit | null = null;
  for (const simulator of simulators) {
    if (!explains(foreign, { simulator, scope: null }, shown)) continue;
    const score = scoreOf(foreign, simulator, null, seen);
    if (score === 1) return { simulator, scope: null, score };
    if (scoreOf(foreign, simulator, null, wrong) < 0.5) continue;
    if (best === null || score > best.score) best = { simulator, scope: null, score };
  }
  const scoped = inSomeOperations(foreign, simulators, seen, shown);
  if (scoped !== null && (best === null || scoped.score > best.score)) best = scoped;
  return best !== null && best.score >= MOST ? best : null;
}

/** The fault in some operations only: added one by one while the prediction gets better. */
function inSomeOperations(
  foreign: Foreign,
  simulators: readonly Simulator[],
  seen: readonly Observation[],
  shown: Observation | null,
): Fit | null {
  const used = [...new Set(seen.flatMap(({ graph }) => graph.steps.map(({ op }) => op)))];
  const none = seen.filter((one) => !one.wrong).length / seen.length;
  let best: Fit | null = null;
  for (const simulator of simulators) {
    if (!simulator.scoped) continue;
    let scope = new Set<number>();
    let score = none;
    for (;;) {
      let next: { scope: Set<number>; score: number } | null = null;
      for (const op of used) {
        if (scope.has(op)) continue;
        const wider = new Set(scope).add(op);
        const s = scoreOf(foreign, simulator, wider, seen);
        if (s > score && (next === null || s > next.score)) next = { scope: wider, score: s };
      }
      if (next === null) break;
      ({ scope, score } = next);
      if (score === 1) break;
    }
    if (!explains(foreign, { simulator, scope }, shown)) continue;
    if (score > none && (best === null || score > best.score)) best = { simulator, scope, score };
    if (score === 1) break;
  }
  return best;
}
