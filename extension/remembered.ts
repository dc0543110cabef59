/** Where the user was in each sweep: what survives hiding and reloading the view, and running again. */
import type { Mode, ViewState } from "../engine/protocol.js";

export interface Position {
  readonly step: number;
  readonly mode: Mode;
  readonly selected: number;
}

const LIMIT = 200;

export class Remembered {
  private readonly positions = new Map<string, Position>();

  get(key: string): Position | undefined {
    return this.positions.get(key);
  }

  set(key: string, position: Position): void {
    // the map keeps insertion order: the longest unused goes first
    this.positions.delete(key);
    this.positions.set(key, position);
    for (const old of this.positions.keys()) {
      if (this.positions.size <= LIMIT) break;
      this.positions.delete(old);
    }
  }
}

/** The state a reloaded view hands back, or null if it is not one (an older version's, or nothing). */
export function asViewState(value: unknown): ViewState | null {
  if (typeof value !== "object" || value === null) return null;
  const state = value as Partial<Record<keyof ViewState, unknown>>;
  const sound =
    typeof state.uri === "string" &&
    typeof state.graph === "string" &&
    Number.isInteger(state.step) &&
    Number.isInteger(state.selected) &&
    (state.mode === "sum" || state.mode === "last-writer-wins");
  return sound ? (value as ViewState) : null;
}
