import { beforeAll, describe, expect, it } from "vitest";
import * as plain from "../../../examples/gradbench/problems/ba.js";
import { graph, gradient, jacobian } from "../../../engine/index.js";
import { tracedProblem } from "./problems.js";
import { expectReference, reference, referencesOf } from "./reference.js";

let traced: typeof plain;
beforeAll(async () => {
  traced = await tracedProblem("ba");
});

interface Block {
  readonly camera: number[];
  readonly point: number[];
  readonly weight: number;
}

/** Entries of one observation's block: two rows over 11 camera, 3 point and 1 weight columns. */
function block(camera: number[], point: number[], weight: number, feature: number[]): number[][] {
  const definition = graph({ camera, point, weight }, (inputs) =>
    traced.reprojectionError(inputs.camera, inputs.point, inputs.weight, feature),
  );
  const { jacobian: rows, mode } = jacobian(definition);
  expect(mode).toBe("reverse");
  return (rows as Block[]).map(({ camera, point, weight }) => [...camera, ...point, weight]);
}

const weightSlope = (weight: number): number =>
  gradient(graph({ weight }, (inputs) => traced.weightError(inputs.weight))).weight;

interface Sparse {
  readonly rows: number[];
  readonly cols: number[];
  readonly vals: number[];
}

/** Where the entries stand: the layout of ADBench's sparse matrix, row by row. */
function layout(n: number, m: number, observations: readonly (readonly number[])[]): Omit<Sparse, "vals"> {
  const rows = [0];
  const cols: number[] = [];
  observations.forEach(([camera, point], i) => {
    for (let row = 0; row < 2; row++) {
      for (let j = 0; j < 11; j++) cols.push(11 * camera + j);
      for (let j = 0; j < 3; j++) cols.push(11 * n + 3 * point + j);
      cols.push(11 * n + 3 * m + i);
      rows.push(cols.length);
    }
  });
  observations.forEach((_, i) => {
    cols.push(11 * n + 3 * m + i);
    rows.push(cols.length);
  });
  return { rows, cols };
}

interface DistinctInput {
  readonly n: number;
  readonly m: number;
  readonly p: number;
  readonly cams: number[][];
  readonly x: number[][];
  readonly w: number[];
  readonly feats: number[][];
  readonly obs: number[][];
}
interface DistinctExpected extends Sparse {
  readonly ncols: number;
  readonly reproj_err: number[];
  readonly w_err: number[];
}

describe.each(referencesOf("ba-full"))("%s", (name) => {
  const file = reference<DistinctInput, DistinctExpected>(name);
  const { n, m, cams, x, w, feats, obs } = file.input;
  const { expected } = file;
  const residuals = [...expected.reproj_err, ...expected.w_err];
  const parameters = { cameras: cams.flat(), points: x.flat(), weights: w };
  const data = { features: feats, observations: obs };

  it("has the residuals of the reference in plain numbers", () => {
    expectReference(file, plain.baResiduals(parameters, data), residuals, "residuals");
  });

  it("has the sparse Jacobian of the reference, block by block", () => {
    const { rows, cols } = layout(n, m, obs);
    expect(rows).toEqual(expected.rows);
    expect(cols).toEqual(expected.cols);
    const vals = obs.flatMap(([camera, point], i) => block(cams[camera], x[point], w[i], feats[i]).flat());
    expectReference(file, [...vals, ...w.map(weightSlope)], expected.vals, "vals");
  });

  it("has the rows of the reference as one graph too, zeros included", () => {
    const definition = graph(parameters, (inputs) => traced.baResiduals(inputs, data));
    const { jacobian: ours, sweeps } = jacobian(definition);
    expect(sweeps).toBe(Math.min(residuals.length, expected.ncols));
    (ours as Record<keyof typeof parameters, number[]>[]).forEach(({ cameras, points, weights }, row) => {
      const dense = new Array<number>(expected.ncols).fill(0);
      for (let e = expected.rows[row]; e < expected.rows[row + 1]; e++)
        dense[expected.cols[e]] = expected.vals[e];
      expectReference(file, [...cameras, ...points, ...weights], dense, `row ${row}`);
    });
  });
});

interface ReplicatedInput {
  readonly n: number;
  readonly m: number;
  readonly p: number;
  readonly cam: number[];
  readonly x: number[];
  readonly w: number;
  readonly feat: number[];
}
interface ReplicatedExpected {
  readonly objective: {
    readonly reproj_error: { readonly elements: number[]; readonly repeated: number };
    readonly w_err: { readonly element: number; readonly repeated: number };
  };
  readonly jacobian: Sparse;
}

describe.each(referencesOf("ba"))("%s", (name) => {
  const file = reference<ReplicatedInput, ReplicatedExpected>(name);
  const { n, m, p, cam, x, w, feat } = file.input;
  const { objective, jacobian } = file.expected;
  const observations = Array.from({ length: p }, (_, i) => [i % n, i % m]);
  const copies = <T>(value: T, count: number): T[] => Array.from({ length: count }, () => value);

  it("has the residuals of the reference in plain numbers, every observation's", () => {
    const residuals = plain.baResiduals(
      { cameras: copies(cam, n).flat(), points: copies(x, m).flat(), weights: copies(w, p) },
      { features: copies(feat, p), observations },
    );
    const expected = [
      ...copies(objective.reproj_error.elements, objective.reproj_error.repeated).flat(),
      ...copies(objective.w_err.element, objective.w_err.repeated),
    ];
    expectReference(file, residuals, expected, "residuals");
  });

  // GradBench transmits the first 30 entries and the last one
  it("has the entries of the sparse Jacobian that the reference gives", () => {
    const sample = <T>(all: readonly T[]): T[] => [...all.slice(0, 30), all[all.length - 1]];
    const { rows, cols } = layout(n, m, observations);
    expect(sample(rows)).toEqual(jacobian.rows);
    expect(sample(cols)).toEqual(jacobian.cols);
    expectReference(file, [...block(cam, x, w, feat).flat(), weightSlope(w)], jacobian.vals, "vals");
  });
});
