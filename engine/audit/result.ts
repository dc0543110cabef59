/** What an audit answers: plain data, so that it crosses threads and prints as JSON. */
import type { FaultClass } from "./fault-class.js";

/** Lines and columns from 1, ends exclusive. */
export interface AuditPlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  /** the function it stands in, and its text as written; null where that is not known */
  readonly func: string | null;
  readonly text: string | null;
}

/** How far an audit is. */
export interface AuditProgress {
  /** graphs are tried; one that failed is made smaller; all were right, and it is seen how the work grows */
  readonly doing: "trying" | "shrinking" | "growing";
  /** graphs tried so far */
  readonly tried: number;
}

/** A number, or nested arrays of an array engine. */
export type AuditValue = number | readonly AuditValue[];

export interface SmallestNode {
  readonly id: number;
  readonly name: string;
  /** null for an input */
  readonly op: string | null;
  readonly operands: readonly number[];
  readonly value: AuditValue;
  /** the value the engine has, where it is another one; null: the right one, or not told */
  readonly gotValue: AuditValue | null;
  /** the cotangent as it should be, and as the engine has it; null where the engine does not tell */
  readonly right: AuditValue;
  readonly got: AuditValue | null;
  /** what was seen to arrive in its sum, in order; null where that is not known, or does not come to `got` */
  readonly arrived: readonly AuditValue[] | null;
  /** what stood there before the sweep, where that is not zero */
  readonly leftover: AuditValue | null;
}

/** One use of a node: what it pays by our sweep, and by the engine's where its writes were seen. */
export interface SmallestContribution {
  /** the node that uses, the node that is paid, and in which operand slot */
  readonly from: number;
  readonly to: number;
  readonly slot: number;
  /** null for an operation on arrays that has no local derivative by element */
  readonly local: AuditValue | null;
  readonly right: AuditValue;
  /** what the engine wrote for it, of several payments those that stayed; null where that was not seen */
  readonly foreign: AuditValue | null;
  /** its payments in order: an engine that passes a node on several times pays as often */
  readonly paid: readonly AuditValue[];
  /** "kept", "lost" (made and then gone), "missing" (never made), "unknown" */
  readonly state: "kept" | "lost" | "missing" | "unknown";
}

export interface LostInSmallest {
  /** by name in `smallest` */
  readonly node: string;
  /** the use that paid it; null where several are lost together */
  readonly from: string | null;
  readonly value: number;
  readonly stayed: number | null;
  readonly stayedFrom: string | null;
}

export interface SmallestGraph {
  /** a runnable graph definition; its gradient in Backsweep is the right one */
  readonly definition: string;
  readonly nodes: readonly SmallestNode[];
  readonly contributions: readonly SmallestContribution[];
  readonly output: number;
  /** by input name */
  readonly gradient: {
    readonly right: Readonly<Record<string, AuditValue>>;
    readonly got: Readonly<Record<string, AuditValue | null>>;
  };
  /** the wrong gradients are those of a second sweep over the same graph */
  readonly secondSweep: boolean;
  readonly lost: LostInSmallest | null;
  readonly line: number | null;
}

export interface AuditFault {
  readonly class: FaultClass;
  /** what this class of fault does, in a sentence fragment */
  readonly summary: string;
  /** what exactly; "" where the class says all */
  readonly detail: string;
  /** operations that have the fault; null: it is the sweep's own */
  readonly operations: readonly string[] | null;
  readonly evidence: readonly string[];
  /** what the marked line is, in classes in which it need not be the one to change; else null */
  readonly marked: string | null;
}

export interface AuditResult {
  /** the exported name */
  readonly engine: string;
  readonly form: "engine" | "sweep";
  readonly seed: number;
  /** random graphs that were run: all of them, or up to the first that failed */
  readonly cases: number;
  /** "unusable": the adapter does not do what it must, so nothing can be said of the engine */
  readonly verdict: "clean" | "faulty" | "unusable";
  /** false where a wrong gradient was found, null where none could be read */
  readonly gradientsRight: boolean | null;
  readonly fault: AuditFault | null;
  /** one line that says it all */
  readonly message: string;
  /** the source line that lost the contribution, or has the fault; null where writes could not be observed */
  readonly place: AuditPlace | null;
  readonly smallest: SmallestGraph | null;
  /** with "exponential revisits": how the visits grow with the number of diamonds in a chain */
  readonly visits: {
    readonly diamonds: readonly number[];
    readonly counts: readonly number[];
    readonly unit: string;
  } | null;
  /** what is worth knowing and is no fault */
  readonly notes: readonly string[];
  readonly elapsedMs: number;
}
