/**
 * The symbolic view: a graph's derivative as an expression with shared subexpressions kept, its size with and without
 * sharing, and its value beside those of the reverse sweep and of difference quotients. Reverse mode is the symbolic
 * derivative evaluated with sharing; written out as a tree it swells (Griewank and Walther 2008, section 1.3).
 */
import { Evaluator } from "../check/evaluate.js";
import { InputLayout } from "../check/point.js";
import { LinePlan } from "../expr/lines.js";
import { textOf } from "../expr/print.js";
import { sharedSize, TreeSizes, type TreeSize } from "../expr/size.js";
import { valuesOf } from "../expr/values.js";
import { nameOrNothing, noMore } from "../graph/arguments.js";
import { subjectOf } from "../graph/complete.js";
import { tellCuts } from "../graph/warnings.js";
import type { GraphDefinition, Inputs } from "../graph/definition.js";
import { NodeNames } from "../graph/node-names.js";
import { recordedNotes, remark } from "../graph/notes.js";
import { mergeSeeds } from "../graph/outputs.js";
import type { At } from "../graph/point.js";
import type { Recording, Subject } from "../graph/record.js";
import type { Remark } from "../report/report.js";
import { flatten, type FlatTape } from "../sweep/flat.js";
import { cotangentMagnitudes } from "../sweep/magnitudes.js";
import { activeNodes, sweepOrder, type Order } from "../sweep/order.js";
import { reverseSweep, type Seed, type SweepResult } from "../sweep/reverse.js";
import { BacksweepError } from "../trace/failure.js";
import { NodeQuotients } from "./expr-quotients.js";
import type { ExprAnalysis, ExprDerivative, ExprResult, ExprSize } from "./expr-result.js";
import { symbolicSweep, type Symbolic } from "./symbolic.js";

/** Derivatives listed when none is asked for by name. */
const MOST_DERIVATIVES = 50;
/** A tree of more entries is no text to read, and its depth no recursion. */
const MOST_EXPANDED = 2_000;
/** Relative to the contributions that are summed: what rounding may differ in. */
const SAME = 1e-9;
/** Relative to what a cotangent would be if nothing cancelled: rounding further up the graph, in any order. */
const ROUNDING = 16 * Number.EPSILON;
/** What a difference quotient of results that underflow may be off by. */
const UNDERFLOW = 1e-290;

/**
 * Differentiates symbolically what the graph function recorded, in f64.
 *
 * @throws BacksweepError `option` for a node that is none or is not part of the output, `definition` for array operations
 */
export function expr(subject: Subject, analysis: ExprAnalysis): ExprResult {
  return new Expressions(subject, analysis).result();
}

class Expressions {
  private readonly layout: InputLayout;
  private readonly evaluator: Evaluator;
  private readonly recording: Recording;
  private readonly flat: FlatTape;
  private readonly names: NodeNames;
  private readonly seeds: readonly Seed[];
  private readonly active: Uint8Array;
  private readonly sweep: SweepResult;
  private readonly symbolic: Symbolic;
  private readonly values: Float64Array;
  private readonly magnitude: Float64Array;
  private readonly sizes: TreeSizes;
  private readonly output: string;
  private readonly quotients: NodeQuotients;
  private readonly notes: Remark[] = [];

  constructor(
    private readonly subject: Subject,
    private readonly analysis: ExprAnalysis,
  ) {
    this.layout = new InputLayout(subject);
    this.evaluator = new Evaluator(subject, this.layout, this.layout.start);
    this.recording = this.evaluator.first;
    const { recorder, outputs } = this.recording;
    const { customRules } = recorder;
    this.flat = flatten(recorder.tape);
    this.names = this.named();
    this.seeds = mergeSeeds(outputs);
    const outputNodes = this.seeds.map((seed) => seed.node);
    this.active = activeNodes(this.flat, outputNodes);
    const nameOf = (v: number): string => this.nameOf(v);
    const order = sweepOrder(this.flat, this.active, outputNodes, subject.settings.order as Order, nameOf);
    const textName = (v: number): string | null => this.names.text(v);
    this.symbolic = symbolicSweep(this.flat, this.active, order, this.seeds, customRules, textName);
    this.sweep = reverseSweep(this.flat, {
      order,
      seeds: this.seeds,
      accumulation: { kind: "sum" },
      round: null,
      customRules,
      assigns: null,
    });
    this.magnitude = cotangentMagnitudes(this.flat, order, this.seeds, customRules);
    this.values = valuesOf(this.symbolic.store);
    this.sizes = new TreeSizes(this.symbolic.store);
    this.output = outputNodes.length === 1 ? nameOf(outputNodes[0]) : "L";
    const given = subject.definition.given === true;
    this.quotients = new NodeQuotients(this.evaluator, this.layout, this.flat, this.seeds, given);
    this.explain();
  }

  private named(): NodeNames {
    const { recorder, outputs } = this.recording;
    const names = new NodeNames(this.flat.n, recorder);
    for (const [node, name] of recorder.inputNames) names.give(node, name);
    for (const { node, key } of outputs) {
      if (node < 0 || names.has(node)) continue;
      names.give(node, key === null ? "L" : typeof key === "number" ? `L[${key}]` : key);
    }
    return names;
  }

  private nameOf(node: number): string {
    return this.names.text(node) ?? `#${node}`;
  }

  private explain(): void {
    const { recorder, outputs } = this.recording;
    const { settings, definition } = this.subject;
    const say = (message: string): void => void this.notes.push(remark("meaning", message));
    if (this.seeds.length > 1 || outputs.some(({ cotangent }) => cotangent !== 1)) {
      const sum = this.seeds.map(({ node, cotangent }) => `${cotangent} * ${this.nameOf(node)}`);
      const shown = sum.length > 6 ? `${sum.slice(0, 6).join(" + ")} + ...` : sum.join(" + ");
      say(`differentiated is the sum of the outputs times their cotangents, ${shown}`);
    }
    if (settings.dtype !== "f64" || settings.cotangentDtype !== "f64")
      say("values are computed in f64 here, whatever the number format of the run");
    if (settings.accumulate.startsWith("last-writer-wins"))
      say("the sums are complete here, whatever the accumulation of the run");
    if (recorder.customRules.size > 0)
      say("f' stands for the derivative of a primitive of your own, f'0 and f'1 for those in its operands");
    if (definition.given === true)
      say("the values and local derivatives of a tape([...]) are given: its derivative is in numbers");
    this.notes.push(...recordedNotes(recorder));
  }

  /** The nodes asked for. */
  private targets(): { nodes: number[]; omitted: number } {
    const wanted = this.analysis.node;
    if (wanted !== null) return { nodes: [this.find(wanted)], omitted: 0 };
    const all = this.recording.inputs.flatMap(({ first, count }) =>
      Array.from({ length: count }, (_, i) => first + i),
    );
    return { nodes: all.slice(0, MOST_DERIVATIVES), omitted: Math.max(0, all.length - MOST_DERIVATIVES) };
  }

  private find(wanted: string): number {
    const { n } = this.flat;
    for (let v = 0; v < n; v++) if (this.names.text(v) === wanted) return v;
    const id = /^#?\d+$/.test(wanted) ? Number(wanted.replace("#", "")) : n;
    if (id < n) return id;
    const known: string[] = [];
    for (let v = 0; v < n && known.length <= 6; v++) {
      const name = this.names.text(v);
      if (name !== null) known.push(name);
    }
    const shown = `${known.slice(0, 6).join(", ")}${known.length > 6 ? ", ..." : ""}`;
    throw new BacksweepError("option", `there is no node "${wanted}"; there are ${shown}`);
  }

  result(): ExprResult {
    const { symbolic, seeds, analysis } = this;
    const { store } = symbolic;
    const zero = store.number(0);
    const { nodes, omitted } = this.targets();
    const entries = nodes.map((v) => (symbolic.cotangent[v] < 0 ? zero : symbolic.cotangent[v]));
    const outputs = seeds.map((seed) => symbolic.node[seed.node]);
    const plan = new LinePlan(store, entries, outputs, this.entryNames(), symbolic.reverse);
    const cotangents = this.cotangentNames();
    const lines = plan.lines(analysis.limit).map(({ part, name, text, entry }) => ({
      part,
      name,
      text,
      value: this.values[entry],
      cotangent: part === "reverse" ? (cotangents.get(entry) ?? null) : null,
    }));
    const derivatives = nodes.map((v, i) => this.derivative(v, entries[i], plan.result(entries[i])));
    return {
      output: this.output,
      outputs: seeds.length,
      value: seeds.reduce((sum, { node, cotangent }) => sum + cotangent * this.flat.value[node], 0),
      at: this.recording.inputs
        .flatMap(({ first, count }) => Array.from({ length: count }, (_, i) => first + i))
        .slice(0, MOST_DERIVATIVES)
        .map((v) => ({ name: this.nameOf(v), value: this.flat.value[v] })),
      lines,
      totals: plan.totals,
      derivatives,
      omitted,
      outputSize: this.sizeOf(outputs),
      together: this.sizeOf(entries),
      agree: derivatives.every(({ agree }) => agree),
      notes: this.notes,
    };
  }

  private sizeOf(entries: readonly number[]): ExprSize {
    const sizes = this.sizesOf(entries);
    return {
      shared: sharedSize(this.symbolic.store, entries),
      expanded: sizes.exact === null ? null : sizes.exact.toString(),
      expandedLog10: sizes.log10,
    };
  }

  private sizesOf(entries: readonly number[]): TreeSize {
    return this.sizes.total(entries);
  }

  /** The program's names of entries; of two nodes that are the same expression the first. */
  private entryNames(): Map<number, string> {
    const out = new Map<number, string>();
    const { node } = this.symbolic;
    for (let v = 0; v < this.flat.n; v++) {
      const name = node[v] < 0 ? null : this.names.text(v);
      if (name !== null && !out.has(node[v])) out.set(node[v], name);
    }
    return out;
  }

  private cotangentNames(): Map<number, string> {
    const out = new Map<number, string>();
    const { cotangent } = this.symbolic;
    for (let v = 0; v < this.flat.n; v++) {
      const name = cotangent[v] < 0 ? null : this.names.text(v);
      if (name !== null && !out.has(cotangent[v])) out.set(cotangent[v], `d${this.output}/d${name}`);
    }
    return out;
  }

  private derivative(v: number, entry: number, text: string): ExprDerivative {
    const { store } = this.symbolic;
    const reverse = this.active[v] === 1 ? this.sweep.cotangent[v] : 0;
    const symbolic = this.values[entry];
    const size = this.sizeOf([entry]);
    const small =
      size.expanded !== null && Number(size.expanded) <= Math.min(this.analysis.expand, MOST_EXPANDED);
    const room = SAME * this.scaleOf(v) + ROUNDING * this.magnitude[v];
    const { value: numerical, error: numericalError, why } = this.quotients.of(v);
    const near = (x: number, room: number): boolean =>
      x === reverse || (x !== x && reverse !== reverse) || Math.abs(x - reverse) <= room;
    return {
      node: this.nameOf(v),
      name: `d${this.output}/d${this.nameOf(v)}`,
      text,
      tree: small ? textOf(store, entry, () => null) : null,
      reverse,
      symbolic,
      numerical,
      numericalError,
      why,
      ...size,
      agree:
        near(symbolic, room) &&
        (numerical === null || near(numerical, 8 * numericalError + room + UNDERFLOW)),
    };
  }

  /** Sum of the magnitudes of what is added up in a node's cotangent. */
  private scaleOf(v: number): number {
    let sum = 0;
    for (const seed of this.seeds) if (seed.node === v) sum += Math.abs(seed.cotangent);
    const { edgeFrom, edgeTo } = this.flat;
    for (let e = 0; e < edgeFrom.length; e++) {
      if (edgeFrom[e] === v && this.active[edgeTo[e]] === 1) sum += Math.abs(this.sweep.contribution[e]);
    }
    return sum;
  }
}

/** Lines that `expression` gives of each part, and the size up to which it writes a derivative out. */
const LINES = 1_000;
const WRITTEN_OUT = 60;

/**
 * The derivative of a graph's output as an expression with shared subexpressions kept: its lines, its sizes shared and
 * written out, and its value beside those of the reverse sweep and of a difference quotient.
 *
 * @param node name or id of the node it is taken in; absent: every input
 * @param at inputs that differ from the definition's
 * @throws BacksweepError for a bad input or an unknown node, or whatever the graph function threw
 */
export function expression<I extends Inputs>(
  definition: GraphDefinition<I>,
  node?: string,
  at?: At<I>,
  ...surplus: never[]
): ExprResult {
  noMore("expression(graph, node, at)", surplus);
  nameOrNothing("expression(graph, node, at)", node);
  const subject = subjectOf(definition as unknown as GraphDefinition, at);
  const result = expr(subject, { kind: "expr", node: node ?? null, limit: LINES, expand: WRITTEN_OUT });
  tellCuts(result.notes);
  return result;
}
