/**
 * Derivative check of a graph at its inputs. What is checked is what `run` computes: the same rules, number formats,
 * accumulation and order. What it is checked with is independent of those: evaluations of the graph function in f64.
 */
import type { GraphDefinition, Inputs } from "../graph/definition.js";
import { noMore } from "../graph/arguments.js";
import type { At } from "../graph/point.js";
import { subjectOf } from "../graph/complete.js";
import type { Subject } from "../graph/record.js";
import { branchAt, pointBeside } from "./beside.js";
import { elsewhereText, isOfFunction, pointTexts } from "./elsewhere.js";
import type { Crossing, Evaluator } from "./evaluate.js";
import { InputLayout } from "./point.js";
import type { Unfit } from "./unfit.js";
import { PointChecker, type PointCheck } from "./point-check.js";
import { checkNote, type CheckNote, type CheckResult, type MovedFrom } from "./result.js";

export interface CheckAnalysis {
  readonly kind: "check";
}

/** Points tried beside the one asked for. */
const MOVES = 4;

/**
 * Checks at the subject's inputs; at a kink, on the edge of a branch, at the edge of the domain or at a stationary point
 * also at a point near by, because nothing is proved there. Throws BacksweepError, or whatever user code threw.
 */
export function check(subject: Subject, _analysis: CheckAnalysis): CheckResult {
  const layout = new InputLayout(subject);
  const movedFrom: MovedFrom[] = [];
  const moves: CheckNote[] = [];
  let asked: Evaluator | null = null;
  let x = layout.start;
  let evaluations = 0;
  for (let n = 1; ; n++) {
    const { point, evaluator } = checkedAt(subject, layout, x, n > MOVES);
    const { unfit, ...checked } = x === layout.start ? point : besideOnly(point);
    evaluations += checked.evaluations;
    asked ??= evaluator;
    const wrong = checked.notes.some(({ severity }) => severity === "finding");
    const at = layout.named(x);
    if (unfit !== null && !moves.some(({ message }) => message === unfit.why))
      moves.push(checkNote(unfit.code, "warning", unfit.why, unfit.site));
    if (unfit === null || wrong || n > MOVES) {
      const other = x === layout.start ? null : otherBranch(layout, x, asked);
      return {
        ...checked,
        verdict: wrong
          ? "failed"
          : isOpen(unfit) || other !== null || !proves(checked)
            ? "proves-nothing"
            : "ok",
        at,
        movedFrom,
        sameBranch: other === null,
        evaluations,
        notes: [...moves, ...(other === null ? [] : [other]), ...checked.notes],
      };
    }
    movedFrom.push({ at, code: unfit.code, why: unfit.why });
    const before = asked!.count;
    x = pointBeside(n, layout, asked!);
    evaluations += asked!.count - before;
  }
}

/** NaN at a point of the check's own is no finding about the one asked for: it is left for another. */
function besideOnly(point: PointCheck): PointCheck {
  if (!point.notes.some(({ code }) => code === "non-finite")) return point;
  const notes = point.notes.filter(({ code }) => code !== "non-finite");
  const why =
    "beside this point the function or its derivative is NaN or infinite: nothing is compared there";
  return { ...point, notes, unfit: { code: "domain", why, site: -1 } };
}

/** True where the last point that was tried has derivatives nothing could be compared with. */
function isOpen(unfit: Unfit | null): boolean {
  return unfit?.code === "branch" || unfit?.code === "domain";
}

/** What is told where the point that was checked is on another branch than the one asked for. */
function otherBranch(layout: InputLayout, x: Float64Array, asked: Evaluator | null): CheckNote | null {
  let crossing: Crossing | null;
  try {
    crossing = asked === null ? null : branchAt(asked, x);
  } catch (error) {
    // a point where it throws has said so itself
    if (!isOfFunction(error)) throw error;
    return null;
  }
  if (crossing === null) return null;
  const { here, there } = pointTexts(layout, x, layout.start);
  const message =
    `the derivatives shown at ${there} were not checked: at ${here}, where there is something to check, ` +
    `the function takes another branch`;
  return checkNote("branch", "warning", message, crossing.site);
}

/** Everything at one point; nothing where the function throws beside it. */
function checkedAt(
  subject: Subject,
  layout: InputLayout,
  x: Float64Array,
  last: boolean,
): { point: PointCheck; evaluator: Evaluator | null } {
  let checker: PointChecker | null = null;
  try {
    checker = new PointChecker(subject, layout, x, last);
    return { point: checker.run(), evaluator: checker.evaluator };
  } catch (error) {
    const at = checker?.evaluator.thrownAt ?? (x === layout.start ? null : x);
    if (at === null || !isOfFunction(error)) throw error;
    const message = elsewhereText(layout, at, layout.start, error);
    const point: PointCheck = {
      dotProducts: [],
      by: "input",
      differences: [],
      taylor: [],
      customRules: [],
      notes: [checkNote("domain", "warning", message, subject.definition.site)],
      evaluations: checker?.evaluator.count ?? 1,
      unfit: null,
    };
    return { point, evaluator: checker?.evaluator ?? null };
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
