/** Input tangents by name, as a query takes them, to tangents by node. */
import { BacksweepError } from "../trace/failure.js";
import type { InputInfo } from "../trace/trace.js";
import { describe } from "./definition.js";

/** Tangents of some inputs; a missing input has tangent 0. */
export type Direction = Readonly<Record<string, number | readonly number[]>>;

const plainNumber = (x: unknown): x is number => typeof x === "number";

/**
 * Node and tangent of every number that is given.
 *
 * @param who what asks, for messages: "jvp"
 * @param isNumber what counts as a number: plain ones, unless traced ones are allowed too
 * @throws BacksweepError `option` naming an unknown input and those there are, or a tangent of the wrong length
 */
export function directionOf<T = number>(
  direction: Direction,
  inputs: readonly InputInfo[],
  who: string,
  isNumber: (x: unknown) => x is T = plainNumber as (x: unknown) => x is T,
): [node: number, tangent: T][] {
  const out: [number, T][] = [];
  if (typeof direction !== "object" || direction === null) {
    throw new BacksweepError(
      "option",
      `${who}: the direction is ${describe(direction)}, not numbers by input name`,
    );
  }
  for (const [name, given] of Object.entries(direction)) {
    const info = inputs.find((input) => input.name === name);
    if (info === undefined) {
      const names = inputs.map((input) => input.name).join(", ");
      throw new BacksweepError(
        "option",
        `${who}: there is no input "${name}"; inputs are ${names || "none"}`,
      );
    }
    const scalar = info.shape.length === 0;
    const list: readonly unknown[] = isNumber(given) ? [given] : Array.isArray(given) ? given : [];
    if (isNumber(given) !== scalar || list.length !== info.count) {
      const wanted = scalar ? "one number" : `an array of ${info.count} number${info.count === 1 ? "" : "s"}`;
      throw new BacksweepError("option", `${who}: the direction of "${name}" must be ${wanted}`);
    }
    list.forEach((t, i) => {
      if (!isNumber(t))
        throw new BacksweepError("option", `${who}: the direction of "${name}[${i}]" is ${describe(t)}`);
      out.push([info.first + i, t]);
    });
  }
  return out;
}

/** A column over all input numbers, as a record by input name. */
export function byInput(
  inputs: readonly InputInfo[],
  at: (index: number) => number,
): Record<string, number | number[]> {
  const out: Record<string, number | number[]> = Object.create(null);
  let index = 0;
  for (const { name, count, shape } of inputs) {
    if (shape.length === 0) {
      out[name] = at(index++);
      continue;
    }
    const list = new Array<number>(count);
    for (let i = 0; i < count; i++) list[i] = at(index++);
    out[name] = list;
  }
  return { ...out };
}

/** Node ids of all input numbers, in order. */
export function inputNodes(inputs: readonly InputInfo[]): number[] {
  const out: number[] = [];
  for (const { first, count } of inputs) for (let i = 0; i < count; i++) out.push(first + i);
  return out;
}
