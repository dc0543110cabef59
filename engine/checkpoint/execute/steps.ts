/** What the executor is told of a chain: where its steps stand on the tape, and how one runs. */

/** A chain of steps over nodes of one tape. */
export interface Steps {
  /** number of steps, at least 1 */
  readonly count: number;
  /** nodes of a step that has run: [first, end) */
  first(step: number): number;
  end(step: number): number;
  /** nodes of a state that can be dropped; known once the step before has run */
  leaves(state: number): Int32Array;
  /** Runs a step from the state before it, whose primals are there; `again`: its nodes have run before. */
  run(step: number, again: boolean): void;
  /** Makes the state before the step from the state behind it, and the primals of the step's nodes. */
  invert?(step: number): void;
  /** nodes of a step whose primals it does not compute again: they are held by whoever made the region */
  stays?(node: number): boolean;
  /** a state nobody holds any more */
  forget?(state: number): void;
  /** a step whose tape nobody holds: what is no primal goes here */
  dropTape?(step: number): void;
}
