/** One measurement beside the work items, in a process of its own. Arguments: its id, and the options as JSON. */
import type { MeasurementReply } from "../extra/index.js";
import type { Measurement } from "../extra/section.js";
import type { Options } from "../options.js";

const load: Readonly<Record<string, () => Promise<Measurement>>> = {
  memory: async () => (await import("../extra/memory.js")).memory,
  hvp: async () => (await import("../extra/hvp.js")).hessianProducts,
  kernels: async () => (await import("../extra/kernels.js")).matrixKernels,
  "untraced-loops": async () => (await import("../extra/loader.js")).loaderFactors,
  "cold-start": async () => (await import("../extra/cold-start.js")).coldStart,
};

async function answer(): Promise<MeasurementReply> {
  const [id, options] = process.argv.slice(2);
  try {
    const measurement = await load[id]();
    return { figures: await measurement(JSON.parse(options) as Options) };
  } catch (error) {
    return { failed: error instanceof Error ? error.message.split("\n")[0] : String(error) };
  }
}

process.send!(await answer());
process.disconnect?.();
