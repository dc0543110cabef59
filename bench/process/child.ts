/**
 * One engine on one problem in a process of its own. Says what the first call gave, then measures when asked, and ends when
 * the benchmark closes the channel. Arguments: engine, problem, and the small problem to rehearse with, or "-" to measure a
 * first call that is the first. For the loops of `extra/loops.ts`: `loop-plain` or `loop-rewritten`, and the loop.
 */
import { loadEngine } from "../engines/index.js";
import type { Engine, Work } from "../engines/engine.js";
import { loopWork } from "../extra/loop-engines.js";
import { places } from "../places.js";
import { problemById } from "../problems/index.js";
import { Meter } from "./clock.js";
import type { Reply, Request } from "./messages.js";

function say(reply: Reply): void {
  process.send!(reply);
}

/**
 * Runs the engine on a small problem of the same kind first. V8 compiles a loop that turns ten thousand times in its first
 * call before the code behind the loop has ever run, and can stay with slow code for good.
 */
async function rehearse(engine: Engine, id: string): Promise<void> {
  const work = await engine.prepare(problemById(id, places().root));
  if (typeof work === "string") return;
  const end = performance.now() + 150;
  for (let i = 0; i < 2_000 && performance.now() < end; i++) await work.run();
}

/** The work to measure, and the largest error that it may have. */
async function ready(): Promise<{ prepare(): Promise<Work | string>; tolerance: number }> {
  const [engineId, problemId, rehearsal] = process.argv.slice(2);
  if (engineId.startsWith("loop-")) return { prepare: () => loopWork(engineId, problemId), tolerance: 0 };
  const engine = await loadEngine(engineId);
  const problem = problemById(problemId, places().root);
  if (rehearsal !== "-") await rehearse(engine, rehearsal);
  return { prepare: () => engine.prepare(problem), tolerance: engine.tolerance };
}

async function main(): Promise<void> {
  const { prepare, tolerance } = await ready();
  const memory = process.resourceUsage().maxRSS;
  const start = performance.now();
  const work = await prepare();
  if (typeof work === "string") return say({ kind: "refused", reason: work });
  const outcome = await work.run();
  const ms = work.clocked === undefined ? performance.now() - start : null;
  const peakKb = process.resourceUsage().maxRSS - memory;
  const gradient = Float64Array.from(outcome.gradient);
  say({ kind: "ready", outcome: { value: outcome.value, gradient }, ms, tolerance, peakKb });
  const meter = new Meter(work);
  for await (const request of requests()) {
    if (request.kind === "warm") {
      await meter.warm(request.budget, request.limit);
      say({ kind: "time", ms: 0 });
    } else say({ kind: "time", ms: await meter.measure(request.budget) });
  }
}

async function* requests(): AsyncGenerator<Request> {
  const queue: Request[] = [];
  let wake: () => void = () => undefined;
  let open = true;
  process.on("message", (request: Request) => {
    queue.push(request);
    wake();
  });
  process.on("disconnect", () => {
    open = false;
    wake();
  });
  while (open) {
    const next = queue.shift();
    if (next !== undefined) yield next;
    else await new Promise<void>((resolve) => (wake = resolve));
  }
}

try {
  await main();
} catch (error) {
  say({ kind: "failed", reason: error instanceof Error ? error.message.split("\n")[0] : String(error) });
}
process.disconnect?.();
