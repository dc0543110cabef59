/** Difference quotients for the symbolic view, one a node: of the graph function for an input, else of the tape's end. */
import type { Evaluator } from "../check/evaluate.js";
import type { InputLayout } from "../check/point.js";
import { lineQuotients, type Along } from "../check/quotients.js";
import type { FlatTape } from "../sweep/flat.js";
import type { Seed } from "../sweep/reverse.js";
import { MovedNode } from "./moved.js";

/** A quotient, or why there is none. */
export type Numerical =
  | { readonly value: number; readonly error: number; readonly why: null }
  | { readonly value: null; readonly error: null; readonly why: string };

/** Operations all quotients together may take, about, and evaluations one of them takes. */
const OPERATIONS = 1e7;
const EVALUATIONS = 60;

const none = (why: string): Numerical => ({ value: null, error: null, why });

export class NodeQuotients {
  private left: number;

  constructor(
    private readonly evaluator: Evaluator,
    private readonly layout: InputLayout,
    private readonly flat: FlatTape,
    private readonly seeds: readonly Seed[],
    private readonly given: boolean,
  ) {
    this.left = Math.floor(OPERATIONS / EVALUATIONS / Math.max(1, flat.n));
  }

  of(v: number): Numerical {
    if (this.given) return none("the values are given");
    if (this.left-- <= 0) return none("too many operations to repeat");
    const input = this.inputIndex(v);
    const along = input < 0 ? this.alongNode(v) : this.alongInput(input);
    const start = this.flat.value[v];
    const base = along(0);
    if (!Number.isFinite(base.value) || !Number.isFinite(start)) return none("the value is not finite");
    const { central, kink, edge } = lineQuotients(along, base, start);
    if (kink !== null) return none("not differentiable here");
    if (edge !== null) return none("on the edge of a branch");
    if (central === null) return none("no step can be used");
    return { value: central.value, error: central.error, why: null };
  }

  /** Index of an input's element in the vector of all of them, -1 for other nodes. */
  private inputIndex(v: number): number {
    let index = 0;
    for (const { first, count } of this.evaluator.first.inputs) {
      if (v >= first && v < first + count) return index + v - first;
      index += count;
    }
    return -1;
  }

  private alongInput(index: number): Along {
    const { start } = this.layout;
    const weights = this.evaluator.weights;
    return (t) => {
      const x = start.slice();
      x[index] += t;
      return { ...this.evaluator.at(x, weights), t: x[index] - start[index] };
    };
  }

  private alongNode(v: number): Along {
    const start = this.flat.value[v];
    const moved = new MovedNode(this.flat, v, this.seeds, this.evaluator.first.recorder.customRules);
    return (t) => {
      const x = start + t;
      return { ...moved.at(x), t: x - start };
    };
  }
}
