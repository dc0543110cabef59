/** What the extension and its lint worker say to each other. Plain data: it crosses threads. */
import type { LintResult } from "../../engine/lint/lint-tree.js";
import type { LintOptions } from "../../engine/lint/options.js";

export interface LintRequest {
  readonly id: number;
  /** "fix": the text after every fix that siblings prove */
  readonly kind: "lint" | "fix";
  readonly text: string;
  /** gives the language by its ending */
  readonly file: string;
  readonly options: LintOptions;
}

export type LintAnswer =
  | { readonly id: number; readonly kind: "lint"; readonly result: LintResult; readonly elapsedMs: number }
  | { readonly id: number; readonly kind: "fix"; readonly text: string }
  | { readonly id: number; readonly kind: "error"; readonly message: string };
