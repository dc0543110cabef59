/**
 * Operations that an engine makes of others: `square(a)` as `mul(a, a)`. By itself such an operation has a wrong
 * derivative, though its rules are right, when contributions are lost inside it: then the loss is the fault.
 */
import type { Foreign } from "./engine.js";
import { truthOf, type AuditGraph } from "./graph.js";
import { Listener } from "./listen.js";
import { afterOf, nodeFinder } from "./slots.js";

const assignments: ReadonlySet<string> = new Set(["=", "set", "with", "spread"]);

const near = (a: number, b: number): boolean =>
  Math.abs(a - b) <= 1e-5 * Math.max(Math.abs(a), Math.abs(b)) + 1e-12;

/**
 * True where what was assigned over, added to what is left, is the right gradient of every input that has a wrong one.
 *
 * @param graph one operation on leaves that are used once
 */
export function overwritesWithin(foreign: Foreign, graph: AuditGraph): boolean {
  const outcome = foreign.run(graph, { listener: new Listener() });
  if (outcome.trouble !== null) return false;
  const truth = truthOf(graph, foreign.operations, outcome.made);
  const find = nodeFinder(outcome, foreign.form);
  let explained = false;
  for (let v = 0; v < graph.inputs.length; v++) {
    const want = truth.cotangent[v];
    const got = outcome.gradient[v];
    if (got === null || want.length !== 1) return false;
    if (near(got[0], want[0])) continue;
    let lost = 0;
    for (const write of outcome.writes) {
      if (write.phase !== "backward" || !assignments.has(write.operator) || find(write) !== v) continue;
      if (typeof write.before === "number" && Number.isFinite(afterOf(write))) lost += write.before;
    }
    if (lost === 0 || !near(lost + got[0], want[0])) return false;
    explained = true;
  }
  return explained;
}
