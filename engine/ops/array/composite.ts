/**
 * Rows that are formulas over other rows: value, shape, VJP and JVP all follow from the one formula. The VJP records the
 * formula's operations over the algebra at hand and sweeps them backwards; nothing is kept between value and rule.
 */
import type { NDArray, Shape } from "../../tape/ndarray.js";
import { Algebra } from "./algebra.js";
import { DualAlgebra } from "./dual.js";
import { numeric } from "./numeric.js";
import { defineArray, type ArrayPrimitive, type ArraySpec, type Params } from "./row.js";
import { ShapeAlgebra } from "./shapes.js";

/** The formula of a composite row: written in the algebra's methods, in any algebra. */
export type Formula = <T>(k: Algebra<T>, operands: readonly T[], params: Params) => T;

interface Step<T> {
  readonly row: ArrayPrimitive;
  readonly operands: readonly Traced<T>[];
  readonly params: Params;
}

/** A value of the formula, with how it was made (null: an operand or a constant). */
class Traced<T> {
  cotangent: T | null = null;
  constructor(
    readonly value: T,
    readonly step: Step<T> | null,
    /** false: no operand of the formula reaches it, so nothing flows through it */
    readonly active: boolean,
  ) {}
}

const none: Params = Object.freeze({});

class TracingAlgebra<T> extends Algebra<Traced<T>> {
  readonly steps: Traced<T>[] = [];

  constructor(readonly inner: Algebra<T>) {
    super();
  }

  row(name: string): ArrayPrimitive {
    return this.inner.row(name);
  }
  shape(x: Traced<T>): Shape {
    return this.inner.shape(x.value);
  }
  constant(value: NDArray): Traced<T> {
    return new Traced(this.inner.constant(value), null, false);
  }
  apply(name: string, operands: readonly Traced<T>[], params: Params = none): Traced<T> {
    const value = this.inner.apply(
      name,
      operands.map((operand) => operand.value),
      params,
    );
    const active = operands.some((operand) => operand.active);
    const node = new Traced(value, active ? { row: this.inner.row(name), operands, params } : null, active);
    if (active) this.steps.push(node);
    return node;
  }
}

/** Contribution to one operand of a formula, for the cotangent of its result; null: the result does not depend on it. */
export function pullBack<T>(
  k: Algebra<T>,
  formula: Formula,
  operands: readonly T[],
  params: Params,
  slot: number,
  g: T,
): T | null {
  const tracing = new TracingAlgebra(k);
  const inputs = operands.map((operand, i) => new Traced(operand, null, i === slot));
  const result = formula(tracing, inputs, params);
  if (!result.active) return null;
  result.cotangent = g;
  for (let i = tracing.steps.length - 1; i >= 0; i--) {
    const node = tracing.steps[i];
    if (node.cotangent === null) continue;
    const { row, operands: from, params: p } = node.step!;
    const values = from.map((operand) => operand.value);
    from.forEach((operand, at) => {
      if (!operand.active) return;
      const part = row.vjp(at, k, node.cotangent!, values, node.value, p);
      if (part === null) return;
      operand.cotangent = operand.cotangent === null ? part : k.add(operand.cotangent, part);
    });
  }
  return inputs[slot].cotangent;
}

/** The convention of the first step of a formula that is not differentiable at these operands; null: all are. */
function kinkOf(
  formula: Formula,
  operands: readonly NDArray[],
  params: Params,
  constants: number,
): string | null {
  const tracing = new TracingAlgebra(numeric);
  formula(
    tracing,
    operands.map((operand, i) => new Traced(operand, null, (constants & (1 << i)) === 0)),
    params,
  );
  for (const { step } of tracing.steps) {
    const { row, operands: from, params: p } = step!;
    const still = from.reduce((bits, { active }, i) => (active ? bits : bits | (1 << i)), 0);
    const values = from.map(({ value }) => value);
    const convention = row.kink?.(values, p, still) ?? null;
    if (convention !== null) return convention;
  }
  return null;
}

type Given = "shape" | "value" | "vjp" | "jvp" | "cost";
export type CompositeSpec = Omit<ArraySpec, Given> & {
  readonly formulaOf: Formula;
  /** checks before the formula is run: throws ShapeError in the operation's own words */
  check?(shapes: readonly Shape[], params: Params): void;
  /** true: where a step of the formula has no derivative, the whole has none (in a Huber loss two such steps cancel) */
  readonly kinked?: true;
};

/** A row from a formula. */
export function defineComposite(spec: CompositeSpec): ArrayPrimitive {
  const { formulaOf, check, kinked, ...rest } = spec;
  return defineArray({
    ...rest,
    ...(kinked === true && {
      kink: (operands: readonly NDArray[], params: Params, constants = 0) =>
        kinkOf(formulaOf, operands, params, constants),
    }),
    shape(shapes, params) {
      check?.(shapes, params);
      return formulaOf(new ShapeAlgebra(), shapes, params);
    },
    value: (operands, params, _shape, k) => formulaOf(k, operands, params).data,
    vjp: (slot, k, g, operands, _output, params) => pullBack(k, formulaOf, operands, params, slot, g),
    jvp<T>(
      k: Algebra<T>,
      tangents: readonly (T | null)[],
      operands: readonly T[],
      _output: T,
      params: Params,
    ): T | null {
      const duals = operands.map((primal, i) => ({ primal, tangent: tangents[i] }));
      return formulaOf(new DualAlgebra(k), duals, params).tangent;
    },
    cost(shapes, _shape, params) {
      const counting = new ShapeAlgebra();
      formulaOf(counting, shapes, params);
      return counting.cost;
    },
  });
}
