/**
 * Questions to a graph definition from a program: this is their one address. They record the graph anew at the given
 * inputs; derivatives are swept in tape order, the fastest.
 */
import type { GradientValue } from "../report/report.js";
import { Timeline } from "../timeline/timeline.js";
import { arrayAt, nestedElements } from "../trace/arrays.js";
import { BacksweepError } from "../trace/failure.js";
import { withJson } from "../trace/plain-json.js";
import { nodeName, nodeTitle } from "../trace/read.js";
import type { Trace } from "../trace/trace.js";
import { countPaths, strongestPaths } from "../sweep/paths.js";
import { noMore, onlyOptions } from "./arguments.js";
import { asked, run } from "./complete.js";
import { tellCuts } from "./warnings.js";
import type { GraphDefinition, Inputs } from "./definition.js";
import type { AskedOptions } from "./options.js";
import type { At } from "./point.js";
import type { RunOutcome } from "./run.js";

export { gradient, valueAndGradient } from "./gradient.js";
export { hessian, hessianDiagonal, hvp, type Hvp } from "./hessians.js";
export { jacobian, type Jacobian, type JacobianMode, type JacobianOptions } from "./jacobian.js";
export { jvp, vjp } from "./products.js";
export { spread, type SpreadTable } from "./spread.js";

const sweepOptions = [
  "set",
  "seed",
  "schedule",
  "dtype",
  "cotangentDtype",
  "accumulate",
  "order",
  "cotangent",
  "given",
];

/** Records and sweeps a graph; the trace is what every view shows. */
export function sweep<I extends Inputs>(
  definition: GraphDefinition<I>,
  options: AskedOptions = {},
  ...surplus: never[]
): RunOutcome {
  onlyOptions("sweep", sweepOptions, options, 'sweep(graph, { order: "tape" })');
  noMore("sweep(graph, options)", surplus);
  return told(run(definition as unknown as GraphDefinition, options));
}

function told(outcome: RunOutcome): RunOutcome {
  tellCuts(outcome.report.notes);
  return outcome;
}

/** The names of variables are seen where the loader rewrites the file, and a call there has a place. */
const UNNAMED =
  "; no variable has a name here: they get them where the file is loaded with node --import backsweep/register";

function findNode(
  outcome: RunOutcome,
  name: string,
  { site, given }: { site: number; given?: true },
): number {
  for (let v = 0; v < outcome.trace.nodes.n; v++) if (nodeName(outcome.trace, v) === name) return v;
  throw new BacksweepError(
    "option",
    `there is no node "${name}"${site < 0 && given !== true ? UNNAMED : ""}`,
  );
}

export interface ContributionEntry {
  /** the child that pays, by name or expression */
  readonly from: string;
  readonly slot: number;
  /** NaN where the child is an array operation: its local derivative is no number */
  readonly local: number;
  /** nested arrays for a node that is an array */
  readonly value: GradientValue;
}

/**
 * What each use hands to a node's cotangent, in the order of the breadth sweep, and the sum.
 *
 * @throws BacksweepError `option` for an unknown node, or an array too large to be kept whole
 */
export function contributions<I extends Inputs>(
  definition: GraphDefinition<I>,
  node: string,
  at?: At<I>,
  ...surplus: never[]
): { parts: ContributionEntry[]; sum: GradientValue } {
  noMore("contributions(graph, node, at)", surplus);
  const outcome = told(run(definition as unknown as GraphDefinition, asked(at, "breadth")));
  const v = findNode(outcome, node, definition);
  const timeline = new Timeline(outcome.trace);
  const { trace } = outcome;
  const parts = timeline.arrivals(v).map(({ edge, child, slot, local }) => ({
    from: nodeTitle(trace, child),
    slot,
    local,
    value: wholeValue(trace, timeline.contributionRow(edge), node),
  }));
  const sum = timeline.cotangentRow(v);
  return { parts, sum: sum < 0 ? 0 : wholeValue(trace, sum, node) };
}

/** A value of the trace with all its elements. */
function wholeValue(trace: Trace, row: number, node: string): GradientValue {
  if (row < 0) return 0;
  const array = arrayAt(trace, row);
  if (array === null) return trace.values.mean[row];
  const nested = nestedElements(array);
  if (nested !== null) return nested as GradientValue;
  throw new BacksweepError(
    "option",
    `contributions: "${node}" is an array of ${array.size} elements, of which a recorded sweep keeps only the first; ask for its gradient`,
  );
}

/**
 * Number of paths between two nodes, and the k of largest |product of local derivatives|. The number is exact, a BigInt, for
 * it doubles with every fan-out; `JSON.stringify` writes it as a number up to 2^53, as a decimal string beyond.
 */
export function paths<I extends Inputs>(
  definition: GraphDefinition<I>,
  from: string,
  to: string,
  k = 5,
  at?: At<I>,
  ...surplus: never[]
): { count: bigint; strongest: { nodes: string[]; product: number }[] } {
  noMore("paths(graph, from, to, k, at)", surplus);
  const outcome = told(run(definition as unknown as GraphDefinition, asked(at)));
  const start = findNode(outcome, from, definition);
  const end = findNode(outcome, to, definition);
  return withJson({
    count: countPaths(outcome.trace, start, end),
    strongest: strongestPaths(outcome.trace, start, k, end).map(({ nodes, product }) => ({
      nodes: nodes.map((v) => nodeTitle(outcome.trace, v)),
      product,
    })),
  });
}
