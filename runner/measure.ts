/**
 * Memory of one run as the system counts it, in a process that does nothing else. Before it begins the engine has run once
 * on a small graph, so that its code is there; garbage is collected as it comes, so that what is measured is what is held.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { analyse } from "../engine/analysis/analysis.js";
import type { GraphDefinition } from "../engine/graph/definition.js";
import { resolveOptions } from "../engine/graph/options.js";
import { chain, graph, type Tensor } from "../engine/index.js";
import { collectGarbage, collectYoung, memoryInUse } from "./memory.js";
import type { MeasuredMemory } from "./messages.js";

/** In use above what the last full collection left, before the next one. */
const SLACK_BYTES = 2 ** 21;
/** Times the small graph is run. */
const WARM_RUNS = 3;

// taken before user code loses its access to the process
const residentBytes = process.memoryUsage.rss.bind(process.memoryUsage);
const usage = process.resourceUsage.bind(process);
const write = writeFileSync;
const read = readFileSync;

export class Measurement {
  private before = 0;
  private begun = 0;
  /** most resident bytes seen, where the system's own peak is that of an earlier time */
  private seen = 0;
  private reset = false;
  private collecting = 0;
  private left = 0;

  /** Has the engine's code loaded and compiled. */
  static warm(): void {
    const small = graph({ u: Float64Array.from({ length: 64 }, (_, i) => i / 64), k: 0.5 }, ({ u, k }) => {
      const state = u as Tensor;
      const end = chain(12, state, (x) => (x as Tensor).mul(k).add(state).sub(1).square()) as Tensor;
      return end.mul(end).sum();
    }) as unknown as GraphDefinition;
    const context = { name: "warm", graphs: ["warm"], root: "", limitBytes: 2 ** 28 };
    for (let i = 0; i < WARM_RUNS; i++) {
      for (const schedule of ["store-all", "revolve:2", "auto:8000"]) {
        const settings = resolveOptions(small, { schedule });
        analyse({ definition: small, settings, context }, { kind: "compare" });
        // or what it leaves would be there for the run to take
        collectGarbage();
      }
    }
  }

  begin(): void {
    for (let i = 0; i < 3; i++) collectGarbage();
    this.left = memoryInUse();
    this.before = this.seen = residentBytes();
    this.reset = resetPeak(this.before);
    this.begun = performance.now();
  }

  /** To be called whenever arrays were let go: collects the young, and all where that left much, once there is much. */
  readonly collect = (): void => {
    const used = memoryInUse();
    // buffers are counted as free some time after the collection that found them dead
    this.left = Math.min(this.left, used);
    if (used < this.left + SLACK_BYTES) return;
    const started = performance.now();
    if (!this.reset) this.seen = Math.max(this.seen, residentBytes());
    collectYoung();
    if (memoryInUse() > this.left + SLACK_BYTES / 2) {
      collectGarbage();
      this.left = memoryInUse();
    }
    this.collecting += performance.now() - started;
  };

  end(): MeasuredMemory {
    const elapsedMs = performance.now() - this.begun - this.collecting;
    // given in units of 1024 bytes on every system
    const peak = this.reset ? 1024 * usage().maxRSS : Math.max(this.seen, residentBytes());
    return { before: this.before, peak: Math.max(peak, this.before), elapsedMs };
  }
}

/**
 * Has the system begin its peak of resident memory anew, where it can: Linux does for whoever writes 5 into clear_refs
 * (proc(5)). True where it did.
 */
function resetPeak(resident: number): boolean {
  try {
    write("/proc/self/clear_refs", "5");
    const peak = /VmHWM:\s+(\d+) kB/.exec(read("/proc/self/status", "utf8"));
    return (
      peak !== null &&
      1024 * Number(peak[1]) < resident + 2 ** 21 &&
      1024 * usage().maxRSS < resident + 2 ** 21
    );
  } catch {
    return false;
  }
}
