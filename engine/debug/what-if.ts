/**
 * A what-if: the sweep from one node on, as it would go with another cotangent there. What the node had received does not
 * change; what it hands on does, by the recorded local derivatives: contribution = cotangent × local derivative.
 */
import { rounder, type Rounder } from "../ops/dtype.js";
import { overwrites } from "../report/overwrites.js";
import { parseAccumulation, total, type SumMode } from "../sweep/accumulate.js";
import { useIndex, type UseIndex } from "../sweep/paths.js";
import { arrayAt } from "../trace/arrays.js";
import { Event } from "../trace/events.js";
import { nodeTitle } from "../trace/read.js";
import type { Trace } from "../trace/trace.js";
import { NoAnswer } from "./no-answer.js";

/**
 * The trace with another cotangent at a node; rows of everything before and beside it are those of the true sweep.
 * Throws `NoAnswer` where the way back leads through an array operation, whose local derivative is no number.
 *
 * @param cotangent the node's final cotangent, a number
 */
export function whatIfCotangent(trace: Trace, node: number, cotangent: number): Trace {
  if (isArrayNode(trace, node))
    throw new NoAnswer(`${nodeTitle(trace, node)} is an array: a what-if sets the cotangent of a number`);
  return new Resweep(trace, node, cotangent).run();
}

function isArrayNode(trace: Trace, node: number): boolean {
  return arrayAt(trace, trace.nodes.value[node]) !== null;
}

class Resweep {
  private readonly bar: Float64Array;
  private readonly changed: Uint8Array;
  /** contributions into changed nodes so far, in the order of arrival */
  private readonly terms = new Map<number, number[]>();
  private readonly mean: number[] = [];
  private readonly value: Int32Array;
  private readonly round: Rounder | null;
  private readonly mode: SumMode;
  private uses: UseIndex | null = null;

  constructor(
    private readonly trace: Trace,
    private readonly node: number,
    private readonly cotangent: number,
  ) {
    const { nodes, events, header } = trace;
    this.bar = new Float64Array(nodes.n);
    this.changed = new Uint8Array(nodes.n);
    this.value = events.value.slice();
    const { cotangentDtype } = header.options;
    this.round = cotangentDtype === "f64" ? null : rounder(cotangentDtype);
    this.mode = modeOf(header.options.accumulation);
  }

  run(): Trace {
    const { trace } = this;
    const { events, values } = trace;
    const feeds = this.fed();
    for (let row = 0; row < events.n; row++) {
      const kind = events.kind[row];
      const node = events.node[row];
      if (kind === Event.seed && feeds[node] === 1) this.termsOf(node).push(values.mean[events.value[row]]);
      else if (kind === Event.contribute) this.contribute(row, node, feeds[node] === 1);
      else if (kind === Event.final) this.finish(row, node);
    }
    const mean = new Float64Array(values.n + this.mean.length);
    mean.set(values.mean);
    mean.set(this.mean, values.n);
    return { ...trace, values: { n: mean.length, mean }, events: { ...events, value: this.value } };
  }

  /** 1 at nodes whose cotangent depends on the changed one. */
  private fed(): Uint8Array {
    const { edges, nodes } = this.trace;
    const fed = new Uint8Array(nodes.n);
    fed[this.node] = 1;
    // consumers ascend and an operand is older than its consumer, so one pass from the end meets every child first
    for (let e = edges.n - 1; e >= 0; e--) if (fed[edges.to[e]] === 1) fed[edges.from[e]] = 1;
    return fed;
  }

  private termsOf(node: number): number[] {
    let terms = this.terms.get(node);
    if (terms === undefined) this.terms.set(node, (terms = []));
    return terms;
  }

  private contribute(row: number, node: number, fed: boolean): void {
    if (!fed) return;
    const { edges, events, values } = this.trace;
    const edge = events.edge[row];
    const child = edges.to[edge];
    const before = events.value[row];
    let flows = before < 0 ? 0 : values.mean[before];
    if (this.changed[child] === 1 && before >= 0) {
      if (edges.local[edge] < 0 || isArrayNode(this.trace, node))
        throw new NoAnswer(
          `the way back from ${nodeTitle(this.trace, this.node)} leads through ${nodeTitle(this.trace, child)}, an array operation, whose local derivative is no number`,
        );
      const product = this.bar[child] * values.mean[edges.local[edge]];
      flows = this.round === null ? product : this.round(product);
      this.value[row] = this.add(flows);
    }
    const terms = this.termsOf(node);
    if (overwrites(this.trace, node)) terms.length = 0;
    terms.push(flows);
  }

  private finish(row: number, node: number): void {
    const before = this.trace.events.value[row];
    const known = before < 0 ? 0 : this.trace.values.mean[before];
    const terms = this.terms.get(node);
    let bar = known;
    if (node === this.node) bar = this.round === null ? this.cotangent : this.round(this.cotangent);
    else if (terms !== undefined && this.reaches(node)) bar = total(this.mode, terms, this.round);
    this.terms.delete(node);
    this.bar[node] = bar;
    if (Object.is(bar, known)) return;
    this.changed[node] = 1;
    this.value[row] = this.add(bar);
  }

  /** Some child's cotangent changed, so that the sum has to be added anew. */
  private reaches(node: number): boolean {
    const { changed, trace } = this;
    const { start, edge } = (this.uses ??= useIndex(trace));
    for (let i = start[node]; i < start[node + 1]; i++)
      if (changed[trace.edges.to[edge[i]]] === 1) return true;
    return false;
  }

  private add(value: number): number {
    return this.trace.values.n + this.mean.push(value) - 1;
  }
}

/** Modes that lose contributions add elsewhere; another engine's mode is taken for a plain sum. */
function modeOf(text: string): SumMode {
  try {
    const mode = parseAccumulation(text).kind;
    return mode === "last-writer-wins" ? "sum" : mode;
  } catch {
    return "sum";
  }
}
