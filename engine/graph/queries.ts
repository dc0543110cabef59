/**
 * Questions to a graph definition from a program: value, gradient, JVP, VJP, contributions, paths. They record the graph
 * anew at the given inputs and sweep in tape order, the fastest.
 */
import { Recorder, withRecorder } from "../ops/recorder.js";
import { rounder } from "../ops/dtype.js";
import { Timeline } from "../timeline/timeline.js";
import { Tape } from "../tape/tape.js";
import { BacksweepError } from "../trace/failure.js";
import { nodeName, nodeTitle } from "../trace/read.js";
import { jvpSweep } from "../sweep/jvp.js";
import { flatten } from "../sweep/flat.js";
import { countPaths, strongestPaths } from "../sweep/paths.js";
import type { Gradient } from "../report/report.js";
import type { GraphDefinition, InputValue, Inputs } from "./definition.js";
import { makeInputs } from "./inputs.js";
import { resolveOptions, type AskedOptions } from "./options.js";
import { readOutputs } from "./outputs.js";
import { GraphRun, type RunOutcome } from "./run.js";
import { seedStream } from "./stream.js";

type At<I extends Inputs> = { readonly [K in keyof I]?: InputValue };

function asked(at: object | undefined, order: AskedOptions["order"] = "tape"): AskedOptions {
  return { order, ...(at === undefined ? {} : { set: at as Record<string, InputValue> }) };
}

function run(definition: GraphDefinition, options: AskedOptions): RunOutcome {
  const context = { name: "graph", graphs: ["graph"], root: "", limitBytes: Infinity };
  return new GraphRun(definition, resolveOptions(definition, options), context).run();
}

/** Records and sweeps a graph; the trace is what every view shows. */
export function sweep<I extends Inputs>(
  definition: GraphDefinition<I>,
  options: AskedOptions = {},
): RunOutcome {
  return run(definition as unknown as GraphDefinition, options);
}

/** The output's value and its gradient in every input, by one reverse sweep. */
export function valueAndGradient<I extends Inputs>(
  definition: GraphDefinition<I>,
  at?: At<I>,
): { value: number | number[]; gradient: { [K in keyof I]: I[K] extends number ? number : number[] } } {
  const { trace, report } = run(definition as unknown as GraphDefinition, asked(at));
  const outputs = trace.header.outputs;
  const value =
    outputs.length === 1 && outputs[0].key === null
      ? outputs[0].value
      : outputs.map((output) => output.value);
  return { value, gradient: report.gradient as never };
}

/** dL/d(input) for every input, by one reverse sweep. */
export function gradient<I extends Inputs>(
  definition: GraphDefinition<I>,
  at?: At<I>,
): { [K in keyof I]: I[K] extends number ? number : number[] } {
  return valueAndGradient(definition, at).gradient;
}

/**
 * u^T J for an output cotangent u (a number for one output, else by index or key), by one reverse sweep.
 */
export function vjp<I extends Inputs>(
  definition: GraphDefinition<I>,
  cotangent: number | readonly number[] | Readonly<Record<string, number>>,
  at?: At<I>,
): Gradient {
  const seeded = {
    ...definition,
    options: { ...definition.options, cotangent },
  } as unknown as GraphDefinition;
  return run(seeded, asked(at)).report.gradient;
}

/**
 * J v for an input tangent v (missing inputs have tangent 0), by one forward sweep. Returns the outputs' values and
 * tangents in output order.
 */
export function jvp<I extends Inputs>(
  definition: GraphDefinition<I>,
  tangents: At<I>,
  at?: At<I>,
): { values: number[]; tangents: number[] } {
  const any = definition as unknown as GraphDefinition;
  const settings = resolveOptions(any, asked(at));
  const recorder = new Recorder(new Tape(), settings.dtype === "f64" ? null : rounder(settings.dtype));
  seedStream(recorder, settings.seed);
  let infos: ReturnType<typeof makeInputs>["infos"] = [];
  const result = withRecorder(recorder, () => {
    const made = makeInputs(recorder, any, settings.set);
    infos = made.infos;
    return (any.fn as (inputs: unknown) => unknown)(made.argument);
  });
  const outputs = readOutputs(recorder, result, undefined, any.site);
  const seeds = new Map<number, number>();
  for (const name of Object.keys(tangents)) {
    const info = infos.find((input) => input.name === name);
    if (info === undefined) throw new BacksweepError("option", `jvp: there is no input "${name}"`);
    const given = (tangents as Record<string, InputValue>)[name];
    const list = typeof given === "number" ? [given] : given;
    if (list.length !== info.count)
      throw new BacksweepError("option", `jvp: the tangent of "${name}" needs ${info.count} numbers`);
    list.forEach((t, i) => seeds.set(info.first + i, t));
  }
  const round = settings.cotangentDtype === "f64" ? null : rounder(settings.cotangentDtype);
  const tangent = jvpSweep(flatten(recorder.tape), seeds, recorder.customRules, round);
  return {
    values: outputs.map((output) => output.value),
    tangents: outputs.map((output) => (output.node < 0 ? 0 : tangent[output.node])),
  };
}

function findNode(outcome: RunOutcome, name: string): number {
  for (let v = 0; v < outcome.trace.nodes.n; v++) if (nodeName(outcome.trace, v) === name) return v;
  throw new BacksweepError("option", `there is no node "${name}"`);
}

export interface ContributionEntry {
  /** the child that pays, by name or expression */
  readonly from: string;
  readonly slot: number;
  readonly local: number;
  readonly value: number;
}

/** What each use hands to a node's cotangent, in the order of the breadth sweep, and the sum. */
export function contributions<I extends Inputs>(
  definition: GraphDefinition<I>,
  node: string,
  at?: At<I>,
): { parts: ContributionEntry[]; sum: number } {
  const outcome = run(definition as unknown as GraphDefinition, asked(at, "breadth"));
  const v = findNode(outcome, node);
  const timeline = new Timeline(outcome.trace);
  const parts = timeline.arrivals(v).map(({ child, slot, local, value }) => ({
    from: nodeTitle(outcome.trace, child),
    slot,
    local,
    value,
  }));
  return { parts, sum: timeline.cotangent(v) ?? 0 };
}

/** Number of paths between two nodes, and the k of largest |product of local derivatives|. */
export function paths<I extends Inputs>(
  definition: GraphDefinition<I>,
  from: string,
  to: string,
  k = 5,
  at?: At<I>,
): { count: bigint; strongest: { nodes: string[]; product: number }[] } {
  const outcome = run(definition as unknown as GraphDefinition, asked(at));
  const start = findNode(outcome, from);
  const end = findNode(outcome, to);
  return {
    count: countPaths(outcome.trace, start, end),
    strongest: strongestPaths(outcome.trace, start, k, end).map(({ nodes, product }) => ({
      nodes: nodes.map((v) => nodeTitle(outcome.trace, v)),
      product,
    })),
  };
}
