/** Values as an engine has them, where they are not the graph's: as it tells them, else as its nodes hold them. */
import type { Foreign } from "./engine.js";
import { valueFields, type Held } from "./held-values.js";
import type { Judged } from "./judge.js";

/** An engine that computes in binary32 has the value all the same. */
const differs = (a: number, b: number): boolean =>
  !(Math.abs(a - b) <= 1e-4 * Math.max(Math.abs(a), Math.abs(b)) + 1e-9);

/** By node; null where the value is the graph's, or was not seen. Of one that was changed the last is told. */
export function valuesOff({ form }: Foreign, judged: Judged): (ArrayLike<number> | null)[] {
  const { outcome, truth } = judged;
  // the values of a tape are given to the sweep, and not its own
  if (form === "sweep") return truth.nodes.map(() => null);
  const { made, before, after, held } = outcome;
  const fields = valueFields(judged);
  const holding = (of: readonly Held[], v: number): (readonly number[] | undefined)[] =>
    fields.map((path) => of[v]?.get(path)?.numbers);
  return truth.nodes.map(({ value }, v) => {
    const told = [after[v], before[v], made[v], ...holding(held.after, v), ...holding(held.before, v)];
    const off = told.find(
      (one) => one && one.length === value.length && value.some((x, i) => differs(x, one[i])),
    );
    return off ?? null;
  });
}
