/** Times of planning under a budget: `node bench/budgets.mjs`. Processor time beside the clock, for busy machines. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { performance } from "node:perf_hooks";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = resolve(import.meta.dirname, "..");
const outfile = join(mkdtempSync(join(tmpdir(), "budgets-")), "budgets.mjs");
await build({
  stdin: {
    contents: ["hetero", "dag", "pebbling"]
      .map((room) => `export * from "./engine/checkpoint/${room}/index.ts";`)
      .join("\n"),
    resolveDir: root,
    loader: "ts",
  },
  bundle: true,
  platform: "node",
  format: "esm",
  outfile,
  logLevel: "error",
});
const { leastBudget, Optimum, pebble, planChain, planRemat, problemOf } = await import(
  pathToFileURL(outfile).href
);

let seed = 7;
const draw = (low, high) => {
  seed = (seed * 1103515245 + 12345) % 2147483648;
  return low + Math.floor((seed / 2147483648) * (high - low));
};
const column = (n, low, high) => Float64Array.from({ length: n + 1 }, () => draw(low, high));

function time(what, run, rounds = 5) {
  const clock = [];
  const processor = [];
  let said = "";
  for (let k = 0; k < rounds; k++) {
    const start = performance.now();
    const used = process.cpuUsage();
    said = run() ?? "";
    const { user, system } = process.cpuUsage(used);
    clock.push(performance.now() - start);
    processor.push((user + system) / 1000);
  }
  const median = (list) => list.sort((a, b) => a - b)[list.length >> 1].toFixed(0);
  console.log(
    `${what}: ${median(clock)} ms, ${median(processor)} ms of processor${said === "" ? "" : `; ${said}`}`,
  );
}

const n = 100;
const state = column(n, 1e6, 8e6);
const tape = state.map((bytes) => bytes + draw(0, 8e6));
const chain = {
  model: "contained",
  n,
  state,
  tape,
  cotangent: state,
  forward: column(n, 1, 10),
  backward: column(n, 1, 20),
  forwardOverhead: column(n, 0, 1e6),
  backwardOverhead: column(n, 0, 1e6),
};
const least = leastBudget(chain);
for (const factor of [1.5, 2, 4]) {
  time(`chain-budget, 100 steps, 500 classes, ${factor} times the least budget`, () => {
    const plan = planChain(chain, Math.floor(factor * least));
    return `cost ${(plan.cost / plan.storeAllCost).toFixed(3)} of store-all`;
  });
}

time("pebble:40, counts up to 10^6 steps", () => void new Optimum(1e6, 40));
time(
  "pebble:40, actions for 10^5 steps",
  () => {
    let actions = 0;
    for (const _ of pebble(40).actions(1e5)) actions++;
    return `${actions} actions`;
  },
  3,
);

// the forward and reverse sweep of a chain as one DAG: node 2m - i reads nodes 2m - i - 1 and i - 1
const m = 100;
const parents = Array.from({ length: 2 * m }, (_, v) =>
  v === 0 ? [] : v < m ? [v - 1] : [v - 1, 2 * m - 1 - v],
);
const ones = parents.map(() => 1);
const problem = problemOf({ parents, size: ones, cost: ones, targets: [2 * m - 1] });
for (const budget of [12, 20, 40]) {
  time(
    `budget:${budget}, sweep over ${m} values as a DAG`,
    () => {
      const plan = planRemat(problem, budget, { method: "greedy" });
      return `cost ${plan.cost}, at least ${plan.lowerBound.toFixed(0)}`;
    },
    3,
  );
}
