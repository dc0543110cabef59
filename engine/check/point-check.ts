/** Every check of a graph at one point: JVP against VJP, difference quotients, Taylor remainders, custom rules. */
import type { Subject } from "../graph/record.js";
import type { RunOutcome } from "../graph/run.js";
import { checkCustomRules } from "./custom-rules.js";
import { direction } from "./directions.js";
import { arrivingAt } from "./arriving.js";
import { dotProductTests } from "./dot-products.js";
import { Evaluator, type Evaluation } from "./evaluate.js";
import { epsilonOf, judge, relativeTolerance } from "./judge.js";
import { dot, dotSize, runAt } from "./linear.js";
import type { InputLayout } from "./point.js";
import { implicitCuts, lineNotes } from "./remarks.js";
import { lineQuotients, powerBelow, type Along, type LineQuotients } from "./quotients.js";
import {
  checkNote,
  checkPlace,
  type CheckNote,
  type CheckResult,
  type CustomRuleCheck,
  type DifferenceCheck,
  type TaylorCheck,
} from "./result.js";
import { remainders, type Ray } from "./remainders.js";
import { kinkNote, unfitOf, type Unfit } from "./unfit.js";

/** Above this many elements of inputs, random directions stand for them. */
const MOST_INPUTS = 50;
/** Random directions that stand for many inputs: at most so many, fewer for graphs that take long. */
const MOST_DIRECTIONS = 20;
const LEAST_DIRECTIONS = 3;
const TAYLOR_DIRECTIONS = 2;
/** Operations all evaluations together may take, about; a sweep along one line takes up to 30 evaluations. */
const OPERATIONS = 3e7;
const EVALUATIONS_A_LINE = 30;

export interface PointCheck extends Omit<CheckResult, "verdict" | "at" | "movedFrom" | "sameBranch"> {
  /** why this point tells nothing, or too little; null: it will do */
  readonly unfit: Unfit | null;
}

/** One check in progress. */
export class PointChecker {
  private readonly notes: CheckNote[] = [];
  readonly evaluator: Evaluator;
  private readonly base: Evaluation;
  private readonly relative: number;
  private readonly epsilon: number;

  constructor(
    private readonly subject: Subject,
    private readonly layout: InputLayout,
    private readonly x: Float64Array,
    /** false: another point will be looked at, so that at a kink a quotient that disagrees is no finding */
    private readonly last: boolean,
  ) {
    this.evaluator = new Evaluator(subject, layout, x);
    this.base = this.evaluator.at(x, this.evaluator.weights);
    const { dtype, cotangentDtype } = subject.settings;
    this.relative = relativeTolerance(dtype, cotangentDtype);
    this.epsilon = Math.max(epsilonOf(dtype), epsilonOf(cotangentDtype));
  }

  run(): PointCheck {
    const { subject, layout, x, notes, evaluator } = this;
    const outcome = runAt(subject, layout, x);
    const gradient = layout.vector(outcome.report.gradient);
    const empty = {
      dotProducts: [],
      by: "input",
      differences: [],
      taylor: [],
      customRules: [],
      unfit: null,
    } as const;
    if (this.isUnusable(outcome)) {
      // a rule that gives NaN is better named than followed
      const rules = Number.isFinite(this.base.value) ? this.customRules() : [];
      return { ...empty, customRules: rules, notes, evaluations: evaluator.count };
    }
    if (outcome.trace.header.outputs.every(({ node }) => node < 0))
      return { ...empty, ...this.plainOutputs(gradient) };
    const { tests, notes: disagreements } = dotProductTests(subject, layout, x, outcome, this.relative);
    notes.push(...disagreements);
    if (subject.definition.given === true) {
      notes.push(
        checkNote(
          "given",
          "info",
          "the values and local derivatives of a tape([...]) are given: JVP against VJP is all that can be checked",
          subject.definition.site,
        ),
      );
      return { ...empty, dotProducts: tests, notes, evaluations: evaluator.count };
    }
    const customRules = this.customRules();
    const arriving = arrivingAt(layout, outcome);
    const { differences, lines, by } = this.differences(gradient, arriving);
    const rays = this.rays(gradient, arriving);
    const { tests: taylor, bend } = remainders(rays, this.base, differences, this.relative, this.isCut);
    const unfit = unfitOf({ recording: evaluator.first, differences, lines, bend });
    this.taylorFinding(taylor, unfit);
    return {
      dotProducts: tests,
      by,
      differences,
      taylor,
      customRules,
      notes,
      evaluations: evaluator.count,
      unfit,
    };
  }

  /** NaN, Inf, or a function that is none. */
  private isUnusable({ report }: RunOutcome): boolean {
    const { notes, subject, evaluator } = this;
    for (const note of report.notes) {
      if (note.severity !== "finding") continue;
      const { file, line, column, endLine, endColumn } = note;
      const place = file === null || line === 0 ? null : { file, line, column, endLine, endColumn, text: "" };
      notes.push({ code: "non-finite", severity: "finding", message: note.message, place });
    }
    if (notes.length > 0) return true;
    const { site } = subject.definition;
    if (!evaluator.repeats(this.x)) {
      notes.push(
        checkNote(
          "not-repeatable",
          "finding",
          "two evaluations at the same point differ: state outside the graph, Math.random or the time goes into it",
          site,
        ),
      );
      return true;
    }
    return false;
  }

  /** No output is a node, so every derivative is 0: of a constant that is right, of a function that was cut off it is not. */
  private plainOutputs(
    gradient: Float64Array,
  ): Pick<PointCheck, "differences" | "by" | "notes" | "evaluations"> {
    const { notes, subject, evaluator } = this;
    const { site } = subject.definition;
    const { differences, by } = this.differences(gradient, new Float64Array(gradient.length));
    const constant = differences.every(({ verdict }) => verdict === "zero");
    if (constant) {
      const why = implicitCuts(evaluator.first.recorder).map((cut) =>
        checkNote("cut", "warning", `${cut.text}, which may be why`, cut.site),
      );
      const nothing = "no output depends on an input: there is nothing to check";
      notes.splice(0, Infinity, checkNote("nothing", "warning", nothing, site), ...why);
    } else {
      const nothing = "no output depends on an input: every derivative is 0";
      notes.unshift(checkNote("nothing", "warning", nothing, site));
    }
    return { differences: constant ? [] : differences, by, notes, evaluations: evaluator.count };
  }

  /** A derivative may be missing for a number that became a plain one. */
  private get isCut(): boolean {
    return implicitCuts(this.evaluator.first.recorder).length > 0;
  }

  private along(v: Float64Array): Along {
    const { x, evaluator } = this;
    const weights = evaluator.weights;
    const only =
      v.reduce((count, part) => count + (part === 0 ? 0 : 1), 0) === 1
        ? v.findIndex((part) => part !== 0)
        : -1;
    return (t) => {
      const moved = x.map((value, i) => value + t * v[i]);
      const really = only < 0 ? t : (moved[only] - x[only]) / v[only];
      return { ...evaluator.at(moved, weights), t: really };
    };
  }

  private differences(
    gradient: Float64Array,
    /** per input, the magnitudes of its contributions: when they cancel, their roundings stay */
    arriving: Float64Array,
  ): {
    differences: DifferenceCheck[];
    lines: LineQuotients[];
    by: CheckResult["by"];
  } {
    const { x, layout, evaluator } = this;
    const affordable = Math.floor(OPERATIONS / (evaluator.work * EVALUATIONS_A_LINE));
    const by =
      x.length <= Math.min(MOST_INPUTS, Math.max(LEAST_DIRECTIONS, affordable)) ? "input" : "direction";
    const count =
      by === "input" ? x.length : Math.max(LEAST_DIRECTIONS, Math.min(MOST_DIRECTIONS, affordable));
    const excused = !this.last && kinkNote(evaluator.first) !== undefined;
    const lines: LineQuotients[] = [];
    const differences: DifferenceCheck[] = [];
    const largest = gradient.reduce((most, g, i) => Math.max(most, Math.abs(g) * powerBelow(x[i])), 0);
    for (let i = 0; i < count; i++) {
      const v = by === "input" ? Float64Array.from(x, (_, k) => (k === i ? 1 : 0)) : direction(i + 1, x);
      const derivative = by === "input" ? gradient[i] : dot(gradient, v);
      const unit = by === "input" ? powerBelow(x[i]) : 1;
      const line = lineQuotients(this.along(v), this.base, by === "input" ? x[i] : 1);
      const cancelled = by === "input" ? arriving[i] : dotSize(arriving, v);
      const absolute = Math.max((1e-3 * this.relative * largest) / unit, 64 * this.epsilon * cancelled);
      const judged = judge(derivative, line, this.relative, absolute, this.isCut);
      const { tolerance } = judged;
      const verdict = judged.verdict === "failed" && excused ? "kink" : judged.verdict;
      lines.push(line);
      differences.push({
        along: by === "input" ? layout.label(i) : `direction ${i + 1}`,
        derivative,
        central: line.central,
        forward: line.forward,
        off: line.central === null ? null : Math.abs(derivative - line.central.value),
        tolerance: Number.isFinite(tolerance) ? tolerance : null,
        verdict,
        kink: line.kink,
      });
    }
    this.notes.push(...lineNotes(this.evaluator.first, differences, lines, this.subject.definition.site));
    return { differences, lines, by };
  }

  /** The directions along which remainders are taken. */
  private rays(gradient: Float64Array, arriving: Float64Array): Ray[] {
    const { x } = this;
    const { dtype, cotangentDtype } = this.subject.settings;
    const exact = dtype === "f64" && cotangentDtype === "f64";
    return Array.from({ length: TAYLOR_DIRECTIONS }, (_, i) => {
      const v = direction(i + 1, x);
      const slopeError =
        dotSize(gradient, v) * (exact ? 2 ** -46 : this.relative) + 64 * this.epsilon * dotSize(arriving, v);
      return { name: `direction ${i + 1}`, along: this.along(v), slope: dot(gradient, v), slopeError };
    });
  }

  /** Not where the function has no derivative, where the remainder of a right one falls with order 1 too. */
  private taylorFinding(tests: readonly TaylorCheck[], unfit: Unfit | null): void {
    if (unfit !== null && unfit.code !== "stationary") return;
    const orders = tests.flatMap(({ verdict, order }) => (verdict === "failed" ? [order!] : []));
    if (orders.length === 0) return;
    const order = Math.min(...orders).toFixed(2);
    const message = `the Taylor remainder falls with order ${order} in the step, a right derivative gives 2`;
    this.notes.push(checkNote("taylor", "finding", message, this.subject.definition.site));
  }

  private customRules(): CustomRuleCheck[] {
    const { checks, skipped } = checkCustomRules(this.evaluator.first);
    if (skipped > 0)
      this.notes.push(
        checkNote("unclear", "info", `${skipped} further nodes of custom primitives are not checked`),
      );
    return checks.map(({ site, message, ...rest }) => {
      if (message !== null)
        this.notes.push(
          checkNote("custom-rule", "finding", `the rule of "${rest.name}" is wrong: ${message}`, site),
        );
      return { ...rest, place: checkPlace(site) };
    });
  }
}
