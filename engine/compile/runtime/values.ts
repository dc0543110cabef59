/** Places where only the primal counts: truth, `typeof`, keys, text, bits, `switch`. */
import { activeRecorder } from "../../ops/recorder.js";
import { type TracedNumber, primal } from "../../tape/traced.js";
import { cut } from "./notes.js";
import { traced } from "./operators.js";
import type { Scope } from "./scope.js";

/** Records the truth test of a traced number; answers its outcome. */
export function decideTruth(x: TracedNumber, site: number, row: number): boolean {
  const outcome = Boolean(primal(x));
  activeRecorder()?.decision("truth", x, 0, outcome, site, row);
  return outcome;
}

/** Truth of a condition. */
export function truth(x: unknown, site: number, scope: Scope): boolean {
  if (!traced(x)) return x ? true : false;
  return decideTruth(x, scope.base + site, scope.row());
}

/** Left operand of `||`: itself if it is true, else something false, which `||` throws away. */
export function or(x: unknown, site: number, scope: Scope): unknown {
  if (!traced(x)) return x;
  return decideTruth(x, scope.base + site, scope.row()) ? x : 0;
}

export function typeOf(x: unknown): string {
  return traced(x) ? "number" : typeof x;
}

/** A computed key or index. */
export function index(x: unknown, site: number, scope: Scope): unknown {
  return traced(x) ? cut(x, scope.base + site, "used as an index") : x;
}

/** An operand of a bit operation. */
export function bits(x: unknown, site: number, scope: Scope): unknown {
  return traced(x) ? cut(x, scope.base + site, "used in a bit operation") : x;
}

/** A substitution in a template string. */
export function text(x: unknown, site: number, scope: Scope): unknown {
  return traced(x) ? cut(x, scope.base + site, "turned into text") : x;
}

let lastThrown: { readonly value: unknown; readonly site: number } | null = null;

/** A value that is thrown; its place is kept, since only errors know their own. */
export function thrown<T>(value: T, site: number, scope: Scope): T {
  lastThrown = { value, site: scope.base + site };
  return value;
}

/** Site of the `throw` that threw this very value last, -1 for another. */
export function thrownAt(value: unknown): number {
  return lastThrown !== null && Object.is(lastThrown.value, value) ? lastThrown.site : -1;
}

/** The value a `switch` is about. */
export function discriminant(x: unknown, site: number, scope: Scope): unknown {
  if (!traced(x)) return x;
  activeRecorder()?.decision("switch", x, primal(x), true, scope.base + site, scope.row());
  return primal(x);
}

/** The value of a `case`. */
export function arm(x: unknown, site: number, scope: Scope): unknown {
  if (!traced(x)) return x;
  activeRecorder()?.decision("case", x, primal(x), true, scope.base + site, scope.row());
  return primal(x);
}
