/**
 * The Taylor remainders of a check, and what becomes of one that falls with order 1. A wrong derivative does that, and so
 * does a right one where the function has none: along the direction it then has one slope from each side, is not finite on
 * one of them, or has a slope that its partial derivatives, each of them right, do not add up to.
 */
import { judge } from "./judge.js";
import type { Crossing, Evaluation } from "./evaluate.js";
import { lineQuotients, type Along, type LineQuotients } from "./quotients.js";
import type { DifferenceCheck, TaylorCheck } from "./result.js";
import { short } from "./short.js";
import { taylorTest } from "./taylor.js";

/** Something that only a direction shows, not one input alone. */
export interface Bend {
  readonly along: string;
  readonly why: string;
  /** true: the function is not finite on one side */
  readonly half: boolean;
  /** the branch that the smallest steps cross; null: none */
  readonly edge: Crossing | null;
}

/** A direction to test, with what the gradient says of it. */
export interface Ray {
  readonly name: string;
  readonly along: Along;
  /** f'(x) v */
  readonly slope: number;
  /** what the slope may be off by, being computed with roundings */
  readonly slopeError: number;
}

/** Part of a slope by which it must differ from what the partial derivatives make of it. */
const APART = 1e-3;

/**
 * @param relative tolerance of a derivative, relative to it
 * @param cut a traced number was turned into a plain one somewhere: no agreement excuses a remainder then
 */
export function remainders(
  rays: readonly Ray[],
  base: Evaluation,
  differences: readonly DifferenceCheck[],
  relative: number,
  cut: boolean,
): { tests: TaylorCheck[]; bend: Bend | null } {
  const settled = differences.every(({ verdict }) => verdict === "ok" || verdict === "zero");
  let bend: Bend | null = null;
  const tests = rays.map((ray): TaylorCheck => {
    const { edge, ...test } = taylorTest(ray.along, base, ray.slope, ray.slopeError, cut);
    if (edge !== null) bend ??= { along: ray.name, why: "", half: false, edge };
    if (test.verdict !== "failed") return test;
    if (cut && !settled) return test;
    const line = lineQuotients(ray.along, base, 1);
    bend ??= bendOf(ray, line, settled);
    const { verdict } = judge(ray.slope, line, relative, ray.slopeError, cut);
    // quotients find their own way around roundings inside the function, which a remainder takes for an error
    return settled || verdict !== "failed" ? { ...test, verdict: "unclear" } : test;
  });
  return { tests, bend };
}

function bendOf(
  { name, slope }: Ray,
  { kink, central, outside }: LineQuotients,
  settled: boolean,
): Bend | null {
  const found = { along: name, half: false, edge: null };
  if (kink !== null) {
    const why = `not differentiable here: along a random direction ${kink.left} from one side, ${kink.right} from the other`;
    return { ...found, why };
  }
  if (central === null) return outside > 0 ? { ...found, why: "", half: true } : null;
  const off = Math.abs(slope - central.value);
  if (!settled || off <= APART * Math.max(Math.abs(slope), Math.abs(central.value)) + 4 * central.error)
    return null;
  const why =
    `not differentiable here: the derivative by every input is right, and along a random direction the slope is ` +
    `${short(central)}, where they make it ${slope}`;
  return { ...found, why };
}
