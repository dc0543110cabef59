/** Operations on arrays put on the tape: plain operands compute, traced ones record a node. */
import { kernels } from "../../kernels/kernels.js";
import { BacksweepError } from "../../trace/failure.js";
import { scalar, type NDArray } from "../../tape/ndarray.js";
import { OP_ARRAY, OP_INPUT, NO_OPERAND } from "../../tape/tape.js";
import { isTensor, Tensor } from "../../tape/tensor.js";
import { idOf, isTraced, primal, setNamed, tapeOf, TracedNumber } from "../../tape/traced.js";
import { foreign, type Recorder } from "../recorder.js";
import { isPrimitive } from "../table.js";
import { rowOf } from "./lookup.js";
import { NumericAlgebra, numeric } from "./numeric.js";
import { ShapeError, type ArrayPrimitive, type Params } from "./row.js";

/** An operand as operations take it: a tensor, a traced number, or a plain number. */
export type ArrayOperand = Tensor | TracedNumber | number;
/** What an operation gives: a tensor, or a number (traced or plain) where the result has rank 0. */
export type ArrayResult = Tensor | TracedNumber | number;

/** A result as a tensor, rank 0 included: what operations on tensors give. */
export function asTensor(x: ArrayResult): Tensor {
  if (typeof x === "number") return new Tensor(scalar(x));
  return isTensor(x) ? x : new Tensor(scalar(primal(x)), idOf(x), tapeOf(x));
}

/** The one element of a tensor as a number, traced where the tensor is; null where there is not exactly one. */
export function asNumber(x: ArrayResult): TracedNumber | number | null {
  if (!isTensor(x)) return x;
  const { shape, data } = Tensor.value(x);
  if (shape.length > 0) return null;
  const tape = Tensor.tape(x);
  return tape === null ? data[0] : new TracedNumber(Tensor.id(x), data[0], tape);
}

/** The elements of an operand. */
export function elementsOf(x: ArrayOperand): NDArray {
  if (typeof x === "number") return scalar(x);
  return isTensor(x) ? Tensor.value(x) : scalar(primal(x));
}

function isRecorded(x: ArrayOperand): boolean {
  return isTraced(x) || (isTensor(x) && Tensor.tape(x) !== null);
}

function result(value: NDArray): ArrayResult {
  return value.shape.length === 0 ? value.data[0] : new Tensor(value);
}

/**
 * Has a recording put its arrays into the kernels' memory, from its first array on. Whoever asks for that calls
 * `giveKernelsBack` when nothing of the recording is read any more.
 */
export function useKernels(recorder: Recorder): void {
  if (recorder.round === null) recorder.arrayState = { inKernels: true, mark: -1, algebra: null };
}

/** Gives back what `useKernels` took. */
export function giveKernelsBack(recorder: Recorder): void {
  const { arrayState } = recorder;
  recorder.tape.released = true;
  if (arrayState !== null && arrayState.mark >= 0) kernels().arena.release(arrayState.mark);
  recorder.arrayState = null;
}

/** The algebra that rounds as the recording does, and puts arrays where the recording has them. */
export function algebraOf(recorder: Recorder): NumericAlgebra {
  return recorder.arrayState?.algebra ?? makeAlgebra(recorder);
}

function makeAlgebra(recorder: Recorder): NumericAlgebra {
  const state = (recorder.arrayState ??= { inKernels: false, mark: -1, algebra: null });
  if (state.inKernels) {
    const set = kernels();
    state.mark = set.arena.mark();
    state.algebra = new NumericAlgebra(null, set);
  } else state.algebra = recorder.round === null ? numeric : new NumericAlgebra(recorder.round);
  return state.algebra;
}

/** The operand as the tape stores it, and its elements as the recording's number format holds them. */
function reference(recorder: Recorder, x: ArrayOperand, site: number): { ref: number; value: NDArray } {
  const { tape, round } = recorder;
  if (typeof x === "number") {
    const value = round === null ? x : round(x);
    return { ref: tape.constant(value), value: scalar(value) };
  }
  if (isTraced(x)) {
    if (tapeOf(x) !== tape) throw foreign(site);
    return { ref: idOf(x), value: scalar(primal(x)) };
  }
  const owner = Tensor.tape(x);
  if (owner !== null) {
    if (owner !== tape) throw foreign(site);
    return { ref: Tensor.id(x), value: Tensor.value(x) };
  }
  const { shape, data } = Tensor.value(x);
  const arena = algebraOf(recorder).kernels?.arena ?? null;
  const value =
    round !== null
      ? { shape, data: data.map((element) => round(element)) }
      : arena === null
        ? Tensor.value(x)
        : { shape, data: arena.copy64(data) };
  const ref = tape.constant(0);
  tape.arrays.setConstant(ref, value);
  return { ref, value };
}

/**
 * Applies a row of the array table. With no recording under way, or no traced operand, it only computes.
 *
 * @throws BacksweepError `definition` with the row's own message where shapes or parameters do not fit
 */
export function applyArray(
  recorder: Recorder | null,
  row: ArrayPrimitive,
  operands: readonly ArrayOperand[],
  params: Params,
  site: number,
  scope: () => number,
): ArrayResult {
  const recorded = operands.some(isRecorded);
  if (recorded && recorder === null) {
    throw new BacksweepError(
      "definition",
      `${row.name}: a traced array is used after its graph function has returned`,
      site,
    );
  }
  try {
    if (!recorded) return result(numeric.evaluate(row, operands.map(elementsOf), params));
    return record(recorder!, row, operands, params, site, scope());
  } catch (error) {
    if (error instanceof ShapeError) throw new BacksweepError("definition", error.message, site);
    throw error;
  }
}

function record(
  recorder: Recorder,
  row: ArrayPrimitive,
  operands: readonly ArrayOperand[],
  params: Params,
  site: number,
  scope: number,
): ArrayResult {
  const { tape } = recorder;
  if (!operands.some(isTensor) && isPrimitive(row.name))
    return recorder.apply(row.name, operands as (TracedNumber | number)[], site, scope);
  const refs = new Array<number>(operands.length);
  const values = new Array<NDArray>(operands.length);
  for (let i = 0; i < refs.length; i++) {
    const { ref, value } = reference(recorder, operands[i], site);
    refs[i] = ref;
    values[i] = value;
  }
  const value = algebraOf(recorder).evaluate(row, values, params);
  reserve(recorder, value, site);
  if (row.kink !== undefined && !recorder.bare) {
    const constants = operands.reduce<number>((bits, x, i) => (isRecorded(x) ? bits : bits | (1 << i)), 0);
    const convention = row.kink(values, params, constants);
    if (convention !== null)
      recorder.note("kink", tape.length, site, `${row.name} is not differentiable here: ${convention}`);
  }
  const rankless = value.shape.length === 0;
  const first = tape.operandList(refs);
  const primalValue = rankless ? value.data[0] : 0;
  const id = tape.push(OP_ARRAY, first, refs.length, primalValue, site, scope);
  tape.arrays.set(id, { op: row.name, params, shape: value.shape, value: rankless ? null : value });
  return rankless ? new TracedNumber(id, primalValue, tape) : new Tensor(value, id, tape);
}

/** Refuses elements the recording has no room for, before they are kept. */
function reserve(recorder: Recorder, value: NDArray, site: number): void {
  const { tape } = recorder;
  if (tape.arraysLimitBytes === Infinity) return;
  if (tape.arrays.bytes + tape.bytes + value.data.byteLength > tape.arraysLimitBytes) {
    throw new BacksweepError(
      "memory",
      `out of memory: the arrays of this recording would pass the limit; raise it with --memory or the setting backsweep.run.memory`,
      site,
    );
  }
}

/** Records an input array. */
export function inputArray(recorder: Recorder, name: string, given: NDArray, site: number): Tensor {
  const { tape, round } = recorder;
  const data = algebraOf(recorder).alloc(given.data.length);
  if (round === null) data.set(given.data);
  else for (let i = 0; i < data.length; i++) data[i] = round(given.data[i]);
  const value = { shape: given.shape, data };
  reserve(recorder, value, site);
  const id = tape.push(OP_INPUT, NO_OPERAND, NO_OPERAND, 0, site, 0);
  tape.arrays.set(id, { op: null, params: {}, shape: given.shape, value });
  if (!recorder.bare) recorder.inputNames.set(id, name);
  const tensor = new Tensor(value, id, tape);
  Tensor.setNamed(tensor);
  return tensor;
}

/** Records a copy: every element times 1, a node of its own even of a plain array. */
export function copyArray(recorder: Recorder, x: Tensor, site: number, scope: number): Tensor {
  return asTensor(record(recorder, rowOf("mul"), [x, 1], {}, site, scope));
}

/** Records a cut: the same elements with no derivative flowing back. */
export function cutArray(recorder: Recorder, op: number, x: Tensor, site: number, scope: number): Tensor {
  const { tape } = recorder;
  if (Tensor.tape(x) !== tape) throw foreign(site);
  const value = recorder.cutElements(Tensor.value(x));
  const id = tape.push(op, NO_OPERAND, NO_OPERAND, 0, site, scope);
  tape.arrays.set(id, { op: null, params: {}, shape: value.shape, value });
  return new Tensor(value, id, tape);
}

/** Marks a traced number or array as named. */
export function setNamedAny(x: TracedNumber | Tensor): void {
  if (isTensor(x)) Tensor.setNamed(x);
  else setNamed(x);
}
