/** A measurement beside the work items. */
import type { Options } from "../options.js";

export interface Figure {
  readonly what: string;
  /** null when it could not be measured; `note` says why */
  readonly value: number | null;
  readonly unit: string;
  /** what the value should at most be; `least` instead where more is better */
  readonly goal?: number;
  readonly least?: number;
  readonly note?: string;
}

export interface Section {
  readonly id: string;
  readonly title: string;
  readonly figures: readonly Figure[];
}

export type Measurement = (options: Options) => Promise<readonly Figure[]>;

/** True, false, or null when there is no goal or no value. */
export function met({ value, goal, least }: Figure): boolean | null {
  if (value === null || (goal === undefined && least === undefined)) return null;
  return (goal === undefined || value <= goal) && (least === undefined || value >= least);
}
