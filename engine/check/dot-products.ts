/**
 * The dot-product test: u . (J v) = (u^T J) . v for random v and u (Claerbout 2014, section 1.5). It needs no step and no
 * truncation: the two sweeps read the same rules in opposite directions, and only rounding may tell them apart.
 */
import type { Subject } from "../graph/record.js";
import type { RunOutcome } from "../graph/run.js";
import { largestContribution } from "./arriving.js";
import { direction, weights } from "./directions.js";
import { epsilonOf, smallestNormal } from "./judge.js";
import { cotangentOf, dot, dotSize, outputSize, runAt, tangentsAt } from "./linear.js";
import type { InputLayout } from "./point.js";
import { checkNote, type CheckNote, type DotProduct } from "./result.js";

const TESTS = 3;

/** @param relative tolerance relative to the sum of the terms' magnitudes */
export function dotProductTests(
  subject: Subject,
  layout: InputLayout,
  x: Float64Array,
  { trace }: RunOutcome,
  relative: number,
): { tests: DotProduct[]; notes: CheckNote[] } {
  const { outputs } = trace.header;
  const { dtype, cotangentDtype } = subject.settings;
  const underflow = Math.max(smallestNormal(dtype), smallestNormal(cotangentDtype));
  const epsilon = Math.max(epsilonOf(dtype), epsilonOf(cotangentDtype));
  const tests: DotProduct[] = [];
  for (let n = 1; n <= TESTS; n++) {
    const v = direction(n, x);
    const u = weights(n, outputSize(outputs));
    const tangents = tangentsAt(subject, layout, x, v);
    const pulled = runAt(subject, layout, x, cotangentOf(outputs, u));
    const gradient = layout.vector(pulled.report.gradient);
    const jvp = dot(u, tangents);
    const vjp = dot(gradient, v);
    const difference = Math.abs(jvp - vjp);
    const size = Math.max(dotSize(u, tangents), dotSize(gradient, v));
    // what cancels on the way leaves the roundings of its terms
    const cancelled =
      64 * epsilon * largestContribution(pulled) * v.reduce((most, t) => Math.max(most, Math.abs(t)), 0);
    const tolerance = Math.max(relative * size, cancelled, underflow);
    tests.push({ jvp, vjp, difference, tolerance, ok: difference <= tolerance });
  }
  const wrong = tests.find(({ ok }) => !ok);
  if (wrong === undefined) return { tests, notes: [] };
  const message = `JVP and VJP disagree: u . (J v) is ${wrong.jvp}, (u^T J) . v is ${wrong.vjp}`;
  return { tests, notes: [checkNote("jvp-vjp", "finding", message, subject.definition.site)] };
}
