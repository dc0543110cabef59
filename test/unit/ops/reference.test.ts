/**
 * Every entry of the reference cases: value, vjp, jvp. An entry the engines disagree on passes near any of them; those
 * that are near the reference itself are counted apart, and the ones that are not are named here with the reason.
 */
import { describe, expect, it } from "vitest";
import { primitives } from "../../../engine/ops/table.js";
import { cases, evaluate, flat, indexPaths, number, relativeError, rowOf, tolerances } from "./reference.js";
import type { Case } from "./reference.js";

/** Rows the reference has no case of; `special-points.test.ts` and `hard-points.test.ts` hold them. */
const WITHOUT_CASES = ["exp2", "trunc", "where", "polygamma"];

/** Entries of another value than the reference's, all engines of the reference agreeing: id and path, and why. */
const DEVIATIONS: readonly [RegExp, string][] = [
  [
    /^(unary\/powScalar|binary\/pow)\/.* value\b.* NaN for 1$/,
    "JavaScript's 1 ** NaN and (±1) ** ±Infinity are NaN",
  ],
  [
    /^binary\/atan2\/special jvp\[[012]\] 0 for NaN$/,
    "the vjp at (0, 0) is 0, 0, and the jvp is its adjoint",
  ],
];

/** Entries the engines disagree on, where ours is another one's than the reference's. */
const NOT_REFERENCE: readonly [RegExp, number, string][] = [
  [/^unary\/digamma\/special (vjp\.0|jvp)\[(11|13|15|16)\] Infinity for /, 8, "ψ' at a pole: JAX's Infinity"],
  [/^binary\/(min|max)\/special vjp\..* 0 for 1$/, 4, "max(1, NaN): only the NaN takes the cotangent"],
];

const tally = { entries: 0, deviations: 0, disagreed: 0, equalsReference: 0, others: [] as string[] };
const exercised = new Set<string>();

function near(got: number, want: number, tolerance: number, floor: number, signOfZero: boolean): boolean {
  if (signOfZero && got === 0 && want === 0) return Object.is(got, want);
  return relativeError(got, want, floor) <= tolerance;
}

/** null if the entry passes, else what is wrong with it. */
function compare(
  c: Case,
  path: string,
  got: number,
  want: number,
  tolerance: number,
  floor: number,
): string | null {
  tally.entries++;
  const d = c.disagree?.find((x) => x.path === path);
  const signOfZero = path.startsWith("value") && d?.kind !== "signedZero";
  const entry = `${c.id} ${path} ${got} for ${want}`;
  const equal = near(got, want, tolerance, floor, path.startsWith("value"));
  if (d === undefined) {
    if (equal) return null;
    if (!DEVIATIONS.some(([pattern]) => pattern.test(entry))) return entry;
    tally.deviations++;
    return null;
  }
  tally.disagreed++;
  if (equal) tally.equalsReference++;
  else tally.others.push(entry);
  const answers = [d.torch, d.jax, d.mpmath, d.ref].filter((x) => x !== undefined);
  if (answers.some((x) => near(got, number(x), tolerance, floor, signOfZero))) return null;
  return `${entry} (${d.kind}: ${answers.join(", ")})`;
}

function failures(c: Case): string[] {
  exercised.add(rowOf(c).row.name);
  const { value, derivative } = tolerances(c);
  const result = evaluate(c);
  const wrong: (string | null)[] = [];
  const compareAll = (
    name: string,
    shape: readonly number[],
    got: number[],
    want: number[],
    t: number,
  ): void => {
    expect(got.length).toBe(want.length);
    const paths = indexPaths(shape);
    // sums over a broadcast operand are compared on the scale of the array, as the reference's README says
    const scale = Math.max(0, ...want.filter(Number.isFinite).map(Math.abs));
    const floor = c.id.startsWith("broadcast/") ? 1e-3 * scale : 0;
    got.forEach((x, i) => wrong.push(compare(c, name + paths[i], x, want[i], t, floor)));
  };
  compareAll("value", c.valueShape, result.value, flat(c.value), value);
  c.vjp.forEach((v, i) => compareAll(`vjp.${i}`, c.shapes[i], result.vjp[i], flat(v), derivative));
  compareAll("jvp", c.valueShape, result.jvp, flat(c.jvp), derivative);
  return wrong.filter((x) => x !== null);
}

describe.each(["unary", "binary", "broadcast"] as const)("reference/%s", (file) => {
  it.each(cases(file).map((c) => [c.id, c] as const))("%s", (_id, c) => {
    expect(failures(c)).toEqual([]);
  });
});

describe("reference, all together", () => {
  it("is equal to the reference wherever the engines disagree, but for the entries named above", () => {
    console.log(
      `reference: ${tally.entries} entries, ${tally.disagreed} the engines disagree on, of them ` +
        `${tally.equalsReference} equal to the reference; ${tally.deviations} deviations by intent`,
    );
    expect(tally.others.filter((x) => !NOT_REFERENCE.some(([pattern]) => pattern.test(x)))).toEqual([]);
    for (const [pattern, count] of NOT_REFERENCE) {
      expect(tally.others.filter((x) => pattern.test(x)).length).toBe(count);
    }
    expect(tally.entries).toBeGreaterThan(5000);
  });

  it("exercised every row the reference has cases of", () => {
    expect(primitives.map((p) => p.name).filter((name) => !exercised.has(name))).toEqual(WITHOUT_CASES);
  });
});
