/** Sample graphs as the host would send them. */
import { layoutTrace } from "../../../engine/layout/layout.js";
import type { SweepView } from "../../../engine/protocol.js";
import type { MemoryFigure, Note, RunReport } from "../../../engine/report/report.js";
import { Timeline } from "../../../engine/timeline/timeline.js";
import type { Trace } from "../../../engine/trace/trace.js";
import { add, graph, mul, type GraphDefinition } from "../../../engine/index.js";
import { resolveOptions } from "../../../engine/graph/options.js";
import { GraphRun, runGraph } from "../../../engine/graph/run.js";
import { cutRecording } from "../../../extension/partial.js";
import { arrayViews } from "./array-samples.js";
import { besideChanged, besideEngine, besideThrowing } from "./audit-sample.js";
import { scheduleViews } from "./schedule-samples.js";
import * as samples from "./samples.js";
import type { TapeBuilder } from "./tape-builder.js";

const figure: MemoryFigure = { peakCount: 0, peakBytes: 0, atStep: 0 };

function gradientOf(trace: Trace): Record<string, number> {
  const timeline = new Timeline(trace);
  return Object.fromEntries(
    trace.header.inputs.map((input) => [input.name, timeline.cotangent(input.first) ?? 0]),
  );
}

function viewOf(id: number, graph: string, tape: TapeBuilder, mode = "sum", notes: Note[] = []): SweepView {
  const sum = tape.trace("sum", graph);
  const wrong = tape.trace("last-writer-wins", graph);
  const right = gradientOf(sum);
  const report: RunReport = {
    graph,
    graphs: [graph],
    gradient: mode === "sum" ? right : gradientOf(wrong),
    correctGradient: right,
    lastWriterWins: { gradient: gradientOf(wrong) },
    memory: { instructions: figure, primalStates: figure, cotangentBuffers: figure, metadata: figure },
    flops: { forward: 0, reverse: 0, ratio: 0, other: { forward: 0, reverse: 0 } },
    notes,
    finding: notes.some((note) => note.severity === "finding"),
  };
  return {
    id,
    graph,
    graphs: [graph],
    fileLabel: "fan-out.graph.ts",
    uri: "file:///w/fan-out.graph.ts",
    trace: mode === "sum" ? sum : wrong,
    counterpart: mode === "sum" ? wrong : sum,
    report,
    positions: layoutTrace(sum),
  };
}

const nan: Note = {
  code: "non-finite",
  severity: "finding",
  message: "NaN first appears in r = Math.sqrt(d): d is negative",
  node: 3,
  file: "fan-out.graph.ts",
  line: 7,
  column: 3,
  endLine: 7,
  endColumn: 20,
};

/** The real engine's own run of the seed's graph, by explicit calls. */
function engineView(accumulate: "sum" | "last-writer-wins"): SweepView {
  const definition = graph({ x: 2, y: 3 }, ({ x, y }) => {
    const a = mul(x, y);
    return mul(add(a, x), mul(a, y));
  });
  const context = { name: "fanOut", graphs: ["fanOut", "other"], root: "/", limitBytes: Infinity };
  const outcome = runGraph(definition as unknown as GraphDefinition, { accumulate }, context);
  const source = { fileLabel: "fan-out.graph.ts", uri: "file:///w/fan-out.graph.ts" };
  return {
    id: 9,
    graph: "fanOut",
    graphs: context.graphs,
    ...source,
    ...outcome,
    positions: layoutTrace(outcome.trace),
  };
}

/** What the engine recorded of a run that threw after `count` operations, as the host would send it. */
function stoppedView(count: number): SweepView {
  const definition = graph({ x: 2, y: 3 }, ({ x, y }) => {
    let a = mul(x, y);
    for (let i = 1; i < count; i++) a = add(a, x);
    if (count > 0) throw new Error("no luck");
    return a;
  }) as unknown as GraphDefinition;
  const context = { name: "fanOut", graphs: ["fanOut"], root: "/", limitBytes: Infinity };
  const run = new GraphRun(definition, resolveOptions(definition, {}), context);
  try {
    run.run();
  } catch {
    // what was recorded until then is what is wanted
  }
  return {
    id: 100 + count,
    graph: "fanOut",
    graphs: ["fanOut"],
    fileLabel: "fan-out.graph.ts",
    uri: "file:///w/fan-out.graph.ts",
    trace: cutRecording(run.partial()!),
    counterpart: null,
    report: null,
    positions: null,
  };
}

export const views: Record<string, () => SweepView> = {
  fanOut: () => viewOf(1, "fanOut", samples.fanOut()),
  fanOutWrong: () => viewOf(2, "fanOut", samples.fanOut(), "last-writer-wins"),
  threeChildren: () => viewOf(3, "threeChildren", samples.threeChildren()),
  steepPair: () => viewOf(12, "steepPair", samples.steepPair()),
  chain40: () => viewOf(4, "chain", samples.chain(40)),
  random300: () => viewOf(5, "random300", samples.randomDag(260)),
  random5000: () => viewOf(6, "random5000", samples.randomDag(5000)),
  awkward: () => viewOf(7, "<img src=x onerror=alert(1)>", samples.awkward(), "sum", [nan]),
  foreign: () => besideEngine(viewOf(11, "smallest", samples.fanOut())),
  foreignThrew: () => besideThrowing(viewOf(11, "smallest", samples.fanOut())),
  foreignChanged: () => besideChanged(viewOf(11, "smallest", samples.fanOut())),
  engine: () => engineView("sum"),
  engineWrong: () => engineView("last-writer-wins"),
  /** its graph can be drawn, its gradient cannot */
  spoiled: () => ({ ...viewOf(10, "spoiled", samples.threeChildren()), report: {} as RunReport }),
  stopped3: () => stoppedView(3),
  stopped5000: () => stoppedView(5000),
  ...arrayViews,
  ...scheduleViews,
  alone: () => ({ ...viewOf(8, "fanOut", samples.fanOut()), counterpart: null }),
};
