/** What is asked of the runner for an audit, and what it answers. */
import type { AuditProgress, AuditResult } from "../engine/audit/result.js";
import type { Failure } from "./messages.js";

export interface AuditAsked {
  /** exported name of the engine; absent: every one the module exports */
  readonly engine?: string;
  /** random graphs an engine is run on */
  readonly cases: number;
  /** of the random graphs */
  readonly seed: number;
  /** engines that are left out: what there is to say of them is known */
  readonly skip?: readonly string[];
}

/** One engine's audit: its result, or why there is none. */
export type AuditedEngine =
  | { readonly engine: string; readonly result: AuditResult; readonly failure: null }
  | { readonly engine: string; readonly failure: Failure };

export interface AuditSuccess {
  readonly ok: true;
  /** every engine the module exports, in the order of its text */
  readonly engines: readonly string[];
  readonly audited: readonly AuditedEngine[];
  /** absolute paths of all modules that were read */
  readonly files: readonly string[];
  readonly elapsedMs: number;
}

/** How far the audit of an engine is. */
export interface AuditTold extends AuditProgress {
  readonly engine: string;
}

/** What is said while audits go on, so that it is not lost with the process. */
export type AuditWord =
  | { readonly kind: "progress"; readonly told: AuditTold }
  /** engines that will be audited, in this order */
  | { readonly kind: "wanted"; readonly engines: readonly string[]; readonly wanted: readonly string[] }
  | { readonly kind: "done"; readonly one: AuditedEngine };

/** Milliseconds one engine's audit may take where nobody says otherwise. */
export const DEFAULT_AUDIT_TIMEOUT_MS = 60_000;
