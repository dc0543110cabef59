/** `chain(length, state, step)`: a loop whose states can be checkpointed. */
import { activeRecorder, type Recorder } from "../ops/recorder.js";
import { call, callRow, type ScopeHandle } from "../tape/callsite.js";
import { Tape } from "../tape/tape.js";
import { BacksweepError } from "../trace/failure.js";
import { ScopeType, SegmentKind } from "../trace/trace.js";
import { noMore, onlyOptions } from "./arguments.js";
import { describe } from "./definition.js";
import { layerOf } from "./coupling.js";
import { LayerRows } from "./layer-rows.js";
import { openRegions, type Body } from "./regions.js";
import { REVERSIBLE } from "./schedules.js";
import { formOf, leavesOf, type ChainState, type Form } from "./state.js";
import { instanceKey, randomStream } from "./stream.js";

export interface ChainOptions {
  /** how the chain is called in views, reports and messages; default "chain" */
  readonly name?: string;
}

/** A number literal as a state stands for any number. */
export type Widened<S> = S extends number
  ? number
  : S extends readonly (infer E)[]
    ? number extends S["length"]
      ? Widened<E>[]
      : { -readonly [K in keyof S]: Widened<S[K]> }
    : S extends { readonly [name: string]: unknown }
      ? { -readonly [K in keyof S]: Widened<S[K]> }
      : S;

/**
 * Applies `step` to the state `length` times and returns the last state: `for (i = 0; i < length; i++) state = step(state,
 * i)`. Under a schedule (`--schedule revolve:8`) only some states are kept, and steps run again when the reverse sweep
 * needs what was dropped; the gradient is the same to the last bit. So a step must do the same whenever it runs: it may
 * read what stands around it, and draw from `random()`, but not count its calls or write to variables outside.
 *
 * Griewank and Walther, "Algorithm 799: revolve", ACM Transactions on Mathematical Software 26 (2000).
 *
 * @param length number of steps, an integer; 0 returns the state
 * @param state a number, a tensor, an array or a record of these; every step returns one of the same form
 * @param step the next state from the state and the step's number, counted from 0
 * @throws BacksweepError `definition` for a length that is none, a state of another kind, or a step that changes its form
 */
export function chain<S extends ChainState>(
  length: number,
  state: S,
  step: (state: Widened<S>, i: number) => Widened<S>,
  options: ChainOptions = {},
  ...surplus: never[]
): Widened<S> {
  const { site } = call;
  onlyOptions("chain", ["name"], options, 'chain(length, state, step, { name: "layers" })');
  noMore("chain(length, state, step, options)", surplus);
  const name = options.name ?? "chain";
  if (!Number.isSafeInteger(length) || length < 0) {
    throw new BacksweepError(
      "definition",
      `${name}: the length must be an integer of at least 0, not ${typeof length === "number" ? length : describe(length)}`,
      site,
    );
  }
  if (typeof step !== "function")
    throw new BacksweepError("definition", `${name}(length, state, step): the step must be a function`, site);
  const form = formOf(state, `${name}: the state`, site);
  const next = (value: unknown, i: number): unknown => {
    const made: unknown = step(value as Widened<S>, i);
    if (made instanceof Promise) {
      // the rejection, if any, is of no interest any more
      made.catch(() => undefined);
      throw new BacksweepError("definition", `${name}: step ${i} returned a promise`, site);
    }
    return made;
  };
  const recorder = activeRecorder();
  if (length === 0) return state as unknown as Widened<S>;
  if (recorder === null) return plain(length, state, next, form, name, site) as Widened<S>;
  return recorded(recorder, length, state, step, next, form, name, site) as Widened<S>;
}

/** Outside a graph it only computes. */
function plain(
  length: number,
  state: unknown,
  next: (value: unknown, i: number) => unknown,
  form: Form,
  name: string,
  site: number,
): unknown {
  let value = state;
  for (let i = 0; i < length; i++) {
    value = next(value, i);
    leavesOf(form, value, none, stateAfter(name, i), site);
  }
  return value;
}

/** The tape of values that are on none. */
const none = new Tape();

const stateAfter = (name: string, i: number): string => `${name}: the state after step ${i}`;

function recorded(
  recorder: Recorder,
  length: number,
  state: unknown,
  step: unknown,
  next: (value: unknown, i: number) => unknown,
  form: Form,
  name: string,
  site: number,
): unknown {
  const stream = randomStream(recorder);
  const outer = call.scope;
  const parent = callRow();
  stream.enter(name);
  const { key } = stream;
  const inStep = (run: (value: unknown) => unknown, value: unknown, i: number): unknown => {
    call.site = site;
    call.scope = stepScope(recorder, parent, name, i, site);
    stream.enterNumbered("step", i);
    try {
      return run(value);
    } finally {
      stream.leave();
      call.scope = outer;
    }
  };
  const first = (value: unknown, i: number): unknown => inStep((state) => next(state, i), value, i);
  try {
    const regions = openRegions(recorder);
    if (regions === null) {
      let value = state;
      for (let i = 0; i < length; i++) {
        value = first(value, i);
        leavesOf(form, value, recorder.store, stateAfter(name, i), site);
      }
      return value;
    }
    const layer = layerOf(step);
    const layers =
      layer === null
        ? null
        : new LayerRows(
            layer,
            recorder,
            name,
            () => regions.list.at(-1)?.executor?.schedule.name === REVERSIBLE,
          );
    const body: Body = {
      kind: layer === null ? SegmentKind.step : SegmentKind.coupling,
      name,
      site,
      count: length,
      streamKey: (i) => instanceKey(key, "step", i),
      form: () => form,
      first: layers === null ? first : (value, i) => inStep((state) => layers.run(state, i), value, i),
      again: next,
      describe: (i) => stateAfter(name, i),
      ...(layers === null ? {} : { layers }),
    };
    return regions.run(body, state, () => undefined);
  } finally {
    stream.leave();
    call.site = site;
    call.scope = outer;
  }
}

/** The scope of a step: one row an iteration, as a loop has, made when something is recorded in it. */
function stepScope(recorder: Recorder, parent: number, name: string, i: number, site: number): ScopeHandle {
  let row = -1;
  return {
    row: () => (row < 0 ? (row = recorder.scopes.add(parent, name, ScopeType.loop, i, site)) : row),
  };
}
