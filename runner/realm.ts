/** One worker: a fresh realm with the engine loaded, good for one run. */
import { Worker } from "node:worker_threads";
import { createMonitor } from "./monitor.js";
import type { Place, RunnerToWorker, WorkerData, WorkerToRunner } from "./wire.js";

type Sites = Extract<WorkerToRunner, { type: "sites" }>;

/**
 * The heap may grow beyond the limit by this much before V8 itself ends the worker, so that the watch, which looks every
 * few milliseconds, can stop it first and keep what was traced.
 */
const HEADROOM = 1.5;
const HEADROOM_MB = 64;

export class Realm {
  readonly monitor = createMonitor();
  readonly worker: Worker;
  dead = false;
  private readonly sites: Sites[] = [];
  private readonly ended: Promise<void>;

  constructor(readonly memoryBytes: number) {
    const workerData: WorkerData = { monitor: this.monitor, memoryBytes };
    const megabytes = Math.ceil(memoryBytes / 2 ** 20);
    this.worker = new Worker(new URL("./worker.js", import.meta.url), {
      workerData,
      env: {},
      // the second flag lets packages be found from the importing file
      execArgv: ["--experimental-vm-modules", "--experimental-import-meta-resolve", "--no-warnings"],
      stdin: false,
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: Math.ceil(megabytes * HEADROOM) + HEADROOM_MB },
    });
    // what reaches the worker's own streams is nobody's result: let it flow away
    this.worker.stdout.resume();
    this.worker.stderr.resume();
    this.worker.on("error", () => undefined);
    this.ended = new Promise((resolve) => {
      this.worker.once("exit", () => {
        this.dead = true;
        resolve();
      });
    });
  }

  send(message: RunnerToWorker): void {
    this.worker.postMessage(message);
  }

  addSites(sites: Sites): void {
    this.sites.push(sites);
  }

  /** The place of a global site id, as far as the worker has told. */
  placeOf(site: number): Place | null {
    for (let i = this.sites.length - 1; i >= 0; i--) {
      const { base, file, line, column, endLine, endColumn } = this.sites[i];
      const index = site - base;
      if (index < 0) continue;
      if (index >= line.length) return null;
      return {
        file,
        line: line[index],
        column: column[index],
        endLine: endLine[index],
        endColumn: endColumn[index],
      };
    }
    return null;
  }

  /** Resolves when the worker has ended. */
  async terminate(): Promise<void> {
    void this.worker.terminate();
    await this.ended;
  }
}
