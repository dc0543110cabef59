/** Recording in lean memory: inputs, and any primitive by opcode. What has a form of its own does not come here. */
import { idOf, primal, tapeOf, TracedNumber, type Operand } from "../tape/traced.js";
import { foreign } from "./active.js";
import type { Lean } from "./lean.js";
import type { Recorder } from "./recorder.js";
import { primitives } from "./table.js";

/** Inputs in a row. */
export function leanInputs(
  recorder: Recorder,
  lean: Lean,
  values: readonly number[],
  site: number,
): TracedNumber[] {
  lean.at(site);
  const first = lean.inputs(values);
  if (lean.crowded) recorder.makeRoom();
  const list = new Array<TracedNumber>(values.length);
  // no `map`: methods of arrays are those of the realm, and slower
  for (let i = 0; i < list.length; i++) list[i] = new TracedNumber(first + i, values[i], recorder.store);
  return list;
}

/** @throws BacksweepError `definition` for an operand of another recording */
export function recordLeanly(
  recorder: Recorder,
  lean: Lean,
  code: number,
  operands: readonly Operand[],
  site: number,
): TracedNumber {
  const handles = operands.map((x) => {
    if (typeof x === "number") return lean.constant(x);
    if (tapeOf(x) !== recorder.store) throw foreign(site);
    return idOf(x);
  });
  const row = primitives[code];
  let id: number;
  if (row.arity === 3) {
    lean.at(site);
    id = lean.apply(row.name, ...handles);
  } else {
    const [x, y = 0] = operands.map(primal);
    id = lean.put(code, handles[0], handles[1] ?? 0, row.value(x, y, 0), site);
  }
  const value = lean.newest();
  if (lean.crowded) recorder.makeRoom();
  return new TracedNumber(id, value, recorder.store);
}
