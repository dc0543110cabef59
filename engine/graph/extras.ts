/** What a graph function can call beside arithmetic: named scopes, cuts, own primitives, the graph's random stream. */
import { activeRecorder, foreign, type CustomRule } from "../ops/recorder.js";
import { philoxUniform } from "../replay/philox.js";
import { isMapped, noMore, notMapped, onlyOptions } from "./arguments.js";
import { cutArray } from "../ops/array/recorder.js";
import { toNested } from "../tape/ndarray.js";
import { OP_CUT } from "../tape/tape.js";
import { isTensor, Tensor } from "../tape/tensor.js";
import { callArray } from "./array-calls.js";
import { describe } from "./describe.js";
import { call, callRow, type ScopeHandle } from "../tape/callsite.js";
import { isTraced, primal, TracedNumber, type Operand, idOf } from "../tape/traced.js";
import { BacksweepError } from "../trace/failure.js";
import { ScopeType } from "../trace/trace.js";
import { randomStream } from "./stream.js";

/** Runs `fn` inside a named scope: its operations are grouped, and its random draws keyed, by that name. */
export function scope<T>(name: string, fn: () => T, ...surplus: never[]): T {
  noMore("scope(name, fn)", surplus);
  if (typeof fn !== "function")
    throw new BacksweepError("definition", "scope(name, fn): fn must be a function", call.site);
  const recorder = activeRecorder();
  if (recorder === null) return fn();
  const outer = call.scope;
  const site = call.site;
  const parent = callRow();
  let row = -1;
  const handle: ScopeHandle = {
    row: () =>
      row < 0 ? (row = recorder.scopes.add(parent, String(name), ScopeType.region, -1, site)) : row,
  };
  const stream = randomStream(recorder);
  call.scope = handle;
  stream.enter(String(name));
  try {
    return fn();
  } finally {
    stream.leave();
    call.scope = outer;
  }
}

const STOPPED = "stopGradient: no derivative flows back from here";

/**
 * The value of x with no derivative flowing back from here; recorded as a cut. It is also how a program says that a use
 * of the plain value is meant: `table[stopGradient(i)]` and `${stopGradient(x)}` are no cuts of their own.
 */
export function stopGradient(x: number): number;
export function stopGradient(x: Tensor): Tensor;
export function stopGradient(x: number | Tensor, ...surplus: never[]): number | Tensor {
  if (surplus.length > 0 && !isMapped([x, ...surplus])) noMore("stopGradient(x)", surplus);
  if (isTensor(x)) return stopped(x);
  const operand = x as unknown as Operand;
  if (!isTraced(operand)) return x;
  const recorder = activeRecorder();
  if (recorder === null) return primal(operand);
  recorder.note("cut", idOf(operand), call.site, STOPPED, true);
  return recorder.cut(operand, call.site, callRow()) as unknown as number;
}

function stopped(x: Tensor): Tensor {
  const recorder = activeRecorder();
  if (Tensor.tape(x) === null) return x;
  if (recorder === null) throw foreign(call.site);
  recorder.note("cut", Tensor.id(x), call.site, STOPPED, true);
  return cutArray(recorder, OP_CUT, x, call.site, callRow());
}

export interface CustomSpec {
  /** shown as the operation's name; default "custom" */
  readonly name?: string;
  /** the value; called with plain numbers */
  forward(...operands: number[]): number;
  /**
   * Contribution to each operand for output cotangent g, given output y and the operands; linear in g. Second derivatives
   * differentiate it: then it is called with traced numbers (explicit calls, or a loaded file).
   */
  vjp(g: number, y: number, ...operands: number[]): readonly number[] | number;
  /** tangent of the output for operand tangents, or absent: taken from the VJP */
  jvp?(tangents: readonly number[], y: number, ...operands: number[]): number;
}

/** A user's own primitive with its derivative rule. Throws `definition` when a rule returns anything but numbers. */
export function custom(spec: CustomSpec, ...surplus: never[]): (...operands: number[]) => number {
  noMore("custom({ forward, vjp, jvp?, name? })", surplus);
  onlyOptions("custom", ["name", "forward", "vjp", "jvp"], spec, "custom({ forward, vjp })");
  if (typeof spec?.forward !== "function" || typeof spec.vjp !== "function") {
    throw new BacksweepError(
      "definition",
      "custom({ forward, vjp, jvp? }): forward and vjp must be functions",
      call.site,
    );
  }
  const name = spec.name ?? "custom";
  return (...operands) => {
    const site = call.site;
    const values = operands.map((x) => primal(x as unknown as Operand));
    const y = plain(spec.forward(...values), `${name}: forward`, site);
    const recorder = activeRecorder();
    if (recorder === null || !operands.some((x) => isTraced(x))) return y;
    return recorder.custom(
      ruleOf(spec, name, site),
      operands as unknown as Operand[],
      y,
      site,
      callRow(),
    ) as unknown as number;
  };
}

function plain(value: unknown, who: string, site: number): number {
  if (typeof value === "number") return value;
  if (value instanceof TracedNumber) {
    throw new BacksweepError(
      "definition",
      `${who} returned a traced number: use only its own arguments`,
      site,
    );
  }
  throw new BacksweepError("definition", `${who} must return a number`, site);
}

function ruleOf(spec: CustomSpec, name: string, site: number): CustomRule {
  const pull = (g: unknown, operands: readonly unknown[], output: unknown): unknown[] => {
    const result: unknown = spec.vjp(g as number, output as number, ...(operands as number[]));
    const list = typeof result === "number" || isTraced(result) ? [result] : result;
    if (Array.isArray(list) && list.length === operands.length) return list;
    throw new BacksweepError(
      "no-rule",
      `${name}: vjp must return ${operands.length} contribution${operands.length === 1 ? "" : "s"}, one an operand`,
      site,
    );
  };
  return {
    name,
    forward: (operands) => plain(spec.forward(...operands), `${name}: forward`, site),
    vjp: (g, operands, output) => pull(g, operands, output).map((x) => plain(x, `${name}: vjp`, site)),
    tracedVjp: (g, operands, output) =>
      pull(g, operands, output).map((x) => (isTraced(x) ? x : plain(x, `${name}: vjp`, site))),
    jvp:
      spec.jvp === undefined
        ? null
        : (tangents, operands, output) =>
            plain(spec.jvp!(tangents, output, ...operands), `${name}: jvp`, site),
  };
}

/** A draw from the graph's own stream, uniform in [0, 1). Outside a graph it is refused, to keep runs repeatable. */
export function random(...surplus: never[]): number {
  // what map and Array.from hand over asks for nothing
  const [element, index] = surplus as readonly unknown[];
  const handed =
    isMapped(surplus) || (surplus.length === 2 && element === undefined && typeof index === "number");
  if (!handed) noMore("random(), which is uniform in [0, 1)", surplus);
  const recorder = activeRecorder();
  if (recorder === null) {
    throw new BacksweepError(
      "definition",
      "random() belongs to a graph's own stream: call it inside the graph function",
      call.site,
    );
  }
  const value = philoxUniform(randomStream(recorder).next());
  recorder.draw(value, call.site);
  return value;
}

/** A standard normal draw (Box and Muller 1958) from the graph's own stream. */
export function normal(mean?: number, deviation?: number, ...surplus: never[]): number {
  if (mean === undefined && deviation !== undefined)
    throw new BacksweepError(
      "definition",
      "normal(mean, deviation): a deviation needs a mean; given to Array.from it would take the index for one: write () => normal()",
      call.site,
    );
  notMapped("normal(mean, deviation)", [mean, deviation, ...surplus]);
  for (const [name, x] of Object.entries({ mean, deviation }))
    if (x !== undefined && typeof x !== "number" && !isTraced(x))
      throw new BacksweepError(
        "definition",
        `normal(mean, deviation): ${name} must be a number, not ${describe(x)}`,
        call.site,
      );
  const radius = Math.sqrt(-2 * Math.log(1 - random()));
  return (mean ?? 0) + (deviation ?? 1) * radius * Math.cos(2 * Math.PI * random());
}

/** Inverted dropout: x / (1 - p) with probability 1 - p, else 0 times x, so that the draw decides the local derivative. */
export function dropout(x: number, p: number): number;
/** Every element by a draw of its own. */
export function dropout(x: Tensor, p: number): Tensor;
export function dropout(x: number | Tensor, p: number, ...surplus: never[]): number | Tensor {
  noMore("dropout(x, p)", surplus);
  if (typeof p !== "number" && !isTraced(p))
    throw new BacksweepError(
      "definition",
      `dropout(x, p): p must be a number, not ${describe(p)}`,
      call.site,
    );
  if (!(p >= 0 && p < 1))
    throw new BacksweepError("definition", `dropout: p must be in [0, 1), not ${p}`, call.site);
  if (isTensor(x)) {
    const draws = Array.from({ length: x.size }, () => (random() >= p ? 1 : 0));
    return callArray("dropoutMask", [x], {
      p,
      mask: toNested({ shape: x.shape, data: Float64Array.from(draws) }),
    });
  }
  const keep = random() >= p ? 1 / (1 - p) : 0;
  const operand = x as unknown as Operand;
  const recorder = activeRecorder();
  if (recorder === null || !isTraced(operand)) return primal(operand) * keep;
  return recorder.apply("mul", [operand, keep], call.site, callRow()) as unknown as number;
}
