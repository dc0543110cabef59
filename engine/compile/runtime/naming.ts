/** Names of nodes: the first variable, property or element a value is assigned to. Only counted while recording. */
import { isNamed, primal } from "../../tape/traced.js";
import { isTensor } from "../../tape/tensor.js";
import { namedRecorder, type Recorder } from "../../ops/recorder.js";
import { ELEMENT } from "../../tape/names.js";
import { traced } from "./operators.js";
import { cut } from "./notes.js";
import type { Scope } from "./scope.js";

/** Elements of an array that get a name when the array is assigned to a variable. */
const MOST_ELEMENTS = 1000;

/** A value is assigned to a variable or property of the function instance `scope`. Answers the value. */
export function name<T>(value: T, slot: number, scope: Scope): T {
  const recorder = namedRecorder();
  if (recorder !== null && scope !== undefined) nameLive(recorder, value, slot, scope);
  return value;
}

function nameLive(recorder: Recorder, value: unknown, slot: number, scope: Scope): void {
  const instance = scope.count(slot, recorder);
  const base = scope.info.names[slot];
  if (instance === 1) recorder.names.again(base, scope.row());
  if (traced(value)) {
    if (!isNamed(value)) recorder.name(value, base, scope.row(), instance);
  } else if (isTensor(value)) {
    recorder.nameTensor(value, base, scope.row(), instance);
  } else if (Array.isArray(value)) {
    const end = Math.min(value.length, MOST_ELEMENTS);
    for (let i = 0; i < end; i++) {
      const element: unknown = value[i];
      if (traced(element) && !isNamed(element))
        recorder.name(element, `${base}[${i}]`, scope.row(), instance);
    }
  }
}

/** True for a typed array or a view of bytes, whose elements are plain numbers whatever is stored in them. */
export const view: (x: unknown) => x is ArrayBufferView = ArrayBuffer.isView;

/** A value is stored as an element of `object`; a typed array takes the primal. */
export function element(
  value: unknown,
  object: unknown,
  key: unknown,
  site: number,
  slot: number,
  scope: Scope,
): unknown {
  if (!traced(value)) return value;
  if (ArrayBuffer.isView(object)) return cut(value, scope.base + site, "stored in a typed array", false);
  const recorder = namedRecorder();
  if (recorder !== null && !isNamed(value)) {
    const base = `${scope.info.names[slot]}[${String(traced(key) ? primal(key) : key)}]`;
    const row = scope.row();
    recorder.name(value, base + ELEMENT, row, recorder.names.count(base, row));
  }
  return value;
}
