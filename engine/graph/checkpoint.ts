/** `checkpoint(fn)`: a segment to drop and replay. */
import { activeRecorder } from "../ops/recorder.js";
import { call, callRow, type ScopeHandle } from "../tape/callsite.js";
import { BacksweepError } from "../trace/failure.js";
import { ScopeType, SegmentKind } from "../trace/trace.js";
import { noMore } from "./arguments.js";
import { openRegions, type Body } from "./regions.js";
import { formOf, type Form } from "./state.js";
import { randomStream } from "./stream.js";

/**
 * The same function as a segment: under any schedule but `store-all` each call keeps its arguments and its result, drops
 * what lies between, and runs again when the reverse sweep comes to it: `const y = checkpoint(block)(x)`. What it closes
 * over it may read. Segments within a chain's step or within another segment are part of that.
 *
 * Chen, Xu, Zhang and Guestrin, "Training deep nets with sublinear memory cost" (2016), section 3.
 *
 * @param fn takes and returns numbers, tensors, arrays and records of them; other values are passed on as they are
 * @throws BacksweepError `definition` where `fn` is no function, or returns a promise
 */
export function checkpoint<A extends unknown[], R>(
  fn: (...args: A) => R,
  ...surplus: never[]
): (...args: A) => R {
  noMore("checkpoint(fn)", surplus);
  if (typeof fn !== "function")
    throw new BacksweepError("definition", "checkpoint(fn): a function is wanted here", call.site);
  const name = fn.name === "" ? "checkpoint" : fn.name;
  return function (this: unknown, ...args: A): R {
    const recorder = activeRecorder();
    if (recorder === null) return fn.apply(this, args);
    const { site, scope } = call;
    const stream = randomStream(recorder);
    const parent = callRow();
    let row = -1;
    const inner: ScopeHandle = {
      row: () => (row < 0 ? (row = recorder.scopes.add(parent, name, ScopeType.region, -1, site)) : row),
    };
    const again = (value: unknown): unknown => {
      const made: unknown = fn.apply(this, value as A);
      if (made instanceof Promise) {
        // the rejection, if any, is of no interest any more
        made.catch(() => undefined);
        throw new BacksweepError("definition", `${name}: a checkpointed function returned a promise`, site);
      }
      return made;
    };
    const first = (value: unknown): unknown => {
      call.scope = inner;
      try {
        return again(value);
      } finally {
        call.scope = scope;
      }
    };
    stream.enter(name);
    const { key } = stream;
    try {
      const regions = openRegions(recorder);
      if (regions === null) return first(args) as R;
      const forms: Form[] = [formOf(args, `${name}: the arguments`, site, true)];
      const body: Body = {
        kind: SegmentKind.checkpoint,
        name,
        site,
        count: 1,
        streamKey: () => key,
        form: (state) => forms[state],
        first,
        again,
        describe: () => `${name}: the result`,
      };
      return regions.run(body, args, (state, value) => {
        forms[state] = formOf(value, `${name}: the result`, site, true);
      }) as R;
    } finally {
      stream.leave();
      call.site = site;
      call.scope = scope;
    }
  };
}
