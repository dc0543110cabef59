/** A graph's inputs as one flat vector, so that a check can move along any direction, and back as settings. */
import { rounder } from "../ops/dtype.js";
import { fromNested, scalar, sizeOf, toNested, type NDArray, type Shape } from "../tape/ndarray.js";
import { isTensor, Tensor } from "../tape/tensor.js";
import type { OutputInfo } from "../trace/trace.js";
import { BacksweepError } from "../trace/failure.js";
import type { InputValue } from "../graph/definition.js";
import type { Subject } from "../graph/record.js";

interface Entry {
  readonly name: string;
  readonly shape: Shape;
  /** index of its first element in the vector */
  readonly first: number;
  readonly count: number;
}

/** Where the elements of the inputs stand in the vector. */
export class InputLayout {
  readonly entries: readonly Entry[];
  /** length of the vector */
  readonly size: number;
  /** the inputs' values, rounded to the subject's number format */
  readonly start: Float64Array;

  constructor({ definition, settings }: Subject) {
    const round = rounder(settings.dtype);
    const entries: Entry[] = [];
    const parts: Float64Array[] = [];
    let first = 0;
    for (const [name, given] of Object.entries(definition.inputs)) {
      const value = Object.hasOwn(settings.set, name) ? settings.set[name] : given;
      const { shape, data } = nested(value);
      entries.push({ name, shape, first, count: data.length });
      parts.push(data);
      first += data.length;
    }
    this.entries = entries;
    this.size = first;
    this.start = new Float64Array(first);
    let at = 0;
    for (const part of parts) for (const x of part) this.start[at++] = round(x);
  }

  /** Inputs by name, as `settings.set` takes them. */
  named(x: Float64Array): Record<string, InputValue> {
    const out: Record<string, InputValue> = Object.create(null);
    for (const { name, shape, first, count } of this.entries) {
      out[name] = toNested({ shape, data: x.slice(first, first + count) }) as InputValue;
    }
    return { ...out };
  }

  /** A gradient by input name as a vector. */
  vector(byName: Readonly<Record<string, unknown>>): Float64Array {
    const out = new Float64Array(this.size);
    for (const { name, first } of this.entries) out.set(nested(byName[name]).data, first);
    return out;
  }

  /** `x`, `w[2]`, `W[1][0]` */
  label(index: number): string {
    const { name, shape, first } = this.entries.find((entry) => index < entry.first + entry.count)!;
    let rest = index - first;
    let block = sizeOf(shape);
    let text = name;
    for (const length of shape) {
      block /= length;
      text += `[${Math.floor(rest / block)}]`;
      rest %= block;
    }
    return text;
  }

  /**
   * The index of an element written as `label` writes it; a whole array of one element will do.
   *
   * @throws BacksweepError `option`, naming the inputs there are
   */
  find(text: string): number {
    const [, name, indices] = /^(.*?)((?:\[\s*\d+\s*(?:,\s*\d+\s*)*\])*)$/.exec(text.trim())!;
    const entry = this.entries.find((candidate) => candidate.name === name);
    if (entry === undefined) {
      const known = this.entries.map((candidate) => candidate.name).join(", ") || "none";
      throw new BacksweepError("option", `there is no input "${text}"; inputs are ${known}`);
    }
    const given = Array.from(indices.matchAll(/\d+/g), ([digits]) => Number(digits));
    const { shape, first, count } = entry;
    if (given.length === 0 && count === 1) return first;
    const example = `${name}${shape.map(() => "[0]").join("")}`;
    if (given.length !== shape.length) {
      const what = shape.length === 0 ? "a number" : `an array of shape [${shape.join(", ")}]`;
      throw new BacksweepError("option", `the input ${name} is ${what}: name one element, as ${example}`);
    }
    const beyond = given.findIndex((index, axis) => index >= shape[axis]);
    if (beyond >= 0) {
      const end = shape[beyond] - 1;
      throw new BacksweepError(
        "option",
        end < 0 ? `the input ${name} is empty` : `${text}: indices go from 0 to ${end} here`,
      );
    }
    return first + given.reduce((at, index, axis) => at * shape[axis] + index, 0);
  }
}

/** Any nesting of numbers and arrays, a typed array or a tensor as an n-d array. */
export function nested(value: unknown): NDArray {
  if (isTensor(value)) return Tensor.value(value);
  if (!ArrayBuffer.isView(value)) return fromNested(value);
  const data = Float64Array.from(value as unknown as ArrayLike<number>);
  return { shape: [data.length], data };
}

/** The elements of an output: of rank 0 for a number. */
export function outputArray({ value, array }: OutputInfo): NDArray {
  return array ?? scalar(value);
}
