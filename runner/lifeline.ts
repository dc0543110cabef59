/** One runner process as its host holds it: messages out, messages and results in, and word of its death. */
import { fork } from "node:child_process";
import type { Readable } from "node:stream";
import { Unpacker } from "../engine/trace/columns.js";
import type { HostToRunner, RunnerToHost } from "./wire.js";

/** How a process ended. */
export interface Death {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** the end of what it wrote to its standard error */
  readonly stderr: string;
}

interface LifelineOptions {
  readonly path: string;
  readonly args: readonly string[];
  readonly log: (line: string) => void;
  readonly onMessage: (message: Exclude<RunnerToHost, { type: "result" }>) => void;
  readonly onResult: (id: number, result: unknown) => void;
  readonly onLost: (death: Death) => void;
}

/** File descriptor of the pipe that carries the columns of results. */
export const DATA_FD = 4;
const STDERR_KEPT = 16_384;

/** What Node itself needs from the environment; user code gets none of it. */
function environment(): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = { ELECTRON_RUN_AS_NODE: "1" };
  for (const name of ["SystemRoot", "SYSTEMROOT", "TEMP", "TMP", "TMPDIR", "TZ"]) {
    const value = process.env[name];
    if (value !== undefined) env[name] = value;
  }
  return env;
}

export class Lifeline {
  private readonly child: ReturnType<typeof fork>;
  private readonly arriving: { readonly id: number; readonly unpacker: Unpacker }[] = [];
  private readonly early: Uint8Array[] = [];
  private stderr = "";
  private over = false;

  constructor(private readonly options: LifelineOptions) {
    this.child = fork(options.path, [...options.args], {
      serialization: "advanced",
      env: environment(),
      execArgv: ["--no-warnings"],
      stdio: ["ignore", "ignore", "pipe", "ipc", "pipe"],
    });
    this.child.on("message", (message) => this.receive(message as RunnerToHost));
    this.child.on("error", (error) => this.end({ code: null, signal: null, stderr: String(error) }));
    this.child.on("close", (code, signal) => this.end({ code, signal, stderr: this.stderr }));
    this.child.stderr!.setEncoding("utf8").on("data", (text: string) => {
      this.stderr = (this.stderr + text).slice(-STDERR_KEPT);
    });
    const data = this.child.stdio[DATA_FD] as Readable;
    data.on("data", (chunk: Uint8Array) => this.take(chunk));
    data.on("error", (error) => options.log(`runner: data pipe: ${error.message}`));
  }

  send(message: HostToRunner): void {
    if (this.over || !this.child.connected) return;
    this.child.send(message, (error) => {
      if (error) this.options.log(`runner: ${error.message}`);
    });
  }

  /** Ends the process without ceremony; `onLost` is not called for it any more. */
  kill(): void {
    this.over = true;
    const { child } = this;
    child.kill("SIGKILL");
    // a host that is done need not wait until the process is gone
    child.unref();
    child.channel?.unref();
    child.stderr!.destroy();
    (child.stdio[DATA_FD] as Readable).destroy();
  }

  private receive(message: RunnerToHost): void {
    if (this.over) return;
    if (message.type !== "result") {
      this.options.onMessage(message);
      return;
    }
    this.arriving.push({ id: message.id, unpacker: new Unpacker(message.packed) });
    this.deliver();
    for (const chunk of this.early.splice(0)) this.take(chunk);
  }

  private take(chunk: Uint8Array): void {
    let rest = chunk;
    while (rest.length > 0 && this.arriving.length > 0) {
      rest = rest.subarray(this.arriving[0].unpacker.take(rest));
      this.deliver();
    }
    if (rest.length > 0) this.early.push(rest);
  }

  private deliver(): void {
    while (this.arriving.length > 0 && this.arriving[0].unpacker.complete) {
      const { id, unpacker } = this.arriving.shift()!;
      if (!this.over) this.options.onResult(id, unpacker.value());
    }
  }

  private end(death: Death): void {
    if (this.over) return;
    this.over = true;
    if (death.stderr !== "") this.options.log(`runner: ${death.stderr.trimEnd()}`);
    this.options.log(`runner: the process ended (code ${death.code}, signal ${death.signal})`);
    this.options.onLost(death);
  }
}
