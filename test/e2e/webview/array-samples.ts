/** Graphs of n-d arrays, run by the real engine through explicit calls and named as their source would name them. */
import { layoutTrace } from "../../../engine/layout/layout.js";
import type { SweepView } from "../../../engine/protocol.js";
import { div, graph, tensor, type GraphDefinition } from "../../../engine/index.js";
import { runGraph } from "../../../engine/graph/run.js";
import type { Trace } from "../../../engine/trace/trace.js";

const data = [
  [0, 0],
  [0, 1],
  [1, 0],
  [1, 1],
];
const weights = [
  [0.8, -0.5, 0.3],
  [0.6, 0.9, -0.7],
];

/** Nodes by the order of recording: [name or null, expression]. */
type Names = readonly (readonly [string | null, string])[];

/** examples/layer.graph.ts */
const layer = graph(
  { W1: weights, b1: Float64Array.of(0.1, -0.2, 0.05), W2: [[1.1], [-0.8], [0.4]], b2: 0.2 },
  ({ W1, b1, W2, b2 }) => {
    const hidden = tensor(data).matmul(W1).add(b1).tanh();
    const error = hidden
      .matmul(W2)
      .add(b2)
      .sub(tensor([0, 1, 1, 0], [4, 1]));
    return div(error.square().sum(), 4);
  },
);
const layerNames: Names = [
  ["W1", "W1"],
  ["b1", "b1"],
  ["W2", "W2"],
  ["b2", "b2"],
  [null, "data.matmul(W1)"],
  [null, "data.matmul(W1).add(b1)"],
  ["hidden", "data.matmul(W1).add(b1).tanh()"],
  [null, "hidden.matmul(W2)"],
  ["output", "hidden.matmul(W2).add(b2)"],
  ["error", "output.sub(wanted)"],
  [null, "error.square()"],
  [null, "error.square().sum()"],
  ["loss", "error.square().sum() / 4"],
];

/** A fan-out of an array: s hands back through both slots of a product, d through a difference. */
const fan = graph({ W: weights, x: 0.5 }, ({ W, x }) => {
  const a = W.mul(x);
  const s = a.mul(a);
  const d = a.sub(W);
  return s.add(d).sum();
});
const fanNames: Names = [
  ["W", "W"],
  ["x", "x"],
  ["a", "W * x"],
  ["s", "a * a"],
  ["d", "a - W"],
  [null, "s + d"],
  ["L", "(s + d).sum()"],
];

/** More elements than are kept, one of them infinite: a's cotangent has no running sum. */
const big = graph(
  { v: Float64Array.from({ length: 5000 }, (_, i) => (i === 7 ? Infinity : i / 5000)) },
  ({ v }) => {
    const a = v.mul(2);
    return a.mul(3).add(a.mul(-1)).add(a.mul(2)).sum();
  },
);
const bigNames: Names = [
  ["v", "v"],
  ["a", "v * 2"],
  ["p", "a * 3"],
  ["q", "a * -1"],
  [null, "p + q"],
  ["r", "a * 2"],
  [null, "p + q + r"],
  ["L", "(p + q + r).sum()"],
];

/** An array handed back as the result: the sweep starts with an array of ones. */
const output = graph({ w: [[1, 2, 3, 4, 5, 6]] }, ({ w }) => w.mul(2));
const outputNames: Names = [
  ["w", "w"],
  ["y", "w * 2"],
];

function named(trace: Trace, names: Names): Trace {
  const strings = [...trace.strings];
  const id = (text: string): number => strings.push(text) - 1;
  const { n } = trace.nodes;
  if (n !== names.length) throw new Error(`${n} nodes, ${names.length} names`);
  const name = Int32Array.from(names, ([text]) => (text === null ? -1 : id(text)));
  const label = Int32Array.from(names, ([, text]) => id(text));
  return { ...trace, strings, nodes: { ...trace.nodes, name, label } };
}

function view(id: number, name: string, definition: unknown, names: Names): SweepView {
  const context = { name, graphs: [name], root: "/", limitBytes: Infinity };
  const outcome = runGraph(definition as GraphDefinition, {}, context);
  const { counterpart } = outcome;
  return {
    id,
    graph: name,
    graphs: [name],
    fileLabel: `${name}.graph.ts`,
    uri: `file:///w/${name}.graph.ts`,
    ...outcome,
    trace: named(outcome.trace, names),
    counterpart: counterpart === null ? null : named(counterpart, names),
    positions: layoutTrace(outcome.trace),
  };
}

export const arrayViews: Record<string, () => SweepView> = {
  layer: () => view(20, "layers", layer, layerNames),
  arrayFan: () => view(21, "fan", fan, fanNames),
  arrayOutput: () => view(23, "output", output, outputNames),
  bigArray: () => view(22, "big", big, bigNames),
};
