/** Every row against finite differences, its own adjoint, what it says it saves, and what it says it costs. */
import { describe, expect, it } from "vitest";
import type { ScalarPrimitive } from "../../../engine/ops/primitive.js";
import {
  contribution,
  isPrimitive,
  opcode,
  OPCODE_LIMIT,
  primitive,
  primitives,
} from "../../../engine/ops/table.js";
import { disagreements, planted } from "./differences.js";
import { smoothPoints, specialPoints, type Operands } from "./samples.js";

const rows = primitives.map((row) => [row.name, row] as const);
const slots = (row: ScalarPrimitive): number[] => [...Array(row.arity).keys()];

describe("the table", () => {
  it("gives every primitive its opcode, by name and back", () => {
    primitives.forEach((row, code) => {
      expect(opcode(row.name)).toBe(code);
      expect(primitive(code)).toBe(row);
      expect(primitive(row.name)).toBe(row);
      expect(isPrimitive(row.name)).toBe(true);
    });
    expect(primitives.length).toBeLessThanOrEqual(OPCODE_LIMIT);
  });

  it("names a primitive it does not have", () => {
    expect(() => opcode("sine")).toThrow('no primitive named "sine"');
    expect(() => primitive("constructor")).toThrow('"constructor"');
    expect(() => primitive(249)).toThrow("249");
    expect(() => primitive(-1)).toThrow("-1");
    expect(isPrimitive("toString")).toBe(false);
  });

  it("marks + - * / and negation as basic, and only them", () => {
    expect(primitives.filter((p) => p.basic).map((p) => p.name)).toEqual(["add", "sub", "mul", "div", "neg"]);
  });

  it("has one primitive to an infix token and arity", () => {
    const tokens = primitives.filter((p) => p.infix !== null).map((p) => `${p.infix} ${p.arity}`);
    expect(tokens.sort()).toEqual(["% 2", "* 2", "** 2", "+ 2", "- 1", "- 2", "/ 2"]);
  });
});

describe("finite differences", () => {
  it.each(rows)("%s", (_name, row) => {
    const { checked, wrong } = disagreements(row);
    expect(wrong.slice(0, 5)).toEqual([]);
    expect(checked).toBe(60 * row.arity);
  });

  it("notice a wrong sign, a lost factor 2 and a dropped contribution in every slot that has a derivative", () => {
    const changes = [(x: number) => -x, (x: number) => 2 * x, () => 0];
    let faults = 0;
    for (const row of primitives) {
      for (const slot of slots(row)) {
        if (row.derivatives[slot] === "0") continue;
        for (const change of changes) {
          expect(
            disagreements(planted(row, slot, change)).wrong.length,
            `${row.name} slot ${slot}`,
          ).toBeGreaterThan(0);
          faults++;
        }
      }
    }
    expect(faults).toBeGreaterThan(180);
  });
});

describe("JVP against VJP", () => {
  it.each(rows)("%s: <u, J v> = <J' u, v>", (_name, row) => {
    const tangents = [0.7, -1.3, 2.1];
    for (const p of smoothPoints(row, 50)) {
      const y = row.value(...p);
      const u = 1.9;
      let forward = 0;
      let reverse = 0;
      let scale = 0;
      for (const s of slots(row)) {
        const term = contribution(row, s, tangents[s], ...p, y);
        forward += term;
        reverse += contribution(row, s, u, ...p, y) * tangents[s];
        scale += Math.abs(u * term);
        // the override says the same as the local derivative
        expect(Math.abs(term - tangents[s] * row.local[s](...p, y))).toBeLessThanOrEqual(
          4e-15 * Math.abs(term),
        );
      }
      expect(Math.abs(u * forward - reverse)).toBeLessThanOrEqual(1e-14 * scale);
    }
  });

  it.each(rows)(
    "%s is linear in the cotangent, exactly for powers of two, at special points too",
    (_name, row) => {
      for (const p of smoothPoints(row, 50)) {
        const y = row.value(...p);
        for (const s of slots(row)) {
          const one = contribution(row, s, 1, ...p, y);
          expect(contribution(row, s, 8, ...p, y)).toBe(8 * one);
          expect(contribution(row, s, -1, ...p, y) + one).toBe(0);
          expect(Math.abs(contribution(row, s, 0, ...p, y))).toBe(0);
        }
      }
      for (const p of specialPoints(row)) {
        const y = row.value(...p);
        for (const s of slots(row)) {
          const one = contribution(row, s, 1, ...p, y);
          const minus = contribution(row, s, -1, ...p, y);
          if (!(minus === -one || (minus !== minus && one !== one)))
            throw new Error(`${row.name}(${p}) slot ${s}`);
        }
      }
    },
  );
});

describe("saves", () => {
  const masked = (row: ScalarPrimitive, slot: number, p: Operands, y: number, g: number): number => {
    const reads = row.saves[slot];
    const [a, b, c] = p.map((x, s) => (reads.includes(s as 0 | 1 | 2) ? x : NaN));
    return contribution(row, slot, g, a, b, c, reads.includes("output") ? y : NaN);
  };
  const maskedLocal = (row: ScalarPrimitive, slot: number, p: Operands, y: number): number => {
    const reads = row.saves[slot];
    const [a, b, c] = p.map((x, s) => (reads.includes(s as 0 | 1 | 2) ? x : NaN));
    return row.local[slot](a, b, c, reads.includes("output") ? y : NaN);
  };

  it.each(rows)("%s: a rule reads nothing it does not list", (_name, row) => {
    for (const p of [...smoothPoints(row, 40), ...specialPoints(row)]) {
      const y = row.value(...p);
      for (const s of slots(row)) {
        if (!Object.is(masked(row, s, p, y, 1.5), contribution(row, s, 1.5, ...p, y))) {
          throw new Error(`the vjp of ${row.name}(${p}), slot ${s}, reads more than ${row.saves[s]}`);
        }
        if (!Object.is(maskedLocal(row, s, p, y), row.local[s](...p, y))) {
          throw new Error(`the local of ${row.name}(${p}), slot ${s}, reads more than ${row.saves[s]}`);
        }
      }
    }
  });

  it.each(rows)("%s: a rule reads everything it lists", (_name, row) => {
    for (const s of slots(row)) {
      for (const read of row.saves[s]) {
        const matters = smoothPoints(row, 40).some((p) => {
          const y = row.value(...p);
          const q: [number, number, number] = [...p];
          if (read !== "output") q[read] = NaN;
          const other = contribution(row, s, 1.5, ...q, read === "output" ? NaN : y);
          return !Object.is(other, contribution(row, s, 1.5, ...p, y));
        });
        expect(matters, `${row.name} slot ${s} lists ${read}`).toBe(true);
      }
    }
  });
});

describe("cost", () => {
  /** Reverse work with one `+=` an operand slot, as the sweep counts it, for the slots that have an edge. */
  const reverse = (row: ScalarPrimitive, edges: number[]): number =>
    edges.reduce((sum, s) => sum + row.cost.vjp[s] + 1, 0);

  it("keeps the Baur-Strassen bound of 5 for + - * / and negation, whichever operands are constants", () => {
    for (const row of primitives.filter((p) => p.basic)) {
      for (const edges of [slots(row), [0], [row.arity - 1]]) {
        expect((row.cost.value + reverse(row, edges)) / row.cost.value, row.name).toBeLessThanOrEqual(5);
      }
    }
  });

  it("states the counts of the basic operations", () => {
    const counts = primitives.filter((p) => p.basic).map((p) => [p.name, p.cost.value, ...p.cost.vjp]);
    expect(counts).toEqual([
      ["add", 1, 0, 0],
      ["sub", 1, 0, 0],
      ["mul", 1, 1, 1],
      ["div", 1, 1, 1],
      ["neg", 1, 0],
    ]);
  });

  it.each(rows)("%s has whole, non-negative counts", (_name, row) => {
    for (const n of [row.cost.value, ...row.cost.vjp]) expect(Number.isInteger(n) && n >= 0).toBe(true);
    expect(row.cost.value).toBeGreaterThan(0);
  });
});
