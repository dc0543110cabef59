/** What a rule says of a place, and what a rule is. Lines and columns count from 1; ends are exclusive. */
import type { FileFacts } from "./facts.js";

export type Severity = "error" | "warning" | "info";

/**
 * What a report rests on, strongest first: operations of the same engine that do it right, a graph of the file that
 * reaches the fault, the structure of the code alone, and a slot that has one writer (a chain: shown, never counted).
 */
export type Evidence = "proven-siblings" | "proven-graph" | "structural" | "single-use";

export interface Place {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** Offsets into the text, [start, end). */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface Suggestion {
  /** an imperative, without a full stop: "Add to `this.grad`" */
  readonly title: string;
  /** what the slot is taken to hold */
  readonly kind: "number" | "method" | "elements" | "map" | "record" | "rewrite";
  readonly edits: readonly Edit[];
}

export interface Related extends Place {
  readonly message: string;
}

export interface Report extends Place {
  readonly rule: string;
  readonly severity: Severity;
  readonly evidence: Evidence;
  readonly message: string;
  readonly start: number;
  readonly end: number;
  readonly related: readonly Related[];
  readonly suggestions: readonly Suggestion[];
  /** the edits that `--fix` applies: only where siblings prove what is meant */
  readonly fix: readonly Edit[] | null;
}

/** What a rule hands over; the rest of a report is filled in from the rule and the options. */
export interface Finding {
  readonly start: number;
  readonly end: number;
  readonly message: string;
  readonly evidence: Evidence;
  readonly related?: readonly { readonly start: number; readonly end: number; readonly message: string }[];
  readonly suggestions?: readonly Suggestion[];
}

export interface Rule {
  readonly name: string;
  /** one line: what it catches */
  readonly summary: string;
  /** severity by evidence; "proven-*" and "structural" may share one */
  readonly severity: Readonly<Record<Evidence, Severity>>;
  /** Every fault of the file, in the order of the text. Pure, linear in the file, never throws on odd trees. */
  check(facts: FileFacts): Iterable<Finding>;
}

/** The default of the table: one severity whatever the evidence, except that a proven chain is only shown. */
export function everySeverity(severity: Severity): Rule["severity"] {
  return {
    "proven-siblings": severity,
    "proven-graph": severity,
    structural: severity,
    "single-use": "info",
  };
}
