/** One complete run from a program: no loader, no limits, in tape order, the fastest. */
import type { GraphDefinition, InputValue } from "./definition.js";
import { resolveOptions, type AskedOptions } from "./options.js";
import type { Subject } from "./record.js";
import { GraphRun, type RunOutcome } from "./run.js";

const context = { name: "graph", graphs: ["graph"], root: "", limitBytes: Infinity };

/** The options of a query at a point. */
export function asked(at: object | undefined, order: AskedOptions["order"] = "tape"): AskedOptions {
  return { order, ...(at === undefined ? {} : { set: at as Record<string, InputValue> }) };
}

/** A definition at a point as an analysis takes it. */
export function subjectOf(definition: GraphDefinition, at: object | undefined): Subject {
  if (definition.wrong !== undefined) throw definition.wrong;
  return { definition, settings: resolveOptions(definition, asked(at)), context };
}

/** Records, sweeps and reports. */
export function run(definition: GraphDefinition, options: AskedOptions): RunOutcome {
  if (definition.wrong !== undefined) throw definition.wrong;
  return new GraphRun(definition, resolveOptions(definition, options), context).run();
}
