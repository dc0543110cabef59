/** What a derivative check answers: plain data. */
import type { InputValue } from "../graph/definition.js";
import { placeOf } from "../tape/sites.js";
import type { Verdict } from "./judge.js";
import type { Quotient } from "./quotients.js";
import type { TaylorRow } from "./taylor.js";

/** A place in the user's source; `text` is the expression there. */
export interface CheckPlace {
  /** absolute path */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  readonly text: string;
}

/** A finding (it makes the check fail) or a remark. */
export interface CheckNote {
  readonly code:
    | "non-finite" // NaN or Inf: nothing can be compared
    | "not-repeatable" // two evaluations at one point differ
    | "jvp-vjp" // the two sweeps disagree
    | "derivative" // a derivative and its difference quotient disagree
    | "taylor" // the remainder does not fall with the square of the step
    | "custom-rule" // a user's own rule is wrong
    | "kink" // not differentiable at the point that was asked for
    | "stationary" // every derivative is 0 at the point that was asked for
    | "branch" // a difference quotient would cross a branch
    | "cut" // a cut that difference quotients see through
    | "unclear" // difference quotients do not settle
    | "domain" // steps that leave the function's domain
    | "given" // a tape's values are given: only JVP against VJP can be checked
    | "nothing"; // no input, or no output that depends on one
  readonly severity: "finding" | "warning" | "info";
  readonly message: string;
  readonly place: CheckPlace | null;
}

/** One random direction v and cotangent u: u . (J v) against (u^T J) . v. */
export interface DotProduct {
  readonly jvp: number;
  readonly vjp: number;
  readonly difference: number;
  readonly tolerance: number;
  readonly ok: boolean;
}

/** The derivative by one input, or along one direction, against difference quotients. */
export interface DifferenceCheck {
  /** "x", "w[2]", or "direction 1" */
  readonly along: string;
  readonly derivative: number;
  readonly central: Quotient | null;
  readonly forward: Quotient | null;
  /** |derivative - central quotient|, null without a quotient */
  readonly off: number | null;
  readonly tolerance: number | null;
  readonly verdict: Verdict;
  /** one-sided quotients, where they stay apart */
  readonly kink: { readonly left: number; readonly right: number } | null;
}

export interface TaylorCheck {
  /** null: too few steps are free of rounding, or the function is linear */
  readonly order: number | null;
  readonly verdict: "ok" | "failed" | "unclear";
  readonly linear: boolean;
  readonly rows: readonly TaylorRow[];
}

export interface CustomRuleCheck {
  readonly name: string;
  readonly node: number;
  readonly place: CheckPlace | null;
  readonly nodes: number;
  readonly slot: number;
  readonly operands: readonly number[];
  readonly vjp: number;
  readonly quotient: Quotient | null;
  readonly verdict: Verdict;
}

/** A point that proves nothing, and why. */
export interface MovedFrom {
  readonly at: Readonly<Record<string, InputValue>>;
  readonly code: "kink" | "branch" | "stationary" | "domain";
  readonly why: string;
}

export interface CheckResult {
  /** ok: derivatives agree. failed: a finding. proves-nothing: nothing was found, and nothing could have been */
  readonly verdict: "ok" | "failed" | "proves-nothing";
  /** the point that was checked */
  readonly at: Readonly<Record<string, InputValue>>;
  /** points that were left, in order, the first the one asked for */
  readonly movedFrom: readonly MovedFrom[];
  /** false: at `at` the function takes another branch than at the point asked for, whose derivatives were not checked */
  readonly sameBranch: boolean;
  /** calls of the graph function in f64 */
  readonly evaluations: number;
  readonly dotProducts: readonly DotProduct[];
  /** what `differences` are along: every input, or random directions because there are many */
  readonly by: "input" | "direction";
  readonly differences: readonly DifferenceCheck[];
  readonly taylor: readonly TaylorCheck[];
  readonly customRules: readonly CustomRuleCheck[];
  readonly notes: readonly CheckNote[];
}

export function checkPlace(site: number): CheckPlace | null {
  const place = placeOf(site);
  if (place === null) return null;
  const { file, line, column, endLine, endColumn, expression } = place;
  return { file, line, column, endLine, endColumn, text: expression };
}

export function checkNote(
  code: CheckNote["code"],
  severity: CheckNote["severity"],
  message: string,
  site = -1,
): CheckNote {
  return { code, severity, message, place: checkPlace(site) };
}
