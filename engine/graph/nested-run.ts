/**
 * A function called inside a running graph function, to be differentiated there: it is recorded on the same tape, so
 * that closed-over traced values stay what they are. Its inputs are copies, so that a closed-over use of the same value
 * is no part of the inner derivative (perturbation confusion: Siskind and Pearlmutter 2005).
 */
import { asTensor, copyArray } from "../ops/array/recorder.js";
import { activeRecorder, type Recorder } from "../ops/recorder.js";
import { opcode } from "../ops/table.js";
import { call, callRow, type ScopeHandle } from "../tape/callsite.js";
import { sameShape, shapeText } from "../tape/ndarray.js";
import { isTensor, type Tensor } from "../tape/tensor.js";
import { isTraced, type Operand } from "../tape/traced.js";
import { BacksweepError } from "../trace/failure.js";
import { ScopeType, type InputInfo, type OutputInfo } from "../trace/trace.js";
import { operandOf } from "./array-calls.js";
import { describe, isGraph, type GraphDefinition } from "./definition.js";
import { arrayOf, isArrayInput } from "./inputs.js";
import { NodeReader } from "./nested-tape.js";
import { readOutputs } from "./outputs.js";
import { namedPoint, type Differentiable, type Named } from "./point.js";
import { withStream } from "./stream.js";

const MUL = opcode("mul");

export interface NestedRun {
  readonly recorder: Recorder;
  /** the copies are nodes first .. first + copies, what the function recorded follows up to `end` */
  readonly first: number;
  readonly copies: number;
  readonly end: number;
  readonly inputs: readonly InputInfo[];
  readonly outputs: readonly OutputInfo[];
  /** 1 for nodes first .. end that depend on the copies, by offset */
  readonly depends: Uint8Array;
  readonly named: Pick<Named, "wrap" | "unwrap">;
  /** scopes row for what the query records itself */
  readonly region: ScopeHandle;
  readonly site: number;
}

/** A named group of operations; its row is made when something is recorded in it. */
export function regionOf(recorder: Recorder, name: string, parent: ScopeHandle | null): ScopeHandle {
  const { site } = call;
  const above = parent ?? call.scope;
  let row = -1;
  return {
    row: () => {
      if (row < 0)
        row = recorder.scopes.add(above === null ? callRow() : above.row(), name, ScopeType.region, -1, site);
      return row;
    },
  };
}

/**
 * Calls `what` at `at` within the recording in progress.
 *
 * @param query the query's name, for messages and as the name of the group: "gradient"
 * @throws BacksweepError `definition` for a bad point or result, at the call's place
 */
export function runNested(what: Differentiable, at: unknown, query: string): NestedRun {
  const recorder = activeRecorder()!;
  const { site, scope } = call;
  const { named, fn, point, options } = callee(recorder, what, at, query, site);
  const region = regionOf(recorder, query, null);
  const inner = regionOf(recorder, "function", region);
  // an array made of traced numbers is stacked before the copies begin
  const values = arraysOf(point);
  const first = recorder.tape.length;
  const { argument, inputs } = copyInputs(recorder, values, inner.row(), site);
  const copies = recorder.tape.length - first;
  const calls = (): unknown => fn(argument);
  let result: unknown;
  try {
    call.scope = inner;
    // a definition has a stream of its own, as it has outside; a function draws from that of the graph it stands in
    result = options === null ? calls() : withStream(recorder, options.seed ?? 0, calls);
  } finally {
    call.site = site;
    call.scope = scope;
  }
  if (result instanceof Promise) {
    // the rejection, if any, is of no interest any more
    result.catch(() => undefined);
    throw new BacksweepError(
      "definition",
      `${query}: the function returned a promise: a sweep needs its result now`,
      site,
    );
  }
  const outputs = readOutputs(recorder, result, options?.cotangent, site);
  const end = recorder.tape.length;
  const depends = dependents(recorder, first, copies, end);
  return { recorder, first, copies, end, inputs, outputs, depends, named, region, site };
}

interface Callee {
  readonly named: Pick<Named, "wrap" | "unwrap">;
  readonly fn: (argument: unknown) => unknown;
  readonly point: Readonly<Record<string, unknown>>;
  readonly options: GraphDefinition["options"] | null;
}

function callee(recorder: Recorder, what: Differentiable, at: unknown, query: string, site: number): Callee {
  if (!isGraph(what)) {
    if (typeof what !== "function") {
      throw new BacksweepError(
        "definition",
        `${query}: a function or a graph definition is wanted, not ${describe(what)}`,
        site,
      );
    }
    const named = namedPoint(at, (x) => typeof x === "number" || isTraced(x));
    const fn = what as unknown as (point: unknown) => unknown;
    return {
      named,
      fn: (argument) => fn(named.argument(argument as object)),
      point: named.inputs,
      options: null,
    };
  }
  if (what.wrong !== undefined) throw what.wrong;
  const given: Record<string, unknown> = { ...(at as object | undefined) };
  const known = Object.keys(what.inputs);
  for (const name of Object.keys(given)) {
    if (!known.includes(name)) {
      throw new BacksweepError(
        "option",
        `${query}: there is no input "${name}"; inputs are ${known.join(", ") || "none"}`,
        site,
      );
    }
    if (isArrayInput(what.inputs[name])) {
      given[name] = arrayGiven(given[name], name, what.inputs[name], query, site);
    } else if (Array.isArray(what.inputs[name]) !== Array.isArray(given[name])) {
      const wanted = Array.isArray(what.inputs[name]) ? "an array of numbers" : "one number";
      throw new BacksweepError("option", `${query}: the input "${name}" takes ${wanted}`, site);
    }
  }
  if (what.given === true && Object.keys(given).length > 0) {
    throw new BacksweepError(
      "option",
      `${query}: the values of a tape([...]) are given, its inputs cannot be set`,
      site,
    );
  }
  refuseOtherFormat(recorder, what, query, site);
  return {
    named: { wrap: (point) => point, unwrap: (byName) => byName },
    fn: what.fn as (argument: unknown) => unknown,
    point: { ...what.inputs, ...given },
    options: what.options,
  };
}

/** The value of an array input: a tensor of the shape it was defined with. */
function arrayGiven(value: unknown, name: string, defined: unknown, query: string, site: number): Tensor {
  const { shape } = arrayOf(defined, name, site);
  const array = typeof value === "number" || isTraced(value) ? value : operandOf(value, query, 0, site);
  if (isTensor(array) && sameShape(array.shape, shape)) return array;
  const found = isTensor(array) ? `, not ${shapeText(array.shape)}` : "";
  throw new BacksweepError(
    "option",
    `${query}: the input "${name}" takes an array of shape ${shapeText(shape)}${found}`,
    site,
  );
}

/** Nested arrays and typed arrays of a point as tensors; numbers, lists of numbers and tensors as they are. */
function arraysOf(point: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const out: Record<string, unknown> = Object.create(null);
  for (const [name, value] of Object.entries(point)) {
    if (!isArrayInput(value) || isTensor(value)) out[name] = value;
    else {
      const made = operandOf(value, name, 0, call.site);
      out[name] = asTensor(made);
    }
  }
  return out;
}

/** An inner graph is recorded by the outer one's rules; where its own would differ, that is said. */
function refuseOtherFormat(recorder: Recorder, what: GraphDefinition, query: string, site: number): void {
  const { dtype, cotangentDtype, accumulate = "sum" } = what.options;
  const other =
    recorder.round === null ? [dtype, cotangentDtype].find((x) => x !== undefined && x !== "f64") : undefined;
  if (other !== undefined) {
    throw new BacksweepError(
      "option",
      `${query}: a graph of dtype ${other} inside a graph of dtype f64: give the outer one the option`,
      site,
    );
  }
  if (accumulate !== "sum") {
    throw new BacksweepError(
      "option",
      `${query}: inside a graph contributions are added one by one; the inner graph asks for "${accumulate}"`,
      site,
    );
  }
}

/** Every number and every array of the point times 1: a node of its own with the same value, derivative 1 in what it copies. */
function copyInputs(
  recorder: Recorder,
  point: Readonly<Record<string, unknown>>,
  row: number,
  site: number,
): { argument: object; inputs: InputInfo[] } {
  const argument: Record<string, unknown> = Object.create(null);
  const inputs: InputInfo[] = [];
  const copy = (x: unknown, name: string): Operand => {
    if (typeof x !== "number" && !isTraced(x)) {
      throw new BacksweepError("definition", `the point's "${name}" is ${describe(x)}, not a number`, site);
    }
    const made = recorder.binary(MUL, x, 1, site, row);
    recorder.name(made, name, row, -1);
    return made;
  };
  for (const [name, value] of Object.entries(point)) {
    const first = recorder.tape.length;
    if (isTensor(value)) {
      const made = copyArray(recorder, value, site, row);
      recorder.nameTensor(made, name, row, -1);
      argument[name] = made;
      inputs.push({ name, first, count: 1, shape: made.shape, tensor: true });
    } else if (Array.isArray(value)) {
      argument[name] = value.map((x, i) => copy(x, `${name}[${i}]`));
      inputs.push({ name, first, count: value.length, shape: [value.length] });
    } else {
      argument[name] = copy(value, name);
      inputs.push({ name, first, count: 1, shape: [] });
    }
  }
  return { argument, inputs };
}

function dependents(recorder: Recorder, first: number, copies: number, end: number): Uint8Array {
  const depends = new Uint8Array(end - first);
  depends.fill(1, 0, copies);
  const reader = new NodeReader(recorder.tape);
  for (let id = first + copies; id < end; id++) {
    reader.read(id);
    for (let slot = 0; slot < reader.slots; slot++) {
      const from = reader.references[slot] - first;
      if (from >= 0 && depends[from] === 1) depends[id - first] = 1;
    }
  }
  return depends;
}

/** Node of an output if it depends on the inputs, else -1. */
export function dependentNode(run: NestedRun, { node }: OutputInfo): number {
  return node >= run.first && run.depends[node - run.first] === 1 ? node : -1;
}
