/** An engine's process as the benchmark sees it. */
import { fork, type ChildProcess } from "node:child_process";
import { join } from "node:path";
import { places } from "../places.js";
import type { Reply, Request } from "./messages.js";

/** Longest that anything an engine is asked may take. */
const PATIENCE = 90_000;

export class EngineProcess {
  private readonly child: ChildProcess;
  private readonly replies: Reply[] = [];
  private wake: () => void = () => undefined;
  private complaint = "";

  /** @param rehearsal id of the small problem to begin with, null for a first call that is the first */
  constructor(engine: string, problem: string, rehearsal: string | null) {
    const { root, build } = places();
    this.child = fork(join(build, "child.mjs"), [engine, problem, rehearsal ?? "-"], {
      serialization: "advanced",
      stdio: ["ignore", "ignore", "pipe", "ipc"],
      execArgv: ["--max-old-space-size=4096", "--no-warnings"],
      env: { ...process.env, BACKSWEEP_BENCH_ROOT: root, BACKSWEEP_BENCH_BUILD: build },
    });
    this.child.stderr!.on("data", (text: Buffer) => (this.complaint = (this.complaint + text).slice(-2_000)));
    this.child.on("message", (reply: Reply) => this.receive(reply));
    this.child.on("exit", (code, signal) => {
      if (code !== 0) this.receive({ kind: "failed", reason: this.reasonOfEnd(code, signal) });
    });
  }

  private reasonOfEnd(code: number | null, signal: string | null): string {
    const line = /.*(?:Error|FATAL).*/.exec(this.complaint)?.[0].trim();
    return `the process ended (${signal ?? code})${line === undefined ? "" : `: ${line.slice(0, 120)}`}`;
  }

  private receive(reply: Reply): void {
    this.replies.push(reply);
    this.wake();
  }

  /** The next reply. An engine that does not answer is ended. */
  async reply(): Promise<Reply> {
    const deadline = Date.now() + PATIENCE;
    for (;;) {
      const next = this.replies.shift();
      if (next !== undefined) return next;
      if (Date.now() >= deadline) {
        this.child.kill("SIGKILL");
        return { kind: "failed", reason: `no answer in ${PATIENCE / 1000} s` };
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, deadline - Date.now());
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  ask(request: Request): Promise<Reply> {
    if (!this.child.connected) return Promise.resolve({ kind: "failed", reason: "the process has ended" });
    this.child.send(request);
    return this.reply();
  }

  end(): void {
    if (this.child.connected) this.child.disconnect();
    const { child } = this;
    const timer = setTimeout(() => child.kill("SIGKILL"), 2_000);
    child.once("exit", () => clearTimeout(timer));
  }
}
