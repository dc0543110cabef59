/** Chains run by the real engine under schedules, and a host's answers about them, computed as the real host does. */
import { replay } from "../../../engine/analysis/replay.js";
import { spread } from "../../../engine/analysis/spread.js";
import { steps } from "../../../engine/check/steps.js";
import {
  add,
  chain,
  coupling,
  graph,
  mul,
  sin,
  tanh,
  tensor,
  type GraphDefinition,
} from "../../../engine/index.js";
import { run, subjectOf } from "../../../engine/graph/complete.js";
import { resolveOptions } from "../../../engine/graph/options.js";
import { layoutTrace } from "../../../engine/layout/layout.js";
import type { SweepView } from "../../../engine/protocol.js";
import type { ComparedRow, Question } from "../../../engine/report/questions.js";
import type { Remark } from "../../../engine/report/report.js";
import { pack, bytesOf } from "../../../engine/trace/columns.js";
import { blocksAnswer, planAnswer, tradeOffAnswer } from "../../../extension/schedules.js";

const define = (steps: number): GraphDefinition =>
  graph({ x: 0.5, w: 1.1 }, ({ x, w }) =>
    sin(chain(steps, x, (u, i) => add(tanh(mul(w, u)), mul(0.01 * i, x)), { name: "time" })),
  ) as unknown as GraphDefinition;

function viewOf(id: number, name: string, definition: GraphDefinition, schedule: string): SweepView {
  const outcome = run(definition, { schedule });
  return {
    id,
    graph: name,
    graphs: [name],
    fileLabel: `${name}.graph.ts`,
    uri: `file:///w/${name}.graph.ts`,
    ...outcome,
    positions: layoutTrace(outcome.trace),
  };
}

const fan = graph({ x: 0.1, y: 0.3 }, ({ x, y }) => {
  const a = mul(x, y);
  return add(add(add(mul(a, 1e8), sin(a)), mul(a, -1e8)), tanh(a));
}) as unknown as GraphDefinition;

/** A stack of reversible layers. */
const layers = graph({ x: tensor([0.4, -0.7]), y: tensor([1.1, 0.2]), w: 0.8 }, ({ x, y, w }) => {
  const layer = coupling(
    (half) => tanh(half.mul(w)),
    (half) => sin(half.mul(1.3)),
  );
  const [a, b] = chain(8, [x, y], layer, { name: "layers" });
  return add(a.square().sum(), b.sum());
}) as unknown as GraphDefinition;

export const scheduleViews: Record<string, () => SweepView> = {
  chain24: () => viewOf(201, "time", define(24), "revolve:4"),
  chain24plain: () => viewOf(202, "time", define(24), "store-all"),
  chain24tapes: () => viewOf(203, "time", define(24), "uniform-tapes:5"),
  chain24mixed: () => viewOf(204, "time", define(24), "mixed:5"),
  chain6: () => viewOf(205, "time", define(6), "revolve:2"),
  chain16bennett: () => viewOf(206, "time", define(16), "bennett"),
  coupled: () => viewOf(209, "coupled", layers, "reversible"),
  chain6bennett: () => viewOf(210, "time", define(6), "bennett"),
  fan: () => viewOf(208, "fan", fan, "store-all"),
};

const definitions: Readonly<Record<string, GraphDefinition>> = { time: define(24), fan, coupled: layers };

/** What a host answers, as the message it sends. */
export function replyTo(request: number, call: Question, name: string): object {
  try {
    const { packed, columns } = pack(answer(call, name));
    return {
      type: "reply",
      request,
      ok: true,
      packed,
      columns: columns.map((column) => bytesOf(column).slice()),
    };
  } catch (error) {
    return {
      type: "reply",
      request,
      ok: false,
      error: error instanceof Error ? error.message : String(error),
    };
  }
}

/** As of a module that was compiled: explicit calls have no place in a text. */
const kink: Remark = {
  code: "kink",
  severity: "warning",
  message: "relu(u) at 0 has no derivative: 0 is taken",
  node: 3,
  file: "/w/time.graph.ts",
  line: 5,
  column: 9,
  endLine: 5,
  endColumn: 16,
};

/** As a host's row, but for what only a process of its own can tell. */
function comparedRow(definition: GraphDefinition, schedule: string, i: number): ComparedRow {
  const { checkpoint } = run(definition, { schedule }).report;
  const executed = checkpoint?.regions[0]?.executed ?? null;
  const steps = checkpoint?.regions[0]?.steps ?? 0;
  return {
    schedule,
    failure: null,
    counts: {
      steps,
      peakStates: executed?.peakStates ?? 1,
      peakTapes: executed?.peakTapes ?? steps,
      totalForwards: executed?.totalForwards ?? steps,
      extraForwards: executed?.extraForwards ?? 0,
      replays: executed?.replays ?? 0,
    },
    allocatedBytes: checkpoint?.allocatedBytes.peak ?? null,
    measured: { before: 58 * 2 ** 20, peak: (61.5 + i) * 2 ** 20, elapsedMs: 10 + 3 * i },
    distance: { equal: true, worst: null },
    reversible: false,
    remarks: [],
  };
}

function answer(call: Question, name: string): unknown {
  const definition = definitions[name] ?? fan;
  switch (call.kind) {
    case "plan":
      return planAnswer(call.steps, call.schedule);
    case "tradeOff":
      return tradeOffAnswer(call.steps);
    case "blocks":
      return blocksAnswer(call.steps);
    case "cuts":
      return { steps: 0 };
    case "compare":
      return {
        reference: "store-all",
        rows: Array.from(
          new Set(["store-all", ...(call.schedules ?? ["sqrt", "revolve:5", "mixed:5"])]),
          (name, i) => comparedRow(definition, name, i),
        ),
        notes: [kink],
      };
    case "replay":
      return replay(
        {
          ...subjectOf(definition, undefined),
          settings: resolveOptions(definition, { schedule: call.schedule }),
        },
        {
          kind: "replay",
          stream: "matched",
          dtype: null,
          accumulate: null,
        },
      );
    case "steps":
      return steps(subjectOf(definition, undefined), { kind: "steps", input: call.input });
    case "spread":
      return spread(subjectOf(definition, undefined), { kind: "spread", node: call.node });
  }
}
