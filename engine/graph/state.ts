/**
 * The state of a chain as data: a number, a tensor, an array or a record of these, nested at will. It is taken apart into
 * leaves, which are nodes or constants, and put together again from them when a step is replayed.
 */
import { foreign } from "../ops/recorder.js";
import { scalar, shapeText, sameShape, type NDArray } from "../tape/ndarray.js";
import type { Tape } from "../tape/tape.js";
import { isTensor, Tensor } from "../tape/tensor.js";
import { idOf, isTraced, setNamed, tapeOf, TracedNumber } from "../tape/traced.js";
import { BacksweepError } from "../trace/failure.js";
import { describe } from "./definition.js";

/** What `chain` carries from step to step. */
export type ChainState = number | Tensor | readonly ChainState[] | { readonly [name: string]: ChainState };

/** How a state is made of leaves. */
export type Form =
  | { readonly kind: "number" }
  | { readonly kind: "tensor"; readonly shape: readonly number[] }
  | { readonly kind: "array"; readonly items: readonly Form[] }
  | { readonly kind: "record"; readonly keys: readonly string[]; readonly items: readonly Form[] }
  /** anything else, kept as it is: only among the arguments and results of `checkpoint` */
  | { readonly kind: "other" };

/** A state taken apart: a node id for each leaf, or -1 and the constant. */
export interface Leaves {
  readonly ids: Int32Array;
  /** constants by leaf index */
  readonly constants: Map<number, unknown>;
}

const NUMBER: Form = { kind: "number" };
const OTHER: Form = { kind: "other" };
/** Nesting beyond this is taken for an object that contains itself. */
const DEEPEST = 64;

function isRecord(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null || isTraced(value)) return false;
  const above: unknown = Object.getPrototypeOf(value);
  return above === null || Object.getPrototypeOf(above as object) === null;
}

/**
 * The form of a value.
 *
 * @param who names the value in messages: "chain: the state"
 * @param other keep values of other kinds as they are; else they are refused
 */
export function formOf(value: unknown, who: string, site: number, other = false): Form {
  const read = (part: unknown, path: string, depth: number): Form => {
    if (typeof part === "number" || isTraced(part)) return NUMBER;
    if (isTensor(part)) return { kind: "tensor", shape: part.shape };
    if (depth > DEEPEST)
      throw new BacksweepError("definition", `${who} is nested more than ${DEEPEST} levels deep`, site);
    if (Array.isArray(part))
      return { kind: "array", items: part.map((item, i) => read(item, `${path}[${i}]`, depth + 1)) };
    if (isRecord(part)) {
      const keys = Object.keys(part);
      const items = keys.map((key) => read(part[key], `${path}.${key}`, depth + 1));
      return { kind: "record", keys, items };
    }
    if (other) return OTHER;
    const hint = ArrayBuffer.isView(part) ? ": make it a tensor(...)" : "";
    throw new BacksweepError(
      "definition",
      `${who}${path} is ${describe(part)}${hint}; a state is made of numbers, tensors, arrays and records`,
      site,
    );
  };
  return read(value, "", 0);
}

/**
 * Takes a value of a form apart.
 *
 * @throws BacksweepError `definition` where the value has another form, naming the part, or is of another recording
 */
export function leavesOf(form: Form, value: unknown, tape: Tape, who: string, site: number): Leaves {
  const ids: number[] = [];
  const constants = new Map<number, unknown>();
  const constant = (part: unknown): void => {
    constants.set(ids.length, part);
    ids.push(-1);
  };
  const differs = (path: string, part: unknown, wanted: string): BacksweepError =>
    new BacksweepError(
      "definition",
      `${who}${path} is ${isTensor(part) ? `a tensor of shape ${shapeText(part.shape)}` : describe(part)} where ${wanted} was: every step keeps the form of the state`,
      site,
    );
  const take = (at: Form, part: unknown, path: string): void => {
    switch (at.kind) {
      case "number":
        if (typeof part === "number") return constant(part);
        if (!isTraced(part)) throw differs(path, part, "a number");
        if (tapeOf(part) !== tape) throw foreign(site);
        ids.push(idOf(part));
        return;
      case "tensor":
        if (!isTensor(part) || !sameShape(part.shape, at.shape))
          throw differs(path, part, `a tensor of shape ${shapeText(at.shape)}`);
        if (Tensor.tape(part) === null) return constant(part);
        if (Tensor.tape(part) !== tape) throw foreign(site);
        ids.push(Tensor.id(part));
        return;
      case "array":
        if (!Array.isArray(part) || part.length !== at.items.length)
          throw differs(path, part, `an array of ${at.items.length}`);
        at.items.forEach((item, i) => take(item, part[i], `${path}[${i}]`));
        return;
      case "record": {
        const keys = isRecord(part) ? Object.keys(part) : null;
        if (keys === null || keys.length !== at.keys.length)
          throw differs(path, part, `a record of ${at.keys.join(", ") || "nothing"}`);
        at.keys.forEach((key, i) => {
          if (!Object.hasOwn(part as object, key)) throw differs(path, part, `a record with ${key}`);
          take(at.items[i], (part as Record<string, unknown>)[key], `${path}.${key}`);
        });
        return;
      }
      case "other":
        constant(part);
    }
  };
  take(form, value, "");
  return { ids: Int32Array.from(ids), constants };
}

/** Puts a value together again, of handles to the nodes with the primals the tape holds. */
export function valueOf(form: Form, { ids, constants }: Leaves, tape: Tape): unknown {
  let leaf = 0;
  const make = (at: Form): unknown => {
    switch (at.kind) {
      case "number": {
        const id = ids[leaf];
        if (id < 0) return constants.get(leaf++);
        leaf++;
        const handle = new TracedNumber(id, tape.valueAt(id), tape);
        setNamed(handle);
        return handle;
      }
      case "tensor": {
        const id = ids[leaf];
        if (id < 0) return constants.get(leaf++);
        leaf++;
        const handle = new Tensor(tape.arrays.valueOf(id) ?? scalar(tape.valueAt(id)), id, tape);
        Tensor.setNamed(handle);
        return handle;
      }
      case "array":
        return at.items.map(make);
      case "record":
        return Object.fromEntries(at.keys.map((key, i) => [key, make(at.items[i])]));
      case "other":
        return constants.get(leaf++);
    }
  };
  return make(form);
}

/** A constant leaf as plain data, to compare one run's with another's. */
export function sameConstant(a: unknown, b: unknown): boolean {
  if (typeof a === "number" || typeof b === "number") return Object.is(a, b);
  if (!isTensor(a) || !isTensor(b)) return true;
  return sameElements(Tensor.value(a), Tensor.value(b));
}

/** The same elements, bit for bit but for the sign and payload of NaN. */
export function sameElements(a: NDArray, b: NDArray): boolean {
  if (!sameShape(a.shape, b.shape)) return false;
  for (let i = 0; i < a.data.length; i++) if (!Object.is(a.data[i], b.data[i])) return false;
  return true;
}
