/** `backsweep hvp`: the Hessian times a direction, beside value, gradient and directional derivative. */
import { byInput, directionOf, elementCount, type Direction } from "../graph/directions.js";
import { secondOrder } from "../graph/hvp.js";
import { fullRecorder, type Subject } from "../graph/record.js";
import type { Gradient, GradientValue, Note } from "../report/report.js";
import { shapeText } from "../tape/ndarray.js";
import { BacksweepError } from "../trace/failure.js";
import type { InputInfo } from "../trace/trace.js";

/** One part of a direction: an input as a whole, or one element of an array. */
export interface DirectionEntry {
  readonly name: string;
  /** index by axis; [] is the whole input */
  readonly index: readonly number[];
  readonly value: GradientValue;
}

export interface HvpAnalysis {
  readonly kind: "hvp";
  /** inputs that are not named have direction 0 */
  readonly direction: readonly DirectionEntry[];
}

export interface HvpAnswer {
  /** of all outputs, each times its cotangent */
  readonly value: number;
  /** numbers among the outputs, elements of arrays counted */
  readonly outputs: number;
  readonly at: Gradient;
  readonly direction: Gradient;
  readonly gradient: Gradient;
  /** gradient times direction */
  readonly jvp: number;
  readonly hvp: Gradient;
  /** tangents forward once, then cotangents and their tangents back once */
  readonly sweeps: { readonly forward: number; readonly reverse: number };
  /** cuts and kinks met while recording */
  readonly notes: readonly Note[];
}

/** Throws BacksweepError `option` for an unknown input or element, `no-rule` where there is no second derivative. */
export function hvp(subject: Subject, { direction }: HvpAnalysis): HvpAnswer {
  const second = secondOrder(subject, "hvp", fullRecorder);
  const { inputs, outputs, at, value, notes } = second;
  const along = wholeDirection(direction, inputs);
  const { jvp, product } = second.along(along);
  const gradient = second.gradient();
  second.done();
  return {
    value,
    outputs: outputs.reduce((sum, { array }) => sum + (array?.data.length ?? 1), 0),
    at: byInput(inputs, (i) => at[i]),
    direction: byInput(inputs, (i) => along[i]),
    gradient: byInput(inputs, (i) => gradient[i]),
    jvp,
    hvp: byInput(inputs, (i) => product[i]),
    sweeps: { forward: 1, reverse: 1 },
    notes,
  };
}

/** Whole inputs, and elements put into arrays of zeros. */
function wholeDirection(entries: readonly DirectionEntry[], inputs: readonly InputInfo[]): Float64Array {
  const whole: Record<string, unknown> = Object.create(null);
  const elements: (readonly [info: InputInfo, entry: DirectionEntry])[] = [];
  const seen = new Set<string>();
  for (const entry of entries) {
    const { name, index, value } = entry;
    const text = name + index.map((i) => `[${i}]`).join("");
    const other = index.length === 0 ? elements.some(([info]) => info.name === name) : name in whole;
    if (seen.has(text) || other)
      throw new BacksweepError("option", `hvp: the direction of "${text}" is given twice`);
    seen.add(text);
    const info = inputs.find((input) => input.name === name);
    if (index.length === 0 || info === undefined) whole[name] = value;
    else elements.push([info, entry]);
  }
  const out = directionOf(whole as Direction, inputs, "hvp");
  for (const [info, { index, value }] of elements) {
    const before = inputs.slice(0, inputs.indexOf(info));
    const first = before.reduce((sum, input) => sum + elementCount(input), 0);
    out[first + elementAt(info, index)] = value as number;
  }
  return out;
}

function elementAt({ name, shape }: InputInfo, index: readonly number[]): number {
  const text = index.map((i) => `[${i}]`).join("");
  const refuse = (what: string): BacksweepError => new BacksweepError("option", `hvp: "${name}" ${what}`);
  if (shape.length === 0) throw refuse(`is one number and has no element ${text}`);
  if (index.length !== shape.length) {
    const example = `${name}${shape.map(() => "[0]").join("")}`;
    throw refuse(`has the shape ${shapeText(shape)}: an element of it is written ${example}`);
  }
  if (index.some((i, axis) => i >= shape[axis])) {
    const has = shape.length === 1 ? `${shape[0]} elements` : `the shape ${shapeText(shape)}`;
    throw refuse(`has ${has}, there is no ${text}`);
  }
  return index.reduce((at, i, axis) => at * shape[axis] + i, 0);
}
