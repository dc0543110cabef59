/**
 * Values and derivatives at hard points against mpmath (400 digits), where the frameworks behind the reference cases are
 * not accurate themselves. Errors are relative, without a floor; subnormal results may be off by their last units.
 */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { primitive } from "../../../engine/ops/table.js";
import { flat, relativeError } from "./reference.js";

interface HardCase {
  readonly op: string;
  readonly inputs: number[][];
  readonly value: (number | string)[];
  readonly derivatives: (number | string)[][];
  /** a list a pair of slots, as in the table */
  readonly second: (number | string)[][];
}

const url = new URL("../../fixtures/primitives/hard-points.json", import.meta.url);
const cases = JSON.parse(readFileSync(url, "utf8")) as HardCase[];

const VALUE = 4e-15;
const DERIVATIVE = 1e-13;

/**
 * Relative, or absolute in units of the subnormal grid where a result lies on it. The gamma family is relative at its
 * positive zeros, but left of 0 it has zeros next to every pole, where it is right to 1e-15 of the terms it is the
 * difference of; hence its floor.
 */
function off(op: string, x: number, got: number, want: number): number {
  if (Math.abs(want) < 2.3e-308 && Math.abs(got - want) <= 3 * 5e-324) return 0;
  return relativeError(got, want, x < 0 && (op === "lgamma" || op === "digamma") ? 1 : 0);
}

describe("against mpmath", () => {
  it.each(cases.map((c) => [c.op, c] as const))("%s", (op, c) => {
    const row = primitive(op);
    const value = flat(c.value);
    const derivatives = c.derivatives.map(flat);
    const failures: string[] = [];
    value.forEach((want, i) => {
      const [a, b = 0, d = 0] = c.inputs.map((x) => x[i]);
      const y = row.value(a, b, d);
      const where = `${op}(${c.inputs.map((x) => x[i]).join(", ")})`;
      const e = off(op, a, y, want);
      if (!(e <= VALUE)) failures.push(`${where} = ${y}, right ${want}, error ${e}`);
      derivatives.forEach((all, slot) => {
        const got = row.local[slot](a, b, d, y);
        const error = off(op, a, got, all[i]);
        if (!(error <= DERIVATIVE))
          failures.push(`${where}, slot ${slot}: ${got}, right ${all[i]}, error ${error}`);
      });
    });
    expect(failures).toEqual([]);
  });
});
