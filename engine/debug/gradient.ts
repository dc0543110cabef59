/** The gradient of a recorded sweep, read off its trace. */
import { nestedElements } from "../trace/arrays.js";
import { cotangent, isArray, isKnown } from "../report/quantity.js";
import type { Gradient, GradientValue } from "../report/report.js";
import type { Timeline } from "../timeline/timeline.js";

/** By input, 0 where the output does not depend on it; of an array whose elements are not all kept its mean everywhere. */
export function gradientOf(timeline: Timeline): Gradient {
  const out: Record<string, GradientValue> = Object.create(null);
  const at = (node: number): GradientValue => {
    const bar = cotangent(timeline, node);
    if (bar === undefined) return 0;
    if (!isArray(bar)) return bar;
    return isKnown(bar) ? ((nestedElements(bar) as GradientValue | null) ?? bar.mean) : NaN;
  };
  for (const { name, first, count, shape, tensor } of timeline.trace.header.inputs) {
    if (tensor === true || shape.length === 0) out[name] = at(first);
    else out[name] = Array.from({ length: count }, (_, i) => at(first + i));
  }
  return { ...out };
}
