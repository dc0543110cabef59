/**
 * The lint worker as the extension sees it: started with the first text, one text at a time. Of several texts under one
 * key only the last is linted; a lint that takes long for a text that is no longer wanted is ended with its worker.
 */
import { Worker } from "node:worker_threads";
import type { LintOptions } from "../../engine/lint/options.js";
import type { LintAnswer, LintRequest } from "./messages.js";

/** A lint that is not wanted any more may finish within this time; ending a worker costs more. Milliseconds. */
const PATIENCE_MS = 500;
/** Memory for what a lint leaves behind: a tree that fits in several times is seldom copied while it is collected. */
const YOUNG_MB = 96;
/** No text takes this long; milliseconds. */
const DEADLINE_MS = 20_000;

export interface LintJob {
  readonly kind: LintRequest["kind"];
  readonly text: string;
  readonly file: string;
  readonly options: LintOptions;
}

interface Waiting extends LintJob {
  readonly key: string;
  readonly done: (answer: LintAnswer | null) => void;
}

export class LintClient {
  private worker: Worker | null = null;
  private readonly queue: Waiting[] = [];
  private current: (Waiting & { readonly id: number; readonly began: number }) | null = null;
  private timer: NodeJS.Timeout | undefined;
  private lastId = 0;
  private disposed = false;

  /** `path`: the worker's bundle; `tell`: what goes wrong, for the log. */
  constructor(
    private readonly path: string,
    private readonly tell: (line: string) => void,
  ) {}

  /** The worker's answer; null: a later text with this key took its place, or the worker was lost. Never rejects. */
  ask(key: string, job: LintJob): Promise<LintAnswer | null> {
    this.drop(key);
    return new Promise((done) => {
      if (this.disposed) return done(null);
      this.queue.push({ ...job, key, done });
      this.next();
    });
  }

  /** What was asked under this key is no longer wanted. */
  drop(key: string): void {
    for (let i = this.queue.length - 1; i >= 0; i--)
      if (this.queue[i].key === key) this.queue.splice(i, 1)[0].done(null);
    const { current } = this;
    if (current?.key !== key) return;
    current.done(null);
    const left = PATIENCE_MS - (performance.now() - current.began);
    if (left <= 0) return this.end();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.end(), left);
  }

  private next(): void {
    if (this.current !== null || this.disposed) return;
    const job = this.queue.shift();
    if (job === undefined) return;
    const id = ++this.lastId;
    this.current = { ...job, id, began: performance.now() };
    const { kind, text, file, options } = job;
    this.timer = setTimeout(() => {
      this.tell(`${file}: the lint was ended after ${DEADLINE_MS / 1000} s`);
      this.end();
    }, DEADLINE_MS);
    const request: LintRequest = { id, kind, text, file, options };
    (this.worker ??= this.start()).postMessage(request);
  }

  private start(): Worker {
    // `process.env` and the host's flags are no business of the worker
    const worker = new Worker(this.path, {
      env: {},
      execArgv: [],
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    });
    worker.unref();
    worker.on("message", (answer: LintAnswer) => {
      if (this.worker === worker && this.current?.id === answer.id) this.settle(answer);
    });
    const lost = (reason: unknown): void => {
      if (this.worker !== worker) return;
      this.tell(`the lint worker ended: ${String(reason)}`);
      this.worker = null;
      this.settle(null);
    };
    worker.on("error", lost);
    worker.on("exit", (code) => lost(`exit ${code}`));
    return worker;
  }

  /** Ends the worker with what it is at. */
  private end(): void {
    const { worker } = this;
    this.worker = null;
    void worker?.terminate();
    this.settle(null);
  }

  private settle(answer: LintAnswer | null): void {
    clearTimeout(this.timer);
    const { current } = this;
    this.current = null;
    current?.done(answer);
    this.next();
  }

  dispose(): void {
    this.disposed = true;
    for (const { done } of this.queue.splice(0)) done(null);
    this.end();
  }
}
