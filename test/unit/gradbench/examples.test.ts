/**
 * The graphs of `examples/gradbench` as a user runs them: through the runner, rewritten by the loader, with the panel's
 * default order. Where an instance is one of the reference files, its numbers are the reference's.
 */
import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { GraphDefinition } from "../../../engine/index.js";
import type { Runner } from "../../../runner/client.js";
import type { RunOptions, RunSuccess } from "../../../runner/messages.js";
import { buildForTest, type Built, quietRunner } from "../runner/built.js";
import { expectReference, reference, referenceText } from "./reference.js";

const exec = promisify(execFile);
const folder = fileURLToPath(new URL("../../../examples/gradbench", import.meta.url));

let built: Built;
let runner: Runner;
beforeAll(async () => {
  built = await buildForTest();
  runner = quietRunner(built);
});
afterAll(() => {
  runner?.dispose();
});

/** Runs a graph of the folder; `texts` are files that exist for this run only. */
async function run(
  file: string,
  options: RunOptions = {},
  texts: Readonly<Record<string, string>> = {},
): Promise<RunSuccess> {
  const result = await runner.run({
    file: join(folder, file),
    root: folder,
    options,
    timeoutMs: 600_000,
    memoryBytes: 2 ** 31,
    allowImports: false,
    layout: Object.keys(texts).length === 0,
    texts: Object.fromEntries(Object.entries(texts).map(([name, text]) => [join(folder, name), text])),
  });
  if (!result.ok) throw new Error(result.failure.message);
  return result;
}

const outputs = (result: RunSuccess): number[] => result.trace.header.outputs.map(({ value }) => value);
const flat = (value: unknown): number[] => [value].flat(Infinity) as number[];
const slopes = (result: RunSuccess): number[] => flat(Object.values(result.report.gradient));

/** What a graph of an example must give: the file, and which of its numbers are value and gradient. */
type Promise_ = readonly [
  graph: string,
  file: string,
  value: (expected: never) => unknown,
  gradient: (expected: never) => unknown,
];

interface Common {
  readonly primal: unknown;
  readonly objective: unknown;
  readonly gradient: unknown;
}
const primal = ({ primal }: Common): unknown => primal;
const objective = ({ objective }: Common): unknown => objective;
/** In the order of the inputs, where a file gives it by name. */
const gradient = ({ gradient }: Common): unknown => {
  if (Array.isArray(gradient)) return gradient;
  const { alpha, mu, q, l } = gradient as Record<"alpha" | "mu" | "q" | "l", unknown>;
  return [alpha, mu, q, l];
};

const promises: Readonly<Record<string, Promise_>> = {
  "gmm.graph.ts": ["gmm", "gmm-adbench-test", objective, gradient],
  "gmm-arrays.graph.ts": ["gmmArrays", "gmm-adbench-test", objective, gradient],
  "ba.graph.ts": [
    "baHorizontal",
    "ba1-replicated",
    ({ objective }: { objective: { reproj_error: { elements: number[] } } }) =>
      objective.reproj_error.elements,
    ({ jacobian }: { jacobian: { vals: number[] } }) => jacobian.vals.slice(0, 15),
  ],
  "lstm.graph.ts": ["lstm", "lstm-l1-c4-b2", objective, gradient],
  "llsq.graph.ts": ["llsq", "llsq-n16-m8", primal, gradient],
  "lse.graph.ts": ["lse", "lse-n10", primal, gradient],
  "det.graph.ts": ["det", "det-l3", primal, gradient],
  "ode.graph.ts": ["ode", "ode-n5-s2", primal, gradient],
  "kmeans.graph.ts": ["kmeans", "kmeans-k3-n20-d2", ({ cost }: { cost: number }) => cost, gradient],
  "particle.graph.ts": [
    "particle",
    "particle-w0p0",
    (expected: { objective_at_start: number }) => expected.objective_at_start,
    (expected: { derivative_at_start: number }) => expected.derivative_at_start,
  ],
};

describe("examples/gradbench", () => {
  it("has a promise for every example, but those that are tested by themselves", () => {
    const files = readdirSync(folder).filter((file) => file.endsWith(".graph.ts"));
    const alone = ["hello.graph.ts", "ht.graph.ts", "saddle.graph.ts"];
    expect(files.sort()).toEqual([...Object.keys(promises), ...alone].sort());
  });

  it.each(Object.entries(promises))("%s gives the reference", async (file, [graph, name, value, slope]) => {
    const theirs = reference<unknown, never>(name);
    const ways: RunOptions[] = [{}, { order: "tape" }, { accumulate: "pairwise" }, { accumulate: "kahan" }];
    for (const options of ways) {
      const result = await run(file, { graph, ...options });
      expect(result.report.finding).toBe(false);
      expect(result.positions?.shown.length).toBe(graph === "particle" ? 300 : result.trace.nodes.n);
      expectReference(theirs, outputs(result), flat(value(theirs.expected)), "value");
      expectReference(theirs, slopes(result), flat(slope(theirs.expected)), "gradient");
    }
  });

  it("gives the same on the command line", async () => {
    const file = reference<unknown, Common>("lse-n10");
    const cli = [join(built.dist, "cli.js"), "run", join(folder, "lse.graph.ts"), "--json"];
    const { stdout } = await exec(process.execPath, cli, { maxBuffer: 2 ** 24 });
    const { output, gradient } = JSON.parse(stdout) as {
      output: { value: number };
      gradient: { x: number[] };
    };
    expectReference(file, [output.value], flat(file.expected.primal), "value");
    expectReference(file, gradient.x, flat(file.expected.gradient), "gradient");
  });

  it("hello.graph.ts gives the reference at every x, and keeps signed zero, denormals and overflow", async () => {
    const file = reference<{ x: number[] }, { square: number[]; double: number[] }>("hello-a");
    for (const [i, x] of file.input.x.entries()) {
      const result = await run("hello.graph.ts", { set: { x } });
      expect(outputs(result)).toEqual([file.expected.square[i]]);
      expect(slopes(result)).toEqual([file.expected.double[i]]);
    }
    const odd: [number, number, number][] = [
      [-0, 0, -0],
      [5e-324, 0, 1e-323],
      [1e200, Infinity, 2e200],
      [-1.7e308, Infinity, -Infinity],
    ];
    for (const [x, square, double] of odd) {
      const result = await run("hello.graph.ts", { set: { x } });
      expect(outputs(result)).toEqual([square]);
      // a sum of contributions starts at +0, so a zero's sign is the value's to keep, not the derivative's
      expect(slopes(result).map((slope) => slope + 0)).toEqual([double + 0]);
      expect(result.report.finding).toBe(!Number.isFinite(square));
    }
  });

  it("ht.graph.ts gives the slope of the plain function, entry by entry", async () => {
    const result = await run("ht.graph.ts");
    const { ht } = (await import(join(folder, "ht.graph.ts"))) as { ht: GraphDefinition };
    const theta = ht.inputs.theta as number[];
    const sum = (theta: number[]): number =>
      (ht.fn({ theta }) as number[]).reduce((total, residual) => total + residual, 0);
    theta.forEach((_, i) => {
      const h = 1e-5;
      const at = (d: number): number => sum(theta.map((t, k) => (k === i ? t + d : t)));
      expect(Math.abs(slopes(result)[i] - (at(h) - at(-h)) / (2 * h)), `theta[${i}]`).toBeLessThan(1e-8);
    });
  });

  it("particle.graph.ts has a path of nine steps to look at, with the slope of the plain function", async () => {
    const result = await run("particle.graph.ts");
    const { trace, report } = result;
    expect(result.positions?.shown.length).toBe(trace.nodes.n);
    const { n, op, outcome } = trace.decisions;
    const rows = Array.from({ length: n }, (_, i) => i).filter((i) => trace.strings[op[i]] === "<=");
    // the first step does not depend on w yet
    expect(rows.map((i) => outcome[i])).toEqual([0, 0, 0, 0, 0, 0, 0, 1]);
    const at = async (w: number): Promise<number> =>
      outputs(await run("particle.graph.ts", { set: { w } }))[0];
    const slope = ((await at(1e-4)) - (await at(-1e-4))) / 2e-4;
    expect(Math.abs((report.gradient.w as number) - slope)).toBeLessThan(1e-4 * Math.abs(slope));
  });

  it("saddle.graph.ts gives the gradient of the payoff, and of the largest payoff", async () => {
    expect((await run("saddle.graph.ts")).report.gradient).toEqual({ x: [2, 2], y: [-2, -2] });
    // y's descent does not depend on x, so the largest payoff has the slope of x^2
    const outer = await run("saddle.graph.ts", { graph: "outer" });
    expect(outer.report.gradient).toEqual({ x: [2, 2] });
    expect(outputs(outer)[0]).toBeCloseTo(2, 9);
  });
});

/** A module that runs a problem's function over a reference file beside it. */
function instance(module: string, fn: string, inputs: string, call: string): string {
  return `import { graph } from "backsweep";
import { ${fn} } from "./problems/${module}.js";
import file from "./reference.json";
const input: any = file.input;
export const large = graph(${inputs}, (parameters: any) => ${call});
`;
}

const vector = "{ x: input.x }";
const larger: Readonly<Record<string, string>> = {
  "gmm-d2-k5-n10": instance(
    "gmm",
    "gmmObjective",
    "{ alpha: input.alpha, mu: input.mu.flat(), q: input.q.flat(), l: input.l.flat() }",
    "gmmObjective(parameters, input)",
  ),
  "llsq-n16-m128": instance("llsq", "leastSquares", vector, "leastSquares(parameters.x, input.n)"),
  "lse-n2500": instance("log-sum-exp", "logSumExp", vector, "logSumExp(parameters.x)"),
  "det-l5": instance("det", "determinant", "{ a: input.A }", "determinant(parameters.a, input.ell)"),
  "lstm-l2-c16-b14-adbench": instance(
    "lstm",
    "lstmLoss",
    "{ main: input.main_params.flat(), extra: input.extra_params.flat() }",
    "lstmLoss(parameters, input)",
  ),
};

describe("larger instances through the runner", () => {
  it.each(Object.entries(larger))("%s", async (name, text) => {
    const file = reference<unknown, Common>(name);
    const result = await run(
      "large.graph.ts",
      {},
      { "large.graph.ts": text, "reference.json": referenceText(name) },
    );
    const { expected } = file;
    expectReference(file, outputs(result), flat(expected.primal ?? expected.objective), "value");
    expectReference(file, slopes(result), flat(gradient(expected)), "gradient");
  });
});
