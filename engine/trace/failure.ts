/** The one error a user is meant to read: a kind (which decides the exit code), one line, and the place where known. */
export type FailureKind =
  | "syntax"
  | "import"
  | "exception"
  | "deadline"
  | "memory"
  | "exit"
  | "no-graph"
  | "option"
  | "order"
  | "no-rule"
  | "refused"
  | "definition"
  /** a replay did something else than the first run: a finding, not bad input */
  | "replay"
  | "cancelled"
  | "internal";

export class BacksweepError extends Error {
  override readonly name = "BacksweepError";

  /**
   * @param kind what went wrong
   * @param message one line, without the place
   * @param site global site id of the place (see `tape/sites.ts`), -1 unknown
   */
  constructor(
    readonly kind: FailureKind,
    message: string,
    readonly site = -1,
  ) {
    super(message);
  }
}
