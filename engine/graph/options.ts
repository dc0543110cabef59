/** Options of a run: the command line's win over the definition's, the definition's over the defaults. */
import { parseAccumulation } from "../sweep/accumulate.js";
import type { GivenCotangent } from "../sweep/given.js";
import { BacksweepError } from "../trace/failure.js";
import type { Dtype } from "../trace/trace.js";
import { STORE_ALL, strategyOf } from "./schedules.js";
import type { GraphDefinition, GraphOptions, InputValue } from "./definition.js";

/** As asked for by a command line or a panel; absent: the definition's, then the default. */
export interface AskedOptions {
  readonly set?: Readonly<Record<string, InputValue>>;
  readonly seed?: number;
  readonly schedule?: string;
  readonly dtype?: Dtype;
  readonly cotangentDtype?: Dtype;
  readonly accumulate?: string;
  readonly order?: "breadth" | "tape" | readonly number[];
  /** seed of the reverse sweep, as the definition's own option: a what-if asks for another one */
  readonly cotangent?: GraphOptions["cotangent"] | undefined;
  /** cotangents set by hand, which the sweep hands on instead of what it added up: a debugger's what-if */
  readonly given?: readonly GivenCotangent[];
}

export interface RunSettings {
  readonly set: Readonly<Record<string, InputValue>>;
  readonly seed: number;
  readonly schedule: string;
  readonly dtype: Dtype;
  readonly cotangentDtype: Dtype;
  readonly accumulate: string;
  readonly order: "breadth" | "tape" | readonly number[];
  readonly cotangent: GraphOptions["cotangent"];
  readonly given?: readonly GivenCotangent[];
}

export const dtypes: readonly Dtype[] = ["f64", "f32", "f16", "bf16"];

/** Checks and completes the options. Throws `option` naming the bad one. */
export function resolveOptions(definition: GraphDefinition, asked: AskedOptions): RunSettings {
  const own = definition.options;
  const dtype = asked.dtype ?? own.dtype ?? "f64";
  const cotangentDtype = asked.cotangentDtype ?? own.cotangentDtype ?? dtype;
  for (const [option, value] of [
    ["dtype", dtype],
    ["cotangentDtype", cotangentDtype],
  ] as const) {
    if (!dtypes.includes(value)) {
      throw new BacksweepError(
        "option",
        `unknown ${option} "${value}": use ${dtypes.join(", ")}`,
        definition.site,
      );
    }
  }
  const accumulate = asked.accumulate ?? own.accumulate ?? "sum";
  parseAccumulation(accumulate);
  const schedule = asked.schedule ?? own.schedule ?? STORE_ALL;
  strategyOf(schedule);
  const seed = asked.seed ?? own.seed ?? 0;
  if (!Number.isSafeInteger(seed) || seed < 0) {
    throw new BacksweepError(
      "option",
      `the seed must be an integer from 0 to 2^53 - 1, not ${seed}`,
      definition.site,
    );
  }
  return {
    set: asked.set ?? {},
    seed,
    schedule,
    dtype,
    cotangentDtype,
    accumulate,
    order: asked.order ?? "breadth",
    cotangent: asked.cotangent ?? own.cotangent,
    ...(asked.given === undefined ? {} : { given: asked.given }),
  };
}
