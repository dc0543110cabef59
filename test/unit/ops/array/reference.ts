/** The reference cases of test/fixtures/primitives run through the array table, and how one is compared. */
import { readFileSync } from "node:fs";
import { DualAlgebra } from "../../../../engine/ops/array/dual.js";
import { numeric } from "../../../../engine/ops/array/numeric.js";
import { isArrayPrimitive, arrayPrimitive } from "../../../../engine/ops/array/table.js";
import type { Params } from "../../../../engine/ops/array/row.js";
import { sizeOf, type NDArray, type Shape } from "../../../../engine/tape/ndarray.js";
import { flat, indexPaths, relativeError, type Case as ScalarCase } from "../reference.js";

export type Case = Omit<ScalarCase, "params"> & {
  readonly params: Params;
  readonly throws?: boolean;
  readonly extra?: Readonly<Record<string, unknown>>;
};

export type File = "unary" | "binary" | "broadcast" | "reductions" | "shape" | "nn" | "linalg";

export function cases(file: File): Case[] {
  const url = new URL(`../../../fixtures/primitives/${file}.json`, import.meta.url);
  return JSON.parse(readFileSync(url, "utf8")) as Case[];
}

/** How a case of the reference is written in rows of the table. */
export interface Call {
  readonly op: string;
  readonly params: Params;
  /** constant operands after the case's inputs (a slope, an exponent); they take no part in the derivatives */
  readonly constants?: readonly NDArray[];
}

/** Families say how their cases are written; absent: the row of the op's own name with the case's params. */
export type Adapter = (c: Case) => Call;

export interface Results {
  readonly valueShape: Shape;
  readonly value: number[];
  readonly vjp: number[][];
  readonly jvp: number[];
  readonly hvp: number[][] | null;
}

function inputsOf(c: Case): NDArray[] {
  return c.inputs.map((x, i) => array(x, c.shapes[i]));
}

function array(x: Parameters<typeof flat>[0], shape: Shape): NDArray {
  const data = Float64Array.from(flat(x));
  if (data.length !== sizeOf(shape)) throw new Error("the case's data and shape differ");
  return { shape, data };
}

const zero = (shape: Shape): number[] => new Array<number>(sizeOf(shape)).fill(0);

/** What the table makes of a case. A contribution of none is reported as zeros. */
export function evaluate(c: Case, call: Call): Results {
  const row = arrayPrimitive(call.op);
  const inputs = inputsOf(c);
  const operands = [...inputs, ...(call.constants ?? [])];
  const output = numeric.evaluate(row, operands, call.params);
  const g = array(c.cotangent, c.valueShape);
  const tangents = c.tangent.map((t, i) => array(t, c.shapes[i]));
  const allTangents = [...tangents, ...(call.constants ?? []).map(() => null)];
  const vjp = inputs.map((x, slot) => {
    const part = row.vjp(slot, numeric, g, operands, output, call.params);
    if (part !== null && part.shape.join() !== x.shape.join())
      throw new Error(
        `${c.id}: the contribution has the shape [${part.shape.join()}], not [${x.shape.join()}]`,
      );
    return part === null ? zero(x.shape) : [...part.data];
  });
  const tangent = row.jvp(numeric, allTangents, operands, output, call.params);
  let hvp: number[][] | null = null;
  if (c.hvp !== undefined) {
    const k = new DualAlgebra(numeric);
    const duals = operands.map((primal, i) => ({ primal, tangent: allTangents[i] }));
    hvp = inputs.map((x, slot) => {
      const part = row.vjp(
        slot,
        k,
        { primal: g, tangent: null },
        duals,
        { primal: output, tangent },
        call.params,
      );
      return part === null || part.tangent === null ? zero(x.shape) : [...part.tangent.data];
    });
  }
  return {
    valueShape: output.shape,
    value: [...output.data],
    vjp,
    jvp: tangent === null ? zero(output.shape) : [...tangent.data],
    hvp,
  };
}

/** True if the table has the operation of this call. */
export const isThere = (call: Call): boolean => isArrayPrimitive(call.op);

export interface Tolerances {
  readonly value: number;
  readonly derivative: number;
  readonly hvp: number;
}

/** Entries that are farther from the reference than the tolerance, as readable lines. */
export function failures(c: Case, got: Results, tolerance: Tolerances): string[] {
  const lines: string[] = [];
  if (got.valueShape.join() !== c.valueShape.join())
    lines.push(`shape [${got.valueShape.join()}], expected [${c.valueShape.join()}]`);
  const compare = (
    what: string,
    mine: readonly number[],
    wanted: Parameters<typeof flat>[0],
    shape: Shape,
    limit: number,
    extraFloor = 0,
  ): void => {
    const reference = flat(wanted);
    const paths = indexPaths(shape);
    const finite = reference.filter(Number.isFinite).map(Math.abs);
    const floor = Math.max(1e-3 * Math.max(0, ...finite), extraFloor);
    reference.forEach((wantedHere, i) => {
      const here = mine[i];
      if (relativeError(here, wantedHere, floor) <= limit) return;
      const listed = c.disagree?.find((entry) => entry.path === what + paths[i]);
      if (listed?.kind === "subnormal") return;
      if (listed !== undefined) {
        const near = (["torch", "jax", "mpmath", "ref"] as const).some(
          (engine) =>
            listed[engine] !== undefined &&
            relativeError(here, Number(listed[engine]), floor) <= Math.max(limit, 1e-9),
        );
        if (near) return;
      }
      lines.push(`${what}${paths[i]}: ${here}, expected ${wantedHere}`);
    });
  };
  compare("value", got.value, c.value, c.valueShape, tolerance.value);
  c.vjp.forEach((wanted, i) => compare(`vjp.${i}`, got.vjp[i], wanted, c.shapes[i], tolerance.derivative));
  compare("jvp", got.jvp, c.jvp, c.valueShape, tolerance.derivative);
  c.hvp?.forEach((wanted, i) => {
    const size = Math.max(0, ...flat(c.vjp[i]).filter(Number.isFinite).map(Math.abs));
    compare(`hvp.${i}`, got.hvp![i], wanted, c.shapes[i], tolerance.hvp, 1e-6 * size);
  });
  return lines;
}

/** Tolerances of the reference's README. */
export function tolerances(file: File, c: Case): Tolerances {
  if (file === "unary" || file === "binary") {
    if (c.op === "lgamma" || c.op === "digamma") return { value: 1e-13, derivative: 1e-12, hvp: 1e-9 };
    if (c.cls === "nearSingular") return { value: 1e-13, derivative: 1e-10, hvp: 1e-8 };
    return { value: 4e-15, derivative: 1e-13, hvp: 1e-11 };
  }
  if (file === "linalg")
    return { value: 1e-12, derivative: 1e-11, hvp: c.id.includes("hilbert5") ? 1e-9 : 1e-10 };
  const loose = ["logcumsumexp", "attention", "batchNorm"].includes(c.op);
  return { value: 1e-13, derivative: 1e-12, hvp: loose ? 1e-10 : 1e-11 };
}
