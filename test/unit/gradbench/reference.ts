/**
 * The reference files of `test/fixtures/gradbench`, and the error metric each of them names. The larger ones are stored
 * gzipped, number for number.
 */
import { readdirSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";

const folder = fileURLToPath(new URL("../../fixtures/gradbench", import.meta.url));

/** A direction v with grad . v and Hessian v, all flat. */
export interface HvpReference {
  readonly v: number[];
  readonly jvp: number;
  readonly hv: number[];
}

export interface Reference<Input, Expected> {
  readonly eval: string;
  readonly name: string;
  readonly tolerance: { readonly metric: string; readonly float64: number };
  readonly input: Input;
  readonly expected: Expected & { readonly hvp?: HvpReference };
}

const names = readdirSync(folder).map((file) => file.replace(/\.json(\.gz)?$/, ""));

/** Names of all reference files, without their endings. */
export const referenceNames: readonly string[] = names;

/** Names of the reference files of a problem, without their endings; "ba" is not "ba-full". */
export function referencesOf(problem: string): string[] {
  const found = names.filter((name) => reference(name).eval === problem);
  if (found.length === 0) throw new Error(`no reference file of ${problem}`);
  return found;
}

/** The text of a reference file as it was received. */
export function referenceText(name: string): string {
  try {
    return readFileSync(join(folder, `${name}.json`), "utf8");
  } catch {
    return gunzipSync(readFileSync(join(folder, `${name}.json.gz`))).toString("utf8");
  }
}

export function reference<Input, Expected>(name: string): Reference<Input, Expected> {
  return JSON.parse(referenceText(name)) as Reference<Input, Expected>;
}

const metrics: Readonly<Record<string, (a: number, b: number) => number>> = {
  "|a-b| / max(1,|a|+|b|)": (a, b) => Math.abs(a - b) / Math.max(1, Math.abs(a) + Math.abs(b)),
  "|a-b| / max(|a|,|b|)": (a, b) => (a === b ? 0 : Math.abs(a - b) / Math.max(Math.abs(a), Math.abs(b))),
};

/** Largest deviation, in the file's own metric, of numbers from those the file gives; NaN anywhere is Infinity. */
export function deviation(
  { tolerance }: { tolerance: { metric: string } },
  ours: ArrayLike<number>,
  theirs: ArrayLike<number>,
): number {
  if (ours.length !== theirs.length) return Infinity;
  const metric = metrics[tolerance.metric];
  let worst = 0;
  for (let i = 0; i < ours.length; i++) {
    const d = metric(ours[i], theirs[i]);
    if (!(d <= worst)) worst = Number.isNaN(d) ? Infinity : d;
  }
  return worst;
}

/** Numbers equal the file's within its tolerance. */
export function expectReference(
  file: { tolerance: { metric: string; float64: number } },
  ours: ArrayLike<number>,
  theirs: ArrayLike<number>,
  what: string,
): void {
  expect(ours.length, `${what}: how many`).toBe(theirs.length);
  expect(deviation(file, ours, theirs), what).toBeLessThanOrEqual(file.tolerance.float64);
}
