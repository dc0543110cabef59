/** The measurements beside the work items, and how they are run. Those that time in their own process get a fresh one. */
import { fork } from "node:child_process";
import { join } from "node:path";
import type { Options } from "../options.js";
import { places } from "../places.js";
import type { Figure, Section } from "./section.js";

export interface MeasurementEntry {
  readonly id: string;
  readonly title: string;
}

export const measurements: readonly MeasurementEntry[] = [
  { id: "memory", title: "Memory of a chain of 1,000,000 operations" },
  { id: "hvp", title: "Hessian-vector product" },
  { id: "kernels", title: "64 x 64 matrix product" },
  { id: "untraced-loops", title: "Rewritten code in which nothing is traced" },
  { id: "cold-start", title: "First run from a cold command line" },
];

/** What the process of a measurement answers. */
export type MeasurementReply = { readonly figures: readonly Figure[] } | { readonly failed: string };

export async function measureSection({ id, title }: MeasurementEntry, options: Options): Promise<Section> {
  const { root, build } = places();
  const child = fork(join(build, "measure.mjs"), [id, JSON.stringify(options)], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    execArgv: ["--no-warnings"],
    env: { ...process.env, BACKSWEEP_BENCH_ROOT: root, BACKSWEEP_BENCH_BUILD: build },
  });
  const reply = await new Promise<MeasurementReply>((resolve) => {
    child.once("message", (message) => resolve(message as MeasurementReply));
    child.once("exit", (code, signal) => resolve({ failed: `the process ended (${signal ?? code})` }));
  });
  if (child.connected) child.disconnect();
  // goals are for the sizes and rounds of a full run
  const bare = ({ what, value, unit, note }: Figure): Figure => ({
    what,
    value,
    unit,
    ...(note && { note }),
  });
  if ("figures" in reply)
    return { id, title, figures: options.smoke ? reply.figures.map(bare) : reply.figures };
  return { id, title, figures: [{ what: title, value: null, unit: "", note: `failed: ${reply.failed}` }] };
}
