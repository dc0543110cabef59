/**
 * A recording over integer handles: the fastest way to a gradient. A handle is the number of a node (from 0 on, in order of
 * recording) or, below 0, a constant. Operations are methods of the names in the table of primitives; they come generated
 * from it, bound to memory that the compiler of the host knows as constant (`generated.ts`, `create.ts`).
 *
 *     const t = recording();
 *     const x = t.input(3);
 *     const y = t.mul(t.sin(x), t.constant(2));
 *     t.value(y); t.gradient(y); t.contributions(x);
 *
 * Double precision, sum in arrival order, nodes swept in recording order backwards (Griewank and Walther 2008, algorithm 3.4).
 */
import { primitives } from "../ops/table.js";
import { BacksweepError } from "../trace/failure.js";
import { checkDecisions, Decisions, type Comparison } from "./decisions.js";
import { nativeSweeps } from "./native.js";
import { Replayer } from "./replayer.js";
import type { Handle } from "./store.js";
import { SweptRecording } from "./sweeping.js";

export type { Handle } from "./store.js";
export type { ArrivedContribution } from "./sweeping.js";

export abstract class RecordingBase extends SweptRecording {
  private readonly decisions = new Decisions();

  protected abstract clear(): void;
  /** Computes the values of the nodes from `start` to before `end` anew, in JavaScript. */
  protected abstract forward(start: number, end: number): void;

  /** Any primitive of the table by name. Throws `no-rule` for an unknown one. */
  apply(name: string, ...operands: readonly Handle[]): Handle {
    const row = primitives.find((entry) => entry.name === name);
    if (row === undefined) throw new BacksweepError("no-rule", `there is no primitive "${name}"`);
    if (operands.length !== row.arity)
      throw this.wrong(`${name} takes ${row.arity} operands, ${operands.length} given`);
    return (this as unknown as Record<string, (...xs: readonly Handle[]) => Handle>)[name](...operands);
  }

  /**
   * Compares two values and notes the outcome, so that a replay knows when the program would have gone another way. A
   * program that branches on `value()` instead must not be replayed.
   */
  decide(a: Handle, comparison: Comparison, b: Handle): boolean {
    return this.decisions.add(comparison, a, b, this.value(a), this.value(b));
  }

  /**
   * Computes all values anew for other inputs, in the order they were made.
   *
   * @throws BacksweepError `definition` if a recorded decision falls otherwise: the recording must then be made anew
   */
  replay(inputs: ArrayLike<number>): void {
    const { firsts, counts } = this;
    const total = this.inputCount;
    if (inputs.length !== total) throw this.wrong(`replay: ${total} inputs, ${inputs.length} values given`);
    const { value } = this.columns();
    let at = 0;
    for (let i = 0; i < firsts.length; i++)
      for (let k = 0; k < counts[i]; k++) value[firsts[i] + k] = inputs[at++];
    this.unswept();
    this.broken = null;
    this.ahead(this.length);
    this.broken = checkDecisions(this.decisions, (x) => this.value(x));
    this.intact();
  }

  /**
   * Makes the recording ready for many evaluations of one output. It is a copy: this recording may go on, or be reset.
   *
   * @param output a node or constant
   */
  replayer(output: Handle): Replayer {
    this.intact();
    this.known(output, "replayer");
    const { op, a, b, value } = this.columns();
    return new Replayer(
      {
        length: this.length,
        op,
        a,
        b,
        value,
        constants: Float64Array.from({ length: this.constantCount() }, (_, k) => this.value(~k)),
        args: this.args.flat(),
        inputs: this.firsts.map((first, i) => [first, this.counts[i]] as const),
        decisions: this.decisions.copy(),
      },
      output,
    );
  }

  private ahead(end: number): void {
    const native = nativeSweeps(this.columns(), end);
    if (native === null) this.forward(0, end);
    else native.forward(end, (node) => this.forward(node, node + 1));
  }

  /** Forgets everything, keeps the memory: the next evaluation records from 0 on. */
  override reset(): void {
    this.clear();
    this.args.clear();
    this.argContribution.clear();
    this.decisions.clear();
    this.firsts.length = 0;
    this.counts.length = 0;
    this.unswept();
    this.broken = null;
  }

  /** Everything that the short way of an operation does not do: more memory, and bad handles. */
  protected slow(code: number, ...operands: readonly Handle[]): Handle {
    const row = primitives[code];
    for (const x of operands) this.known(x, row.name);
    this.grow();
    const again = (this as unknown as Record<string, (...xs: readonly Handle[]) => Handle>)[row.name];
    return again.apply(this, operands as Handle[]);
  }

  /** Records a primitive of three operands, which keeps them in the side table. */
  protected ternary(code: number, a: Handle, b: Handle, c: Handle): Handle {
    const row = primitives[code];
    const operands = [a, b, c];
    for (const x of operands) this.known(x, row.name);
    const first = this.args.length;
    for (const x of operands) {
      this.args.push(x);
      this.argContribution.push(0);
    }
    const [x, y, z] = operands.map((h) => this.value(h));
    return this.append(code, first, 3, row.value(x, y, z), this.siteNow());
  }
}
