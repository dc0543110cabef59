/** From a cold command line to the end of its output: what a person waits for at the first run. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { places } from "../places.js";
import { median } from "../stats.js";
import type { Figure, Measurement } from "./section.js";

/** A graph of about 1,000 nodes in plain arithmetic. */
const thousand = `import { graph } from "backsweep";

export default graph({ x: 0.5, y: 1.5 }, ({ x, y }) => {
  let s = x;
  for (let i = 0; i < 333; i++) s = Math.sin(s) * x + y;
  return s;
});
`;

function wait(what: string, file: string, goal: number, samples: number): Figure {
  const { root } = places();
  const figure = { what, unit: "ms", goal };
  const times: number[] = [];
  for (let i = 0; i < samples; i++) {
    const start = performance.now();
    const { status } = spawnSync(process.execPath, [join(root, "dist/cli.js"), "run", file], {
      cwd: root,
      stdio: "ignore",
    });
    if (status !== 0) return { ...figure, value: null, note: `ended with ${status}` };
    times.push(performance.now() - start);
  }
  return { ...figure, value: median(times) };
}

export const coldStart: Measurement = ({ smoke, rounds }) => {
  const { root, build } = places();
  const folder = join(build, "modules");
  mkdirSync(folder, { recursive: true });
  const generated = join(folder, "thousand.graph.ts");
  writeFileSync(generated, thousand);
  const built = existsSync(join(root, "dist/cli.js"));
  const samples = smoke ? 1 : rounds;
  const figure = (what: string, file: string, goal: number): Figure =>
    built
      ? wait(what, file, goal, samples)
      : { what, value: null, unit: "ms", goal, note: "not built: npm run build" };
  return Promise.resolve([
    figure("examples/fan-out.graph.ts", join(root, "examples/fan-out.graph.ts"), 400),
    figure("a graph of 1,000 nodes", generated, 600),
  ]);
};
