/** What the replay contract found: plain data, the same for the command line, the panel and a program. */

/** The five points of the contract. */
export type ContractPoint =
  /** number format, and the mode in which contributions are added */
  | "format"
  /** draws from the graph's stream, and random numbers or clocks from elsewhere */
  | "random"
  /** what a step reads from outside itself: running statistics, variables */
  | "state"
  /** branches and iteration counts */
  | "decision"
  /** arrays that were written to between the first run and the replay */
  | "write";

export interface ReplayMismatch {
  readonly point: ContractPoint;
  /** one sentence, without the place */
  readonly message: string;
  /** the chain or segment, and the step that was replayed, from 0 */
  readonly region: string;
  readonly step: number;
  /** -1: it is about no node */
  readonly node: number;
  /** global site id of the place, -1 unknown */
  readonly site: number;
  /** what was computed, drawn or compared in the first run and in the replay; null where it is no longer known */
  readonly first: number | null;
  readonly replay: number | null;
  /** how far apart, in units in the last place of the first run's; null where there are no two numbers */
  readonly ulps: number | null;
  /** number of the draw within its step, or of the element of an array, from 0; -1 neither */
  readonly index: number;
}

/** Numbers for a person: shortest text that reads back as the same double, with the sign of zero. */
export function numberText(x: number): string {
  return Object.is(x, -0) ? "-0" : String(x);
}
