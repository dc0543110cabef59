/** The outputs as a function of one node's value, all later operations of the tape repeated: no input can move that node. */
import type { Evaluation } from "../check/evaluate.js";
import type { CustomRule } from "../ops/recorder.js";
import { primitives } from "../ops/table.js";
import type { FlatTape } from "../sweep/flat.js";
import type { Seed } from "../sweep/reverse.js";
import { OP_CUSTOM, OP_GIVEN } from "../tape/tape.js";

export class MovedNode {
  private readonly values: Float64Array;

  constructor(
    private readonly flat: FlatTape,
    private readonly node: number,
    private readonly seeds: readonly Seed[],
    private readonly customRules: ReadonlyMap<number, CustomRule>,
  ) {
    this.values = flat.value.slice();
  }

  /** The weighted sum of the outputs where the node is `x`. */
  at(x: number): Evaluation {
    const { flat, node, values } = this;
    values[node] = x;
    for (let v = node + 1; v < flat.n; v++)
      if (flat.edgeStart[v] < flat.edgeStart[v + 1]) values[v] = this.again(v);
    let value = 0;
    let size = 0;
    for (const seed of this.seeds) {
      const term = seed.cotangent === 0 ? 0 : seed.cotangent * values[seed.node];
      value += term;
      size += Math.abs(term);
    }
    return { value, size, crossing: null };
  }

  private operand(entry: number): number {
    const reference = this.flat.operand[entry];
    return reference >= 0 ? this.values[reference] : this.flat.constants[~reference];
  }

  private again(v: number): number {
    const { flat } = this;
    const first = flat.operandStart[v];
    const end = flat.operandStart[v + 1];
    const op = flat.op[v];
    if (op === OP_CUSTOM) {
      const operands = Array.from({ length: end - first }, (_, slot) => this.operand(first + slot));
      return this.customRules.get(v)!.forward(operands);
    }
    if (op === OP_GIVEN) {
      // nothing but its value and its slopes is known of it
      let value = flat.value[v];
      for (let k = first; k < end; k++) {
        value += flat.givenLocal![k] * (this.operand(k) - flat.value[flat.operand[k]]);
      }
      return value;
    }
    const a = this.operand(first);
    const b = end - first > 1 ? this.operand(first + 1) : 0;
    const c = end - first > 2 ? this.operand(first + 2) : 0;
    return primitives[op].value(a, b, c);
  }
}
