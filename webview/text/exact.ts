/** What is said where there is no rounding error, of which a drawing shows nothing. */
import type { SpreadAnswer, StepsAnswer } from "../../engine/report/questions.js";
import { tiny } from "../plot/units.js";

type Scheme = Pick<StepsAnswer["formats"][number]["schemes"][number], "rows">;
type Format = Pick<SpreadAnswer["formats"][number], "modes" | "exact" | "dtype">;

/**
 * What the drawing cannot show: errors of nothing have no place on a logarithmic axis. `all`: of no step is there an error to
 * draw, and these words stand instead.
 */
export function exactWords({ rows }: Scheme): { readonly text: string; readonly all: boolean } {
  const taken = rows.filter(({ error }) => error !== null);
  const exact = taken.filter(({ error }) => error === 0).length;
  const steps = (n: number): string => `${n} ${n === 1 ? "step" : "steps"}`;
  if (taken.length === 0) return { text: "No difference quotient could be taken at any step.", all: true };
  if (exact === taken.length)
    return {
      text: `No rounding error was found: at each of ${steps(exact)} the quotient is the derivative of the sweep, every digit of it.`,
      all: true,
    };
  if (exact === 0) return { text: "", all: false };
  const where = `At ${exact} of ${steps(taken.length)} no rounding error was found`;
  return { text: `${where}: the quotient is the derivative, and has no place on this axis.`, all: false };
}

/** "" where an order has a rounding error */
export function exactSums({ modes, exact, dtype }: Format): string {
  if (!modes.every(({ all }) => all.worstUlps === 0)) return "";
  return `No rounding error was found: in ${dtype} every order gives the exact sum, ${tiny(exact)}, in every mode.`;
}
