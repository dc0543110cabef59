/** What the audit says of a fault, and what it is found out from. */
import type { Foreign } from "./engine.js";
import type { FaultClass } from "./fault-class.js";
import type { Limits } from "./generate.js";
import type { AuditGraph } from "./graph.js";
import type { Judged } from "./judge.js";

export interface Diagnosis {
  readonly fault: FaultClass;
  /** what exactly; "" where the class says all */
  readonly detail: string;
  /** operations that have the fault, by name; null: it is the sweep's */
  readonly operations: readonly string[] | null;
  /** how it was found out, a sentence each */
  readonly evidence: readonly string[];
  /** a graph of one of these operations alone that shows it; absent: none was looked for */
  readonly alone?: AuditGraph;
  /** the sweep may have it as well: no other operation could show it */
  readonly either?: boolean;
}

/** What is known beside the failing graph. */
export interface Context {
  readonly foreign: Foreign;
  readonly limits: Limits;
  readonly seed: number;
  /** the first graph that the engine got right, to be tried again */
  readonly right: Judged["graph"] | null;
}

export const diagnosis = (
  fault: FaultClass,
  detail: string,
  evidence: readonly string[],
  operations: readonly string[] | null = null,
): Diagnosis => ({ fault, detail, operations, evidence });

export const replay: FaultClass = "replay with new randomness or another branch";
