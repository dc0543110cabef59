/**
 * Derivative rules as recorded operations: what a sweep inside a running graph function is made of. A local derivative is
 * the expression the table has for it, applied to traced numbers, so that it can be differentiated again.
 */
import { derivativeExpression } from "../expr/derivative.js";
import { compare, type Condition, type Expression, type Relation } from "../expr/expression.js";
import { opcode, primitives } from "../ops/table.js";
import type { Recorder } from "../ops/recorder.js";
import { isTraced, primal, type Operand } from "../tape/traced.js";

const ADD = opcode("add");
const MUL = opcode("mul");
const DIV = opcode("div");
const NEG = opcode("neg");

/** How a decision is called in the table of decisions. */
const RELATIONS: Readonly<Record<Relation, string>> = {
  "<": "<",
  "<=": "<=",
  ">": ">",
  ">=": ">=",
  "==": "===",
  "!=": "!==",
};

/** Records operations at one place, for one recording. Operations on plain numbers alone are computed. */
export class RecordedRules {
  /** place and scope that operations get from now on */
  site = -1;
  scope = 0;
  /** called with every operation recorded */
  onRecorded: ((made: Operand) => void) | null = null;

  constructor(private readonly recorder: Recorder) {}

  private round(x: number): number {
    return this.recorder.round === null ? x : this.recorder.round(x);
  }

  apply(op: number, operands: readonly Operand[]): Operand {
    if (!operands.some(isTraced)) {
      const [a, b = 0, c = 0] = operands.map((x) => this.round(x as number));
      return this.round(primitives[op].value(a, b, c));
    }
    const made = this.recorder.apply(op, operands, this.site, this.scope);
    this.onRecorded?.(made);
    return made;
  }

  add(a: Operand, b: Operand): Operand {
    return this.apply(ADD, [a, b]);
  }

  /** The partial derivative of a primitive in a slot. */
  local(op: number, slot: number, operands: readonly Operand[], y: Operand): Operand {
    return new Evaluation(this, this.recorder, operands, y).of(
      derivativeExpression(primitives[op].name, slot),
    );
  }

  /**
   * `g` times a local derivative; null where that is the number 0: through a piece that was not taken nothing flows,
   * which is not 0 times the cotangent.
   */
  times(g: Operand, local: Operand): Operand | null {
    if (local === 0) return null;
    if (local === 1) return g;
    if (local === -1) return this.apply(NEG, [g]);
    return g === 1 ? local : this.apply(MUL, [g, local]);
  }

  /** `g` times the local derivative of a primitive in a slot, or null as above. */
  pull(op: number, slot: number, g: Operand, operands: readonly Operand[], y: Operand): Operand | null {
    const expression = derivativeExpression(primitives[op].name, slot);
    const evaluation = new Evaluation(this, this.recorder, operands, y);
    // g / b rather than g * (1 / b): one rounding, and no overflow on the way
    if (expression.kind === "apply" && expression.op === "div" && isOne(expression.args[0])) {
      return this.apply(DIV, [g, evaluation.of(expression.args[1])]);
    }
    return this.times(g, evaluation.of(expression));
  }
}

function isOne(x: Expression): boolean {
  return x.kind === "number" && x.value === 1;
}

/** One expression at one node: a part that stands in it more than once is recorded once. */
class Evaluation {
  private readonly known = new Map<Expression, Operand>();

  constructor(
    private readonly rules: RecordedRules,
    private readonly recorder: Recorder,
    private readonly operands: readonly Operand[],
    private readonly y: Operand,
  ) {}

  of(expression: Expression): Operand {
    switch (expression.kind) {
      case "number":
        return expression.value;
      case "output":
        return this.y;
      case "operand":
        return this.operands[expression.slot];
      case "if":
        return this.of(this.holds(expression.test) ? expression.yes : expression.no);
      case "apply": {
        let made = this.known.get(expression);
        if (made === undefined) {
          const args = expression.args.map((arg) => this.of(arg));
          made = this.rules.apply(opcode(expression.op), args);
          this.known.set(expression, made);
        }
        return made;
      }
    }
  }

  /** Conditions are decisions of the recording, as those of the user's code are. */
  private holds(condition: Condition): boolean {
    switch (condition.kind) {
      case "and":
        return this.holds(condition.left) && this.holds(condition.right);
      case "or":
        return this.holds(condition.left) || this.holds(condition.right);
      case "truth": {
        const x = this.of(condition.of);
        const outcome = Boolean(primal(x));
        if (isTraced(x)) this.decide("truth", x, 0, outcome);
        return outcome;
      }
      case "compare": {
        const a = this.of(condition.left);
        const b = this.of(condition.right);
        const outcome = compare(condition.relation, primal(a), primal(b));
        if (isTraced(a) || isTraced(b)) this.decide(RELATIONS[condition.relation], a, b, outcome);
        return outcome;
      }
    }
  }

  private decide(op: string, a: Operand, b: Operand, outcome: boolean): void {
    this.recorder.decision(op, a, b, outcome, this.rules.site, this.rules.scope);
  }
}
