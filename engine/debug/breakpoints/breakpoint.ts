/** One breakpoint of any kind: its places, and when it holds there. */
import type { Debuggee } from "../debuggee.js";
import { evaluate, truth } from "../expression/evaluate.js";
import { parseExpression, type Expression } from "../expression/parse.js";
import { ExpressionError } from "../expression/tokens.js";
import { parseHitCount, type HitTest } from "./hit-count.js";
import { logText, parseLogMessage, type LogMessage } from "./log-message.js";
import type { Places } from "./places.js";

/** As a client asks for it; empty texts are none. */
export interface Terms {
  readonly condition?: string | undefined;
  readonly hitCondition?: string | undefined;
  readonly logMessage?: string | undefined;
}

export type Verdict =
  | { readonly kind: "pass" }
  | { readonly kind: "log"; readonly text: string }
  /** `problem`: the condition could not be evaluated, which is shown rather than passed over */
  | { readonly kind: "stop"; readonly problem: string | null };

const PASS: Verdict = { kind: "pass" };
const STOP: Verdict = { kind: "stop", problem: null };

export class Breakpoint {
  private readonly condition: Expression | null;
  private readonly hits: HitTest | null;
  private readonly message: LogMessage | null;
  /** with a condition and a hit count: number of places that hold before each index, as far as known, by part */
  private readonly counts: [number[], number[]] = [[0], [0]];

  /** Throws `ExpressionError` where the condition, hit condition or log message is wrong. */
  constructor(
    readonly id: number,
    readonly reason: string,
    readonly places: Places,
    terms: Terms,
  ) {
    this.condition = terms.condition?.trim() ? parseExpression(terms.condition) : null;
    this.hits = terms.hitCondition?.trim() ? parseHitCount(terms.hitCondition) : null;
    if (terms.hitCondition?.trim() && this.hits === null)
      throw new ExpressionError(
        `"${terms.hitCondition}" is no hit count: write 3, = 3, > 3, >= 3, < 3, <= 3 or % 3`,
        1,
      );
    this.message = terms.logMessage ? parseLogMessage(terms.logMessage) : null;
  }

  /** It stops at each of its places: no condition, no hit count, no log message. */
  get always(): boolean {
    return this.condition === null && this.hits === null && this.message === null;
  }

  /** What happens when the place of this index is reached. */
  verdict(debuggee: Debuggee, index: number): Verdict {
    const context = this.context(debuggee, index);
    let problem: string | null = null;
    if (this.condition !== null) {
      try {
        if (!truth(evaluate(this.condition, context))) return PASS;
      } catch (error) {
        if (!(error instanceof ExpressionError)) throw error;
        problem = error.message;
      }
    }
    if (this.hits !== null && !this.hits(this.hitAt(debuggee, index))) return PASS;
    if (this.message !== null) return { kind: "log", text: logText(this.message, context) };
    return problem === null ? STOP : { kind: "stop", problem };
  }

  private context(debuggee: Debuggee, index: number) {
    const { position, focus } = this.places;
    return { debuggee, position: position[index], focus: focus[index] };
  }

  /**
   * Which hit of its part (forward, reverse sweep) the place is, from 1. The sweep is recorded, so this is a property of
   * the place: going back and forth changes nothing.
   */
  private hitAt(debuggee: Debuggee, index: number): number {
    const { forward } = this.places;
    const start = index < forward ? 0 : forward;
    if (this.condition === null) return index - start + 1;
    const counts = this.counts[index < forward ? 0 : 1];
    for (let i = start + counts.length - 1; i <= index; i++)
      counts.push(counts[i - start] + (this.holds(debuggee, i) ? 1 : 0));
    return counts[index - start + 1];
  }

  private holds(debuggee: Debuggee, index: number): boolean {
    try {
      return truth(evaluate(this.condition!, this.context(debuggee, index)));
    } catch (error) {
      if (error instanceof ExpressionError) return true;
      throw error;
    }
  }
}
