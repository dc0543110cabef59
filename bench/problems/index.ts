/** Problems by id. GradBench's stand in files; the others are made. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { chain } from "./chain.js";
import { gmm, type GmmFile } from "./gmm.js";
import { lstm, type LstmFile } from "./lstm.js";
import { mlp } from "./mlp.js";
import type { Problem } from "./problem.js";
import { rosenbrock } from "./rosenbrock.js";

const files: Record<string, string> = {
  "gmm-d2-k5-n10": "gmm-d2-k5-n10",
  "gmm-d2-k5-n1000": "gmm-d2-k5-n1000-gradbench",
  "gmm-d10-k25-n1000": "gmm-d10-k25-n1000-gradbench",
  "lstm-l1-c4-b2": "lstm-l1-c4-b2",
  "lstm-l2-c128-b14": "lstm-l2-c128-b14-adbench",
};

export const fullSize = [
  "rosenbrock-10000",
  "mlp-64-64-10-b32",
  "gmm-d10-k25-n1000",
  "gmm-d2-k5-n1000",
  "lstm-l2-c128-b14",
  "chain-3000",
  "chain-300000",
];

/** Small enough for a test of every engine in seconds. */
export const smokeSize = ["rosenbrock-50", "mlp-8-6-4-b3", "gmm-d2-k5-n10", "lstm-l1-c4-b2", "chain-300"];

export function isProblem(id: string): boolean {
  return id in files || /^(rosenbrock-\d+|chain-\d+|mlp-\d+-\d+-\d+-b\d+)$/.test(id);
}

/** The large files are kept compressed. */
function fixture(path: string): string {
  return existsSync(path)
    ? readFileSync(path, "utf8")
    : gunzipSync(readFileSync(`${path}.gz`)).toString("utf8");
}

function parsed(file: string, root: string): unknown {
  return JSON.parse(fixture(join(root, "test/fixtures/gradbench", `${file}.json`)));
}

/** The first points of a mixture whose file has more; without reference values. */
function fewerPoints(id: string, root: string): Problem | null {
  const [, shape, points] = /^(gmm-d\d+-k\d+)-n(\d+)$/.exec(id) ?? [];
  const file = files[`${shape}-n1000`];
  if (file === undefined) return null;
  const whole = parsed(file, root) as GmmFile;
  const n = Number(points);
  const input = { ...whole.input, n, x: whole.input.x.slice(0, n) };
  return { ...gmm({ ...whole, input }), expected: null };
}

/**
 * @param id for instance `chain-3000`; any size of the problems that are made
 * @param root the repository's folder
 */
export function problemById(id: string, root: string): Problem {
  const file = files[id];
  if (file !== undefined) {
    const contents = parsed(file, root);
    return id.startsWith("gmm") ? gmm(contents as GmmFile) : lstm(contents as LstmFile);
  }
  const fewer = fewerPoints(id, root);
  if (fewer !== null) return fewer;
  const [, kind, rest] = /^([a-z]+)-(.*)$/.exec(id) ?? [];
  const sizes = (rest ?? "").split(/-b|-/).map(Number);
  if (sizes.length > 0 && sizes.every((size) => Number.isInteger(size) && size > 0)) {
    if (kind === "rosenbrock" && sizes.length === 1) return rosenbrock(sizes[0]);
    if (kind === "chain" && sizes.length === 1) return chain(sizes[0]);
    if (kind === "mlp" && sizes.length === 4) return mlp(sizes[0], sizes[1], sizes[2], sizes[3]);
  }
  throw new Error(`there is no problem "${id}"`);
}
