/** `replay`, `compare` and `run --schedule` as a user calls them, on the examples. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildForTest, folderOf, type Built } from "../runner/built.js";

const examples = fileURLToPath(new URL("../../../examples/", import.meta.url));
let built: Built;
let folder: ReturnType<typeof folderOf>;
beforeAll(async () => {
  built = await buildForTest();
  folder = folderOf({
    "large.graph.ts": `import { chain, graph, tanh } from "backsweep";
const start = Float64Array.from({ length: 20_000 }, (_, i) => Math.sin(i));
export const large = graph({ x: 0.5, w: start }, ({ x, w }) => {
  const end = chain(60, w, (u) => tanh(u.mul(x)).add(w));
  return end.mul(end).sum();
});
`,
    "outside.graph.ts": `import { chain, graph } from "backsweep";
export const noisy = graph({ x: 0.6 }, ({ x }) =>
  chain(6, x, (u) => {
    const calm = Math.random() * 0;
    return Math.sin(u) + calm + x * Math.random();
  }),
);
export const dated = graph({ x: 0.6 }, ({ x }) => chain(6, x, (u) => Math.sin(u) + x * (new Date().getTime() % 2)));
`,
  });
});
afterAll(() => {
  folder?.dispose();
});

function backsweep(
  line: string,
  cwd = examples,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  return new Promise((resolve, reject) => {
    const args = [join(built.dist, "cli.js"), ...line.split(" "), "--timeout", "120"];
    const child = spawn(process.execPath, args, { cwd, env: {} });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });
}

interface Mismatch {
  readonly point: string;
  readonly message: string;
  readonly line: number;
}

describe("backsweep replay", () => {
  it("dropout: holds with matched streams; unmatched tells work, peak and derivative apart", async () => {
    const matched = await backsweep("replay dropout.graph.ts --schedule revolve:3");
    expect(matched.code, matched.stderr).toBe(0);
    expect(matched.stdout).toContain("the gradient is that of store-all, bit for bit");
    const unmatched = await backsweep("replay dropout.graph.ts --schedule revolve:3 --stream unmatched");
    expect(unmatched.code).toBe(1);
    const lineOf = (text: string, what: string): string | undefined =>
      text.split("\n").find((line) => line.includes(what));
    for (const what of ["arithmetic work", "peak state"])
      expect(lineOf(unmatched.stdout, what)).toBe(lineOf(matched.stdout, what));
    expect(lineOf(unmatched.stdout, "first derivative mismatch")).toMatch(/dropout\.graph\.ts:\d+:\d+/);
    expect(unmatched.stdout).toMatch(/dropout\.graph\.ts:8:20: draw 1 of chain, step/);
  });

  it("a branch that flips under f32: the condition as written, and both operands", async () => {
    expect((await backsweep("replay branch-replay.graph.ts --schedule revolve:2")).code).toBe(0);
    const { code, stdout } = await backsweep(
      "replay branch-replay.graph.ts --schedule revolve:2 --replay-dtype f32 --json",
    );
    expect(code).toBe(1);
    const document = JSON.parse(stdout) as { completed: boolean; mismatches: Mismatch[] };
    const flip = document.mismatches.find(({ point }) => point === "decision")!;
    expect(flip.message).toContain(
      '"u > 1" is false (1 > 1) and was true in the first run (1.000000001 > 1)',
    );
    expect(flip.line).toBe(8);
    expect(document.completed).toBe(false);
  });

  it("a running mean: updated twice it is named, and run gives no gradient; runningState holds", async () => {
    const kept = await backsweep("replay running-mean.graph.ts --graph kept --schedule revolve:2");
    expect(kept.code).toBe(0);
    const careless = await backsweep("run running-mean.graph.ts --graph careless --schedule revolve:2");
    expect(careless.code).toBe(1);
    expect(careless.stdout).toBe("");
    expect(careless.stderr).toMatch(/running-mean\.graph\.ts:18:\d+: .*reads another constant/);
    expect(careless.stderr).toContain("runningState");
  });

  it("Math.random() and a clock: which draw, where", async () => {
    const { code, stderr } = await backsweep(
      "run outside.graph.ts --graph noisy --schedule revolve:2",
      folder.path,
    );
    expect(code).toBe(1);
    // the first draw is multiplied by 0, but is the first that differs
    expect(stderr).toMatch(/outside\.graph\.ts:4:\d+: Math\.random\(\) gives .* \(draw 1 of the step\)/);
    const dated = await backsweep(
      "replay outside.graph.ts --graph dated --schedule revolve:2 --json",
      folder.path,
    );
    expect(dated.code).toBe(1);
    expect(JSON.parse(dated.stdout)).toMatchObject({ outside: [{ what: "new Date()", line: 8 }] });
  });

  it("wants a schedule", async () => {
    const { code, stderr } = await backsweep("replay dropout.graph.ts");
    expect(code).toBe(2);
    expect(stderr).toContain("nothing is replayed under store-all");
  });
});

interface Row {
  readonly schedule: string;
  readonly failure: { kind: string } | null;
  readonly counts: { peakStates: number; totalForwards: number; extraForwards: number } | null;
  readonly allocatedBytes: number | null;
  readonly measured: { before: number; peak: number } | null;
  readonly distance: { equal: boolean } | null;
}

describe("backsweep compare", () => {
  it("counts as plan does, and every gradient is store-all's", async () => {
    const { code, stdout } = await backsweep(
      "compare chain-64.graph.ts --schedules uniform:8,hrevolve:2,3,revolve:6 --json",
    );
    expect(code).toBe(0);
    const { rows, reference } = JSON.parse(stdout) as { rows: Row[]; reference: string };
    expect(reference).toBe("store-all");
    expect(rows.map(({ schedule }) => schedule)).toEqual([
      "store-all",
      "uniform:8",
      "hrevolve:2,3",
      "revolve:6",
    ]);
    expect(rows[0].counts).toMatchObject({ totalForwards: 64, extraForwards: 0 });
    expect(rows[1].counts).toMatchObject({ peakStates: 15, totalForwards: 183, extraForwards: 119 });
    for (const row of rows) {
      expect(row.distance!.equal, row.schedule).toBe(true);
      expect(row.measured!.peak).toBeGreaterThanOrEqual(row.measured!.before);
      expect(row.allocatedBytes).toBeLessThanOrEqual(rows[0].allocatedBytes!);
    }
  });

  it("a graph that does not fit under store-all runs under auto, its measured memory below the limit", async () => {
    const limit = 20 * 2 ** 20;
    const { code, stdout } = await backsweep(
      `compare large.graph.ts --schedules auto:2MiB --memory ${limit} --json`,
      folder.path,
    );
    expect(code).toBe(0);
    const [storeAll, auto] = (JSON.parse(stdout) as { rows: Row[] }).rows;
    expect(storeAll.failure).toMatchObject({ kind: "memory" });
    expect(auto.failure).toBe(null);
    expect(auto.allocatedBytes).toBeLessThanOrEqual(2 * 2 ** 20);
    // 60 steps of three arrays of 160 kB: 28.8 MB if everything were kept, sweep not counted
    expect(auto.measured!.peak - auto.measured!.before).toBeLessThan(60 * 3 * 160_000);
  });

  it("an unknown schedule is one line", async () => {
    const { code, stderr } = await backsweep("compare chain-64.graph.ts --schedules uniforn:8");
    expect(code).toBe(2);
    expect(stderr).toContain("--schedules");
  });
});
