/** `coupling(f, g)`: a reversible layer, whose input can be computed back from its output. */
import { activeRecorder } from "../ops/recorder.js";
import { call } from "../tape/callsite.js";
import { isTensor, type Tensor } from "../tape/tensor.js";
import { isTraced } from "../tape/traced.js";
import { BacksweepError } from "../trace/failure.js";
import { apply } from "./apply.js";
import { noMore } from "./arguments.js";
import { describe } from "./definition.js";

/** One half of the state of a coupling layer. */
export type Half = number | Tensor;

/** A coupling layer: the step of a `chain`, or a function to call by itself. */
export interface Coupling<H extends Half> {
  /**
   * (y1, y2) = (x1 + f(x2), x2 + g(y1)).
   *
   * @param i number of the layer, handed on to f and g; default 0
   */
  (state: readonly H[], i?: number): [H, H];
  /** (x1, x2) = (y1 - f(x2), y2 - g(y1)) with x2 first: exact in real arithmetic, in floating point to rounding. */
  inverse(state: readonly H[], i?: number): [H, H];
}

type Part = (half: Half, i: number) => Half;

/** A layer as whoever runs it in pieces needs it. */
export interface Layer {
  readonly f: Part;
  readonly g: Part;
  /** site of the call `coupling(f, g)`, where its own additions stand */
  readonly site: number;
}

const layers = new WeakMap<object, Layer>();

/** The layer that a step is; null for any other function. */
export function layerOf(step: unknown): Layer | null {
  return typeof step === "function" ? (layers.get(step) ?? null) : null;
}

/**
 * A reversible coupling layer on a state of two halves of one shape: y1 = x1 + f(x2), y2 = x2 + g(y1). As the step of
 * `chain(n, [x1, x2], coupling(f, g))` under `--schedule reversible` nothing is stored: the reverse sweep computes every
 * layer's input from its output, with one more evaluation of f and g a layer. So f and g may read what stands around them,
 * but not draw random numbers or update running statistics there, which the inverse could not repeat.
 *
 * Gomez, Ren, Urtasun and Grosse, "The reversible residual network: backpropagation without storing activations", NIPS
 * 2017, equations 6 and 7.
 *
 * @param f of the second half and the layer's number; its result has the shape of the halves, or broadcasts to it
 * @param g of the new first half and the layer's number
 * @throws BacksweepError `definition` where f or g is no function, or a state is no pair of numbers or tensors
 */
export function coupling<H extends Half = Tensor>(
  f: (half: H, i: number) => H,
  g: (half: H, i: number) => H,
  ...surplus: never[]
): Coupling<H> {
  noMore("coupling(f, g)", surplus);
  const { site } = call;
  for (const [name, part] of [
    ["f", f],
    ["g", g],
  ] as const) {
    if (typeof part !== "function")
      throw new BacksweepError("definition", `coupling(f, g): ${name} must be a function`, site);
  }
  const layer: Layer = { f: f as unknown as Part, g: g as unknown as Part, site };
  const made = ((state: readonly Half[], i = 0): [Half, Half] => {
    const [x1, x2] = halvesOf(state, site);
    const y1 = combine("add", x1, evaluate(layer, "f", x2, i), layer);
    return [y1, combine("add", x2, evaluate(layer, "g", y1, i), layer)];
  }) as unknown as Coupling<H>;
  made.inverse = ((state: readonly Half[], i = 0): [Half, Half] => {
    const [y1, y2] = halvesOf(state, site);
    const x2 = combine("sub", y2, evaluate(layer, "g", y1, i), layer);
    return [combine("sub", y1, evaluate(layer, "f", x2, i), layer), x2];
  }) as unknown as Coupling<H>["inverse"];
  layers.set(made, layer);
  return made;
}

/** The two halves of a state. */
export function halvesOf(state: unknown, site: number): readonly [Half, Half] {
  const list: readonly unknown[] | null = Array.isArray(state) ? state : null;
  if (list !== null && list.length === 2 && list.every(isHalf)) return [list[0] as Half, list[1] as Half];
  const given =
    list === null
      ? describe(state)
      : list.length === 2
        ? `a pair with ${describe(list.find((half) => !isHalf(half)))}`
        : `an array of ${list.length}`;
  throw new BacksweepError(
    "definition",
    `coupling: the state is a pair of numbers or tensors, not ${given}`,
    site,
  );
}

function isHalf(x: unknown): x is Half {
  return typeof x === "number" || isTraced(x) || isTensor(x);
}

/** f or g of a half. */
export function evaluate(layer: Layer, which: "f" | "g", half: Half, i: number): Half {
  const made: unknown = layer[which](half, i);
  if (made instanceof Promise) {
    // the rejection, if any, is of no interest any more
    made.catch(() => undefined);
    throw new BacksweepError("definition", `coupling: ${which} returned a promise`, layer.site);
  }
  if (isHalf(made)) return made;
  throw new BacksweepError(
    "definition",
    `coupling: ${which} returned ${describe(made)} where a number or a tensor was due`,
    layer.site,
  );
}

/** The layer's own addition or subtraction, at the place of the layer. */
export function combine(name: "add" | "sub", a: Half, b: Half, layer: Layer): Half {
  if (activeRecorder() !== null) call.site = layer.site;
  return apply(name, [a, b]) as Half;
}
