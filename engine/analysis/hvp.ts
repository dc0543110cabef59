/** `backsweep hvp`: the Hessian times a direction, beside value, gradient and directional derivative. */
import { byInput, directionOf, type Direction } from "../graph/directions.js";
import { directionalDerivative, firstOrder, secondOrder } from "../graph/hvp.js";
import type { Subject } from "../graph/record.js";
import { BacksweepError } from "../trace/failure.js";
import type { InputInfo } from "../trace/trace.js";

/** One part of a direction: an input as a whole, or one element of an array. */
export interface DirectionEntry {
  readonly name: string;
  /** null: the whole input */
  readonly index: number | null;
  readonly value: number | readonly number[];
}

export interface HvpAnalysis {
  readonly kind: "hvp";
  /** inputs that are not named have direction 0 */
  readonly direction: readonly DirectionEntry[];
}

type ByInput = Readonly<Record<string, number | readonly number[]>>;

export interface HvpAnswer {
  /** of all outputs, each times its cotangent */
  readonly value: number;
  readonly outputs: number;
  readonly at: ByInput;
  readonly direction: ByInput;
  readonly gradient: ByInput;
  /** gradient times direction */
  readonly jvp: number;
  readonly hvp: ByInput;
  /** tangents forward once, then cotangents and their tangents back once */
  readonly sweeps: { readonly forward: number; readonly reverse: number };
}

/** Throws BacksweepError `option` for an unknown input or element, `no-rule` where there is no second derivative. */
export function hvp(subject: Subject, { direction }: HvpAnalysis): HvpAnswer {
  const second = secondOrder(subject, "hvp");
  const { inputs, nodes, outputs, products, value, flat } = second;
  const whole = wholeDirection(direction, inputs);
  const tangents = new Map(directionOf(whole, inputs, "hvp"));
  const { tangent, product } = products.along(tangents);
  return {
    value,
    outputs: outputs.length,
    at: byInput(inputs, (i) => flat.value[nodes[i]]),
    direction: byInput(inputs, (i) => tangents.get(nodes[i]) ?? 0),
    gradient: byInput(inputs, firstOrder(second)),
    jvp: directionalDerivative(outputs, tangent),
    hvp: byInput(inputs, (i) => product[nodes[i]]),
    sweeps: { forward: 1, reverse: 1 },
  };
}

/** Elements put into arrays of zeros. */
function wholeDirection(entries: readonly DirectionEntry[], inputs: readonly InputInfo[]): Direction {
  const out: Record<string, number | number[]> = Object.create(null);
  const seen = new Set<string>();
  for (const { name, index, value } of entries) {
    const text = index === null ? name : `${name}[${index}]`;
    if (seen.has(text) || (index !== null && seen.has(name)) || (index === null && name in out)) {
      throw new BacksweepError("option", `hvp: the direction of "${text}" is given twice`);
    }
    seen.add(text);
    const info = inputs.find((input) => input.name === name);
    if (index === null || info === undefined) {
      out[name] = typeof value === "number" ? value : [...value];
      continue;
    }
    if (info.shape.length === 0) {
      throw new BacksweepError("option", `hvp: "${name}" is one number and has no element [${index}]`);
    }
    if (index >= info.count) {
      throw new BacksweepError("option", `hvp: "${name}" has ${info.count} elements, there is no [${index}]`);
    }
    const list = (out[name] ??= Array.from({ length: info.count }, () => 0)) as number[];
    list[index] = value as number;
  }
  return out;
}
