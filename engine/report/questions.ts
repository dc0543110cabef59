/** What the view asks the host beside the sweep: plans of schedules, and analyses that run the graph. Plain data both ways. */
import type { ExecutedCounts, Remark } from "./report.js";
import type { SpaceTime } from "./space-time.js";

/** A count; as text where it leaves the safe integers. */
export type Count = number | string;

export interface PlanAnswer {
  readonly schedule: string;
  readonly steps: number;
  readonly countedBy: "stream" | "closed form";
  readonly model: { readonly peakStates: number; readonly replays: number } | null;
  readonly executed: Readonly<Record<keyof ExecutedCounts, Count>>;
  readonly remarks: readonly string[];
  readonly diagram: SpaceTime;
}

export interface TradeOffRow {
  readonly schedule: string;
  readonly family: string;
  /** peakStates + peakTapes */
  readonly x: number;
  /** extraForwards */
  readonly y: number;
  readonly peakStates: number;
  readonly peakTapes: number;
  readonly statesOnly: boolean;
  readonly couplingOnly: boolean;
  readonly onFront: boolean;
}

export interface TradeOffAnswer {
  readonly steps: number;
  readonly points: readonly TradeOffRow[];
  /** the least that states alone allow */
  readonly curve: readonly { readonly slots: number; readonly x: number; readonly y: number }[];
}

export interface BlockAnswerRow {
  readonly blockSize: number;
  readonly model: { readonly peakStates: number; readonly replays: number };
  readonly executed: { readonly peakStates: number; readonly replays: number };
}

export interface BlocksAnswer {
  readonly steps: number;
  readonly rows: readonly BlockAnswerRow[];
  readonly best: {
    readonly blockSize: number;
    readonly ties: readonly number[];
    readonly peakStateUnits: number;
    readonly recomputedForwardEvaluations: number;
    readonly squareRoot: number;
  };
  /** states that store-all keeps in the model */
  readonly storeAll: number;
}

/** One schedule run on the graph in a process of its own: the row of `backsweep compare`. */
export interface ComparedRow {
  readonly schedule: string;
  /** why it did not run; the other entries are null then */
  readonly failure: { readonly kind: string; readonly message: string } | null;
  /** counted while it ran, over all chains, segments and cuts */
  readonly counts: {
    readonly steps: number;
    readonly peakStates: number;
    readonly peakTapes: number;
    readonly totalForwards: number;
    readonly extraForwards: number;
    readonly replays: number;
  } | null;
  /** allocated bytes: of primals the executor held at once */
  readonly allocatedBytes: number | null;
  /** measured: resident memory of the process before and at its peak, in bytes, and the time of the run */
  readonly measured: { readonly before: number; readonly peak: number; readonly elapsedMs: number } | null;
  /** its gradient against the reference row's; `worst`: the entry furthest off, null where all are equal */
  readonly distance: {
    readonly equal: boolean;
    readonly worst: { readonly name: string; readonly ulps: number } | null;
  } | null;
  /** coupling layers were inverted: the gradient may differ */
  readonly reversible: boolean;
  /** sentences of the executor */
  readonly remarks: readonly string[];
}

export interface CompareAnswer {
  /** the schedule whose gradient the others are compared with */
  readonly reference: string;
  readonly rows: readonly ComparedRow[];
  /** cuts and kinks met while recording, the same under every schedule */
  readonly notes: readonly Remark[];
}

/** Error of a difference quotient at a step, taken apart. */
export interface StepPoint {
  readonly step: number;
  readonly error: number | null;
  readonly truncation: number | null;
  readonly cancellation: number | null;
}

export interface StepsAnswer {
  readonly input: string;
  readonly formats: readonly {
    readonly dtype: string;
    readonly epsilon: number;
    readonly derivative: number;
    readonly schemes: readonly {
      readonly scheme: "forward" | "central";
      readonly rows: readonly StepPoint[];
      readonly best: { readonly step: number; readonly error: number } | null;
      readonly theory: { readonly scale: number; readonly step: number | null };
    }[];
  }[];
  /** what the quotients met: steps left out, cuts and kinks */
  readonly notes: readonly Remark[];
}

/** Sums over orders of the same contributions. */
export interface OrderSpread {
  readonly orders: number;
  readonly distinct: number;
  readonly min: number;
  readonly max: number;
  /** largest distance from the exact sum rounded once, in units in its last place */
  readonly worstUlps: number;
}

export interface OrdersTried {
  readonly tried: number;
  /** null: not counted */
  readonly total: number | null;
  readonly complete: boolean;
}

export interface SpreadAnswer {
  readonly node: number;
  readonly name: string;
  readonly contributions: readonly { readonly from: string | null; readonly value: number }[];
  readonly all: OrdersTried;
  readonly reachable: OrdersTried;
  readonly formats: readonly {
    readonly dtype: string;
    readonly exact: number;
    readonly condition: number;
    readonly modes: readonly {
      readonly mode: string;
      readonly arrival: number;
      readonly all: OrderSpread;
      readonly reachable: OrderSpread;
    }[];
  }[];
}

/** The replay contract of a schedule, compared value by value. */
export interface ReplayAnswer {
  readonly schedule: string;
  readonly points: readonly {
    readonly point: string;
    readonly holds: boolean;
    readonly mismatches: number;
  }[];
  readonly mismatches: readonly {
    readonly message: string;
    readonly region: string;
    readonly step: number;
    readonly node: number;
    readonly file: string | null;
    readonly line: number;
    readonly column: number;
    readonly first: number | null;
    readonly replay: number | null;
    readonly ulps: number | null;
  }[];
  /** mismatches beyond those listed */
  readonly more: number;
  /** random numbers and clocks that are not the graph's own, in replayed steps */
  readonly outside: readonly {
    readonly what: string;
    readonly calls: number;
    readonly file: string | null;
    readonly line: number;
    readonly column: number;
  }[];
  /** cuts and kinks met in the run that keeps everything */
  readonly notes: readonly Remark[];
}

/** The host answers about the graph on screen. */
export type Question =
  | { readonly kind: "plan"; readonly steps: number; readonly schedule: string }
  | { readonly kind: "tradeOff"; readonly steps: number }
  | { readonly kind: "blocks"; readonly steps: number }
  /** steps a graph without chains would be cut into; 0: it is too small */
  | { readonly kind: "cuts"; readonly sweep: number }
  /** `schedules`: null, those that `backsweep compare` takes for a graph of its length */
  | { readonly kind: "compare"; readonly sweep: number; readonly schedules: readonly string[] | null }
  | { readonly kind: "replay"; readonly sweep: number; readonly schedule: string }
  | { readonly kind: "steps"; readonly sweep: number; readonly input: string }
  | { readonly kind: "spread"; readonly sweep: number; readonly node: string };

export interface Answers {
  readonly plan: PlanAnswer;
  readonly tradeOff: TradeOffAnswer;
  readonly blocks: BlocksAnswer;
  readonly cuts: { readonly steps: number };
  readonly compare: CompareAnswer;
  readonly replay: ReplayAnswer;
  readonly steps: StepsAnswer;
  readonly spread: SpreadAnswer;
}
