/**
 * How contributions become a cotangent. Only `sum`, `pairwise` and `kahan` give the derivative; last-writer-wins is the
 * named wrong answer, kept to be looked at.
 */
import { BacksweepError } from "../trace/failure.js";

export type SumMode = "sum" | "pairwise" | "kahan";

export type Accumulation =
  | { readonly kind: SumMode }
  /** `where`: "intermediate" (inputs go on adding), "all", or the name of one node */
  | { readonly kind: "last-writer-wins"; readonly where: "intermediate" | "all" | { readonly name: string } };

/** Reads the option's text. Throws an `option` error for anything else. */
export function parseAccumulation(text: string): Accumulation {
  if (text === "sum" || text === "pairwise" || text === "kahan") return { kind: text };
  if (text === "last-writer-wins") return { kind: "last-writer-wins", where: "intermediate" };
  if (text === "last-writer-wins:all") return { kind: "last-writer-wins", where: "all" };
  if (text.startsWith("last-writer-wins:") && text.length > "last-writer-wins:".length) {
    return { kind: "last-writer-wins", where: { name: text.slice("last-writer-wins:".length) } };
  }
  throw new BacksweepError(
    "option",
    `unknown accumulation "${text}": use sum, pairwise, kahan, last-writer-wins, last-writer-wins:all or last-writer-wins:NAME`,
  );
}

type Round = ((x: number) => number) | null;

/**
 * The sum of terms in their order of arrival, every operation rounded to the cotangent's format.
 *
 * `pairwise` halves the list (error growth log n); `kahan` is Neumaier's compensated sum (Z. angew. Math. Mech. 54, 1974).
 */
export function total(mode: SumMode, terms: readonly number[], round: Round): number {
  if (mode === "sum") {
    let sum = 0;
    for (const term of terms) sum = round === null ? sum + term : round(sum + term);
    return sum;
  }
  return mode === "pairwise" ? pairwise(terms, round) : neumaier(terms, round);
}

/** Level by level, so that no recursion depends on the number of terms. */
function pairwise(terms: readonly number[], round: Round): number {
  if (terms.length === 0) return 0;
  let level = terms.slice();
  while (level.length > 1) {
    const next: number[] = [];
    for (let i = 0; i + 1 < level.length; i += 2) {
      const sum = level[i] + level[i + 1];
      next.push(round === null ? sum : round(sum));
    }
    if (level.length % 2 === 1) next.push(level[level.length - 1]);
    level = next;
  }
  return 0 + level[0];
}

function neumaier(terms: readonly number[], round: Round): number {
  const r = (x: number): number => (round === null ? x : round(x));
  let sum = 0;
  let compensation = 0;
  for (const term of terms) {
    const next = r(sum + term);
    // an infinite or NaN sum has no compensation: Inf - Inf would spoil it
    if (Number.isFinite(next)) {
      const lost = Math.abs(sum) >= Math.abs(term) ? r(r(sum - next) + term) : r(r(term - next) + sum);
      compensation = r(compensation + lost);
    }
    sum = next;
  }
  return Number.isFinite(sum) ? r(sum + compensation) : sum;
}

/** Running sums after each term, as the mode adds them. */
export function runningSums(mode: SumMode, terms: readonly number[], round: Round): number[] {
  if (mode !== "sum") return terms.map((_, i) => total(mode, terms.slice(0, i + 1), round));
  let sum = 0;
  return terms.map((term) => (sum = round === null ? sum + term : round(sum + term)));
}
