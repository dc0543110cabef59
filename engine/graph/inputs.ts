/** Makes the graph function's argument: traced scalars, arrays of traced scalars. */
import type { Recorder } from "../ops/recorder.js";
import type { TracedNumber } from "../tape/traced.js";
import { BacksweepError } from "../trace/failure.js";
import type { InputInfo } from "../trace/trace.js";
import type { GraphDefinition, InputValue } from "./definition.js";

export interface MadeInputs {
  readonly argument: Readonly<Record<string, TracedNumber | TracedNumber[]>>;
  readonly infos: readonly InputInfo[];
}

export function makeInputs(
  recorder: Recorder,
  definition: GraphDefinition,
  set: Readonly<Record<string, InputValue>>,
): MadeInputs {
  const known = Object.keys(definition.inputs);
  for (const name of Object.keys(set)) {
    if (!Object.hasOwn(definition.inputs, name)) {
      throw new BacksweepError(
        "option",
        `--set ${name}: there is no input "${name}"; inputs are ${known.join(", ") || "none"}`,
      );
    }
  }
  if (definition.given === true && Object.keys(set).length > 0) {
    throw new BacksweepError(
      "option",
      "--set: the values of a tape([...]) are given, its inputs cannot be set",
    );
  }
  const argument: Record<string, TracedNumber | TracedNumber[]> = Object.create(null);
  const infos: InputInfo[] = [];
  for (const name of known) {
    const given = definition.inputs[name];
    const value = Object.hasOwn(set, name) ? set[name] : given;
    if ((typeof value === "number") !== (typeof given === "number")) {
      const wanted = typeof given === "number" ? "one number" : `an array of ${given.length} numbers`;
      throw new BacksweepError("option", `--set ${name}: the input takes ${wanted}`);
    }
    const first = recorder.tape.length;
    if (typeof value === "number") {
      argument[name] = recorder.input(name, value, definition.site);
      infos.push({ name, first, count: 1, shape: [] });
    } else {
      argument[name] = value.map((x, i) => recorder.input(`${name}[${i}]`, x, definition.site));
      infos.push({ name, first, count: value.length, shape: [value.length] });
    }
  }
  return { argument, infos };
}
