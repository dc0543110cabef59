/** Reverse sweeps over a recording, and what can be asked after one: cotangents, contributions, Hessian-vector products. */
import { primitives } from "../ops/table.js";
import { nativeSweeps } from "./native.js";
import { pullTangents, pushTangents } from "./second-order.js";
import { RecordingStore, type Handle } from "./store.js";

/** What a use of a node hands to its cotangent. */
export interface ArrivedContribution {
  /** the consumer */
  readonly from: Handle;
  readonly slot: number;
  readonly value: number;
}

/** What forward over reverse gives, by input. */
export interface SecondProduct {
  /** derivative of the output along the direction */
  readonly jvp: number;
  readonly gradient: Float64Array;
  /** H v */
  readonly product: Float64Array;
}

export abstract class SweptRecording extends RecordingStore {
  /** the node the last sweep began at, -1 without one */
  private swept = -1;
  private outputs: readonly Handle[] = [];
  /** the last sweep was for second derivatives, whose tangents lie where contributions would */
  private twice = false;

  /** The reverse sweep from node `start` down to `end`, in JavaScript. */
  protected abstract reverse(start: number, end: number): void;

  /**
   * One reverse sweep from an output, or from several with a cotangent each.
   *
   * @param cotangent seed of the sweep, 1 everywhere if not given
   */
  sweep(output: Handle | readonly Handle[], cotangent: number | readonly number[] = 1): void {
    const start = this.seed(output, cotangent, "sweep");
    this.argContribution.fill(0);
    const native = nativeSweeps(this.columns(), start + 1);
    if (native === null) this.reverse(start, 0);
    else native.reverse(start, (node) => this.reverse(node, node));
  }

  /** Begins a sweep: cotangents of the outputs, -0 elsewhere. Answers the last output. */
  private seed(
    output: Handle | readonly Handle[],
    cotangent: number | readonly number[],
    what: string,
  ): number {
    this.intact();
    const outputs = typeof output === "number" ? [output] : output;
    if (typeof cotangent !== "number" && cotangent.length !== outputs.length)
      throw this.wrong(`${what}: ${outputs.length} outputs, ${cotangent.length} cotangents`);
    let start = -1;
    for (const x of outputs) {
      this.known(x, what);
      if (x > start) start = x;
    }
    const bar = this.columns().cotangent;
    // not 0: what nothing arrived at is told from what adds up to nothing
    bar.fill(-0, 0, start + 1);
    outputs.forEach((x, i) => {
      const seed = typeof cotangent === "number" ? cotangent : cotangent[i];
      if (x >= 0) bar[x] = bar[x] + seed + 0;
    });
    this.swept = start;
    this.outputs = outputs;
    this.twice = false;
    return start;
  }

  /** Forgets the last sweep. */
  protected unswept(): void {
    this.swept = -1;
    this.outputs = [];
    this.twice = false;
  }

  /** Sweeps, and gives the derivative in every input, in the order they were made. */
  gradient(output: Handle | readonly Handle[], cotangent: number | readonly number[] = 1): Float64Array {
    this.sweep(output, cotangent);
    const { firsts, counts, swept } = this;
    const bar = this.columns().cotangent;
    const out = new Float64Array(this.inputCount);
    let at = 0;
    for (let i = 0; i < firsts.length; i++) {
      const end = Math.min(firsts[i] + counts[i], swept + 1);
      for (let v = firsts[i], k = at; v < end; v++, k++) out[k] = bar[v] + 0;
      at += counts[i];
    }
    return out;
  }

  /** dL/d(node) by the last sweep; 0 for a node on no path to the output, and for a constant. */
  cotangent(x: Handle): number {
    this.wasSwept("cotangent");
    this.known(x, "cotangent");
    return x < 0 || x > this.swept ? 0 : this.columns().cotangent[x] + 0;
  }

  /** The same for `count` nodes in a row. */
  cotangents(first: Handle, count: number): Float64Array {
    this.wasSwept("cotangents");
    const out = new Float64Array(count);
    const bar = this.columns().cotangent;
    const end = Math.min(first + count, this.swept + 1);
    for (let v = first, i = 0; v < end; v++, i++) out[i] = bar[v] + 0;
    return out;
  }

  /** What the node handed to each of its operands in the last sweep; 0 for operands that are constants. */
  handedOn(v: Handle): number[] {
    this.wasSwept("handedOn");
    this.once("handedOn");
    this.known(v, "handedOn");
    if (!this.leads(v)) return this.operands(v).map(() => 0);
    return this.operands(v).map((x, slot) => (x < 0 ? 0 : this.contributionAt(v, slot)));
  }

  /** What each use of a node handed to it in the last sweep, in order of arrival; their sum is the cotangent. */
  contributions(x: Handle): ArrivedContribution[] {
    this.wasSwept("contributions");
    this.once("contributions");
    this.known(x, "contributions");
    const out: ArrivedContribution[] = [];
    for (let from = this.swept; from > x && x >= 0; from--) {
      if (!this.leads(from)) continue;
      this.operands(from).forEach((operand, slot) => {
        if (operand === x) out.push({ from, slot, value: this.contributionAt(from, slot) });
      });
    }
    return out;
  }

  /**
   * The Hessian of an output (of the sum of several, each times its cotangent) times a direction, by tangents forward and
   * one reverse sweep of cotangents and their tangents (Griewank and Walther 2008, section 5.2). Contributions are not kept.
   *
   * @param direction tangent of every input, in the order they were made
   * @returns by input: `gradient` and `product`; `jvp` is the derivative of the output along the direction
   */
  hvp(
    output: Handle | readonly Handle[],
    direction: ArrayLike<number>,
    cotangent: number | readonly number[] = 1,
  ): SecondProduct {
    const nodes = new Int32Array(this.inputCount);
    if (direction.length !== nodes.length)
      throw this.wrong(`hvp: ${nodes.length} inputs, ${direction.length} tangents given`);
    let at = 0;
    this.firsts.forEach((first, i) => {
      for (let k = 0; k < this.counts[i]; k++) nodes[at++] = first + k;
    });
    return this.hvpOf(output, nodes, direction, cotangent);
  }

  /** The same with tangents of the nodes that are listed, for which it answers. */
  hvpOf(
    output: Handle | readonly Handle[],
    nodes: ArrayLike<number>,
    direction: ArrayLike<number>,
    cotangent: number | readonly number[] = 1,
  ): SecondProduct {
    const start = this.seed(output, cotangent, "hvp");
    const memory = this.columns();
    const { contribution: lane, cotangent: bar, mask } = memory;
    // -0: no direction reaches the node
    lane.fill(-0, 0, 2 * (start + 1));
    lane.fill(-0, 2 * (mask + 1 - this.constantCount()));
    this.twice = true;
    const count = nodes.length;
    for (let i = 0; i < count; i++)
      if (nodes[i] <= start && direction[i] !== 0) lane[2 * nodes[i]] = direction[i];
    pushTangents(memory, this.args, start + 1);
    const weight = (i: number): number => (typeof cotangent === "number" ? cotangent : cotangent[i]);
    let jvp = 0;
    this.outputs.forEach((x, i) => (jvp += x < 0 ? 0 : weight(i) * (lane[2 * x] + 0)));
    pullTangents(memory, this.args, start);
    const gradient = new Float64Array(count);
    const product = new Float64Array(count);
    for (let i = 0; i < count; i++) {
      const v = nodes[i];
      if (v > start) continue;
      gradient[i] = bar[v] + 0;
      product[i] = lane[2 * v + 1] + 0;
    }
    return { jvp, gradient, product };
  }

  /** True if a path leads from the node to an output of the last sweep: then something has arrived, be it 0. */
  private leads(v: Handle): boolean {
    return v >= 0 && v <= this.swept && !Object.is(this.columns().cotangent[v], -0);
  }

  private contributionAt(v: number, slot: number): number {
    const { op, a, contribution } = this.columns();
    return primitives[op[v]].arity === 3 ? this.argContribution.at(a[v] + slot) : contribution[2 * v + slot];
  }

  private wasSwept(what: string): void {
    this.intact();
    if (this.outputs.length === 0) throw this.wrong(`${what}: there was no sweep yet`);
  }

  private once(what: string): void {
    if (this.twice) throw this.wrong(`${what}: hvp keeps no contributions; call sweep first`);
  }
}
