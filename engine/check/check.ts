/**
 * Derivative check of a graph at its inputs. What is checked is what `run` computes: the same rules, number formats,
 * accumulation and order. What it is checked with is independent of those: evaluations of the graph function in f64.
 */
import type { GraphDefinition, Inputs } from "../graph/definition.js";
import { noMore } from "../graph/arguments.js";
import type { At } from "../graph/point.js";
import { subjectOf } from "../graph/complete.js";
import type { Subject } from "../graph/record.js";
import { displaced } from "./directions.js";
import { elsewhereText, isOfFunction } from "./elsewhere.js";
import { InputLayout } from "./point.js";
import { PointChecker, type PointCheck } from "./point-check.js";
import { checkNote, type CheckNote, type CheckResult } from "./result.js";

export interface CheckAnalysis {
  readonly kind: "check";
}

/** Points tried beside the one asked for. */
const MOVES = 4;

/**
 * Checks at the subject's inputs; at a kink, on the edge of a branch or at a stationary point also at a point near by,
 * because nothing is proved there. Throws BacksweepError, or whatever user code threw.
 */
export function check(subject: Subject, _analysis: CheckAnalysis): CheckResult {
  const layout = new InputLayout(subject);
  const movedFrom: { at: CheckResult["at"]; why: string }[] = [];
  const moves: CheckNote[] = [];
  let x = layout.start;
  let evaluations = 0;
  for (let n = 1; ; n++) {
    const { unfit, ...checked } = checkedAt(subject, layout, x);
    evaluations += checked.evaluations;
    const wrong = checked.notes.some(({ severity }) => severity === "finding");
    const at = layout.named(x);
    if (unfit !== null && !moves.some(({ message }) => message === unfit.why))
      moves.push(checkNote(unfit.code, "warning", unfit.why, unfit.site));
    if (unfit === null || wrong || n > MOVES) {
      return {
        ...checked,
        verdict: wrong ? "failed" : proves(checked) ? "ok" : "proves-nothing",
        at,
        movedFrom,
        evaluations,
        notes: [...moves, ...checked.notes],
      };
    }
    movedFrom.push({ at, why: unfit.why });
    x = displaced(n, layout.start);
  }
}

/** Everything at one point; nothing where the function throws beside it. */
function checkedAt(subject: Subject, layout: InputLayout, x: Float64Array): PointCheck {
  let checker: PointChecker | null = null;
  try {
    checker = new PointChecker(subject, layout, x);
    return checker.run();
  } catch (error) {
    const at = checker?.evaluator.thrownAt ?? (x === layout.start ? null : x);
    if (at === null || !isOfFunction(error)) throw error;
    const message = elsewhereText(layout, at, layout.start, error);
    return {
      dotProducts: [],
      by: "input",
      differences: [],
      taylor: [],
      customRules: [],
      notes: [checkNote("domain", "warning", message, subject.definition.site)],
      evaluations: checker?.evaluator.count ?? 1,
      unfit: null,
    };
  }
}

/** True when something was compared that a wrong derivative would not have passed. */
function proves({ differences, dotProducts }: Omit<PointCheck, "unfit">): boolean {
  // a derivative that is off by more than its quotient, and may be excused for it, has not been shown to be right
  const off = differences.some(
    ({ verdict, off, tolerance }) =>
      verdict === "unclear" && off !== null && tolerance !== null && off > tolerance,
  );
  if (differences.length > 0) return !off && differences.some(({ verdict }) => verdict === "ok");
  return dotProducts.some(({ jvp }) => jvp !== 0);
}

/**
 * Checks the derivatives of a graph: JVP against VJP, every derivative against finite differences (random directions for
 * more than 50 inputs), the order of the Taylor remainder, and every `custom` primitive's own rules. `verdict` is "ok",
 * "failed" or "proves-nothing"; `notes` say what was found and where.
 *
 * @param at inputs that differ from the definition's
 * @throws BacksweepError for a bad input, or whatever the graph function threw
 */
export function checkGradient<I extends Inputs>(
  definition: GraphDefinition<I>,
  at?: At<I>,
  ...surplus: never[]
): CheckResult {
  noMore("checkGradient(graph, at)", surplus);
  return check(subjectOf(definition as unknown as GraphDefinition, at), { kind: "check" });
}
