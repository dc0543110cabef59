/**
 * Second derivatives of every row: against the Hessian-vector products of the reference cases, against mpmath at hard
 * points, against differences of the first derivatives, and at kinks and special points.
 */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { define, type ScalarPrimitive } from "../../../engine/ops/primitive.js";
import { polygamma } from "../../../engine/ops/numeric/polygamma.js";
import { primitive, primitives, secondPartial } from "../../../engine/ops/table.js";
import {
  broadcastIndex,
  cases,
  flat,
  indexPaths,
  number,
  relativeError,
  rowOf,
  type Case,
} from "./reference.js";
import { smoothPoints, specialPoints, type Operands } from "./samples.js";

const rows = primitives.map((row) => [row.name, row] as const);
const slots = (row: ScalarPrimitive): number[] => [...Array(row.arity).keys()];

function second(row: ScalarPrimitive, i: number, j: number, p: Operands, y: number): number {
  return secondPartial(row, i, j)?.(...p, y) ?? 0;
}

/** Block i of the Hessian-vector product of a case, flat. */
function hvp(c: Case): number[][] {
  const { row, constants } = rowOf(c);
  const inputs = c.inputs.map(flat);
  const tangents = c.tangent.map(flat);
  const indices = c.shapes.map((shape) => broadcastIndex(shape, c.valueShape));
  const blocks = inputs.map((x) => x.map(() => 0));
  flat(c.cotangent).forEach((g, at) => {
    const [a, b = 0, d = 0] = [...inputs.map((x, s) => x[indices[s][at]]), ...constants];
    const y = row.value(a, b, d);
    // constants have no tangent, so their pairs are not asked for
    for (let i = 0; i < inputs.length; i++) {
      for (let j = 0; j < inputs.length; j++) {
        blocks[i][indices[i][at]] += g * second(row, i, j, [a, b, d], y) * tangents[j][indices[j][at]];
      }
    }
  });
  return blocks;
}

/** Tolerance of the reference's README for hvp. */
function tolerance(c: Case): number {
  if (c.op === "lgamma" || c.op === "digamma") return 1e-9;
  return c.cls === "nearSingular" ? 1e-8 : 1e-11;
}

describe.each(["unary", "binary", "broadcast"] as const)("hvp of reference/%s", (file) => {
  const given = cases(file).filter((c) => c.hvp !== undefined);

  it.each(given.map((c) => [c.id, c] as const))("%s", (_id, c) => {
    const wrong: string[] = [];
    hvp(c).forEach((block, i) => {
      const want = flat(c.hvp![i]);
      const scale = Math.max(0, ...want.filter(Number.isFinite).map(Math.abs));
      const slopes = Math.max(0, ...flat(c.vjp[i]).filter(Number.isFinite).map(Math.abs));
      const floor = file === "broadcast" ? Math.max(1e-3 * scale, 1e-6 * slopes) : 0;
      const paths = indexPaths(c.shapes[i]);
      block.forEach((x, k) => {
        const d = c.disagree?.find((e) => e.path === `hvp.${i}${paths[k]}`);
        // the engines differ there: mpmath's answer if there is one, else any engine's
        const answers = d?.kind === "subnormal" ? [d.ref, d.mpmath] : [want[k]];
        const near = answers.some(
          (e) => e !== undefined && relativeError(x, number(e), floor) <= tolerance(c),
        );
        if (!near) wrong.push(`hvp.${i}${paths[k]}: ${x} for ${want[k]} ${JSON.stringify(d ?? "")}`);
      });
    });
    expect(wrong).toEqual([]);
  });

  it("has cases", () => {
    expect(given.length).toBeGreaterThan(15);
  });
});

interface HardCase {
  readonly op: string;
  readonly inputs: number[][];
  readonly second: (number | string)[][];
}

describe("second derivatives against mpmath", () => {
  const url = new URL("../../fixtures/primitives/hard-points.json", import.meta.url);
  const hard = JSON.parse(readFileSync(url, "utf8")) as HardCase[];

  it.each(hard.map((c) => [c.op, c] as const))("%s", (op, c) => {
    const row = primitive(op);
    const wrong: string[] = [];
    c.second.forEach((all, pair) => {
      flat(all).forEach((want, i) => {
        const [a, b = 0, d = 0] = c.inputs.map((x) => x[i]);
        const got = row.second[pair]?.(a, b, d, row.value(a, b, d)) ?? 0;
        // on the subnormal grid in its units; left of 0 the gamma family is the difference of terms of unit size
        if (Math.abs(want) < 2.3e-308 && Math.abs(got - want) <= 4 * 5e-324) return;
        const error = relativeError(got, want, a < 0 && /gamma/.test(op) ? 1 : 0);
        if (!(error <= 2e-13))
          wrong.push(`${op}(${[a, b]}) pair ${pair}: ${got}, right ${want}, error ${error}`);
      });
    });
    expect(wrong).toEqual([]);
  });
});

/** Central difference of order 4 of a first derivative along a slot. */
function difference(row: ScalarPrimitive, i: number, j: number, p: Operands, h = 2e-3): number {
  const slope = (k: number): number => {
    const q: [number, number, number] = [...p];
    q[j] += k;
    return row.local[i](...q, row.value(...q));
  };
  const d = (k: number): number => (slope(k) - slope(-k)) / (2 * k);
  return (4 * d(h / 2) - d(h)) / 3;
}

/** What of a row's second derivatives disagrees with differences, in both orders of the two slots. */
function disagreements(row: ScalarPrimitive, count = 60): string[] {
  const wrong: string[] = [];
  for (const p of smoothPoints(row, count)) {
    const y = row.value(...p);
    for (const i of slots(row)) {
      for (const j of slots(row)) {
        const got = second(row, i, j, p, y);
        const want = difference(row, i, j, p);
        if (!(Math.abs(got - want) <= 2e-7 * Math.max(1, Math.abs(want)))) {
          wrong.push(`${row.name}(${p}) ${i}${j}: ${got}, difference ${want}`);
        }
      }
    }
  }
  return wrong;
}

describe("differences of the first derivatives", () => {
  it.each(rows)("%s: every pair of slots, symmetric", (_name, row) => {
    expect(disagreements(row).slice(0, 4)).toEqual([]);
  });

  it("notice a wrong sign, a lost factor 2 and a dropped entry in every pair", () => {
    const changes = [(x: number) => -x, (x: number) => 2 * x, () => 0];
    let faults = 0;
    for (const row of primitives) {
      row.second.forEach((f, pair) => {
        if (f === null) return;
        for (const change of changes) {
          const entries = row.second.map((g, k) =>
            k === pair ? (a: number, b: number, c: number, y: number) => change(f(a, b, c, y)) : g,
          );
          expect(
            disagreements({ ...row, second: entries }).length,
            `${row.name} pair ${pair}`,
          ).toBeGreaterThan(0);
          faults++;
        }
      });
    }
    expect(faults).toBeGreaterThanOrEqual(150);
  });
});

describe("the column of second derivatives", () => {
  it("has the upper triangle in slot order", () => {
    const row = { ...primitive("clip"), second: [0, 1, 2, 3, 4, 5].map((k) => () => k) };
    const table = [0, 1, 2].map((i) => [0, 1, 2].map((j) => secondPartial(row, i, j)!(0, 0, 0, 0)));
    expect(table).toEqual([
      [0, 1, 2],
      [1, 3, 4],
      [2, 4, 5],
    ]);
    expect(() => define({ ...row, second: [] })).toThrow('"clip": second has 0 entries for 6 pairs');
  });

  it("has null for what is zero everywhere, and only for that", () => {
    for (const row of primitives) {
      row.second.forEach((f, pair) => {
        if (f === null) return;
        const seen = smoothPoints(row, 40).some((p) => f(...p, row.value(...p)) !== 0);
        expect(seen, `${row.name} pair ${pair}`).toBe(true);
      });
    }
  });

  it("gives NaN for NaN, unless the row is flat or a piece was taken by a comparison", () => {
    for (const row of primitives) {
      if (row.kink !== undefined || row.arity > 1 || row.name === "square") continue;
      for (const f of row.second) if (f) expect(f(NaN, 0, 0, NaN), row.name).toBeNaN();
    }
  });

  it("is finite or of the right sign where the first derivative is finite and the point special", () => {
    const limits: [string, number[], number, number][] = [
      ["sqrt", [0], 0, -Infinity],
      ["log", [0], 0, -Infinity],
      ["atan", [Infinity], 0, 0],
      ["asinh", [-Infinity], 0, 0],
      ["acosh", [1], 0, -Infinity],
      ["tanh", [Infinity], 0, 0],
      ["sigmoid", [-Infinity], 0, 0],
      ["erf", [Number.MAX_VALUE], 0, 0],
      ["gelu", [1e300], 0, 0],
      ["geluTanh", [-1e300], 0, 0],
      ["hypot", [0, 0], 0, 0],
      ["atan2", [0, 0], 1, 0],
      ["atan2", [1, Infinity], 1, 0],
      ["pow", [0, 2], 0, 2],
      ["pow", [0, 2], 1, 0],
      ["pow", [0, 2], 2, 0],
      ["pow", [0, 3], 0, 0],
      ["pow", [0, 0], 0, 0],
      ["pow", [0, 1], 1, -Infinity],
      ["pow", [0, 0.5], 0, -Infinity],
      ["pow", [-2, 3], 0, -12],
      ["pow", [-2, 3], 1, NaN],
      ["div", [0, 5e-324], 2, 0],
      ["digamma", [0], 0, -Infinity],
      ["digamma", [-1], 0, NaN],
      ["lgamma", [-1], 0, Infinity],
      ["elu", [0, 1.5], 0, 1.5],
      ["leakyRelu", [2, 0.1], 1, 0],
    ];
    for (const [name, [a, b = 0], pair, want] of limits) {
      const row = primitive(name);
      const got = row.second[pair]?.(a, b, 0, row.value(a, b, 0)) ?? 0;
      expect(got + 0, `${name}(${[a, b]}) pair ${pair}`).toBe(want);
    }
  });

  it.each(rows)("%s does not throw at any special point", (_name, row) => {
    for (const p of specialPoints(row)) {
      for (const f of row.second) expect(typeof (f?.(...p, row.value(...p)) ?? 0)).toBe("number");
    }
  });
});

describe("polygamma", () => {
  // mpmath 1.3, psi(n, x) at 60 digits
  const known: [number, number, number][] = [
    [2, 0.3, -75.27253658872604],
    [2, -0.2, 245.56988429157832],
    [2, 1e-5, -2000000000000002.0],
    [3, 1.0, 6.493939402266829],
    [4, 5.0, -0.014063191342112799],
    [4, -1.00001, 2.3999999999213857e26],
    [7, 9.99, 0.00010124950201372519],
    [20, 33.3, -5.762253312949842e-14],
    [20, -3.3, 2.325831561706772e29],
    [60, 0.3, -6.543020959480156e113],
    [60, 120.0, -3.1284094235011094e-45],
    [90, 10000.0, -1.658235362576586e-224],
    [99, 33.3, 5608.341319690218],
    [3, -7.9, 60014.24854014009],
    [2, 10000000000.0, -1.0000000001e-20],
  ];

  it.each(known)("of order %d at %d", (n, x, want) => {
    expect(relativeError(polygamma(n, x), want)).toBeLessThan(1e-14);
  });

  it("is digamma and trigamma at the orders 0 and 1, a step in the order, and NaN outside its orders", () => {
    expect(polygamma(0, 2.5)).toBe(primitive("digamma").value(2.5, 0, 0));
    expect(polygamma(1, 2.5)).toBe(primitive("digamma").local[0](2.5, 0, 0, 0));
    expect(polygamma(1.9, 2.5)).toBe(polygamma(2, 2.5));
    for (const n of [-1, 101, NaN, Infinity]) expect(polygamma(n, 2.5)).toBeNaN();
    expect(polygamma(2, Infinity) + 0).toBe(0);
    expect(polygamma(3, -2)).toBe(Infinity);
    expect(polygamma(4, -2)).toBeNaN();
    expect(polygamma(2, -Infinity)).toBeNaN();
  });
});
