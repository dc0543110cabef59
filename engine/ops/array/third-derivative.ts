/** Where derivatives of arrays end: what is said, and how it gets its place. */
import { BacksweepError } from "../../trace/failure.js";

/** A third derivative was asked for where the table stops at second ones. */
export class ThirdDerivative extends BacksweepError {
  constructor(readonly op: string) {
    super(
      "no-rule",
      `${op}: third derivatives of arrays go through + - * / and functions without pieces only`,
    );
  }
}

/** Runs a rule of the operation at `site`; where the table has no derivative of that order, the error says where. */
export function placed<T>(site: number, rule: () => T): T {
  try {
    return rule();
  } catch (error) {
    if (!(error instanceof ThirdDerivative) || error.site >= 0) throw error;
    throw new BacksweepError("no-rule", error.message, site);
  }
}
