/** What `expr` is asked and what it answers: plain data, so that it crosses threads. */
import type { Remark } from "../report/report.js";

export interface ExprAnalysis {
  readonly kind: "expr";
  /** the node whose derivative is asked for, by name or id; null: every input */
  readonly node: string | null;
  /** lines of each part that are given */
  readonly limit: number;
  /** a derivative is also written out as one expression if its tree has at most so many entries */
  readonly expand: number;
}

/** Numbers of entries (operations, symbols, numbers): each once, and in the tree. */
export interface ExprSize {
  readonly shared: number;
  /** decimal digits; null: beyond 2^4096, see the logarithm */
  readonly expanded: string | null;
  readonly expandedLog10: number;
}

export interface ExprLine {
  readonly part: "value" | "reverse";
  readonly name: string;
  readonly text: string;
  readonly value: number;
  /** what the line is the cotangent of, as `dL/da`; null: an intermediate result */
  readonly cotangent: string | null;
}

export interface ExprDerivative extends ExprSize {
  /** the node's name */
  readonly node: string;
  /** `dL/dx` */
  readonly name: string;
  /** right side of its line */
  readonly text: string;
  /** the whole expression without sharing, null if it is too long */
  readonly tree: string | null;
  /** by the reverse sweep, by evaluating the expression, and by a difference quotient (null: see `why`) */
  readonly reverse: number;
  readonly symbolic: number;
  readonly numerical: number | null;
  /** what the quotient may be off by */
  readonly numericalError: number | null;
  readonly why: string | null;
  readonly agree: boolean;
}

export interface ExprResult {
  /** what is differentiated: the output's name, or `L` for a weighted sum of several */
  readonly output: string;
  /** number of outputs that are nodes */
  readonly outputs: number;
  readonly value: number;
  readonly at: readonly { readonly name: string; readonly value: number }[];
  readonly lines: readonly ExprLine[];
  /** number of lines there are in each part */
  readonly totals: { readonly value: number; readonly reverse: number };
  readonly derivatives: readonly ExprDerivative[];
  /** inputs whose derivatives are not listed */
  readonly omitted: number;
  /** the output itself, and all listed derivatives together */
  readonly outputSize: ExprSize;
  readonly together: ExprSize;
  readonly agree: boolean;
  readonly notes: readonly Remark[];
}
