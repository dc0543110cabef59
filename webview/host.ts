/** The way to the extension host: messages out, questions with a time limit, the state VS Code keeps for us. */
import { Unpacker, type Packed } from "../engine/trace/columns.js";
import {
  REQUEST_TIMEOUT_MS,
  RUN_TIMEOUT_MS,
  type HostMessage,
  type ReplyTo,
  type ViewMessage,
  type ViewRequest,
  type ViewState,
} from "../engine/protocol.js";

/** What the rest of the view hears of: answers and pieces are dealt with here. */
export type Incoming = Exclude<HostMessage, { type: "reply" | "begin" | "bytes" }>;

interface VsCodeApi {
  postMessage(message: ViewMessage): void;
  getState(): unknown;
  setState(state: ViewState): void;
}

declare function acquireVsCodeApi(): VsCodeApi;

interface Pending {
  resolve(value: unknown): void;
  reject(error: Error): void;
  timer: number;
}

/** Questions that run user code. */
const running: ReadonlySet<ViewRequest["kind"]> = new Set(["compare", "replay", "steps", "spread"]);

function unpacked(packed: Packed, columns: readonly Uint8Array[]): unknown {
  const unpacker = new Unpacker(packed);
  for (const column of columns) unpacker.take(column);
  return unpacker.value();
}

export class Host {
  private readonly api: VsCodeApi = acquireVsCodeApi();
  private readonly pending = new Map<number, Pending>();
  private count = 0;
  /** a message that is arriving in pieces; a newer one takes its place */
  private arriving: Unpacker | null = null;

  post(message: ViewMessage): void {
    this.api.postMessage(message);
  }

  /** What was saved before the window was hidden, or null; anything that is not such a state counts as nothing. */
  get saved(): ViewState | null {
    const state = this.api.getState();
    if (typeof state !== "object" || state === null) return null;
    const { uri, graph, step, mode } = state as Partial<ViewState>;
    const good =
      typeof uri === "string" &&
      typeof graph === "string" &&
      Number.isInteger(step) &&
      (mode === "sum" || mode === "last-writer-wins");
    return good ? (state as ViewState) : null;
  }

  save(state: ViewState): void {
    this.api.setState(state);
  }

  listen(receive: (message: Incoming) => void): void {
    window.addEventListener("message", (event: MessageEvent<HostMessage>) => {
      const message = event.data;
      if (typeof message !== "object" || message === null || typeof message.type !== "string") return;
      if (message.type === "reply") this.settle(message);
      else if (message.type === "begin") this.arriving = new Unpacker(message.packed as Packed);
      else if (message.type === "bytes") this.take(message.bytes, receive);
      else receive(message);
    });
  }

  private take(bytes: Uint8Array, receive: (message: Incoming) => void): void {
    this.arriving?.take(bytes);
    if (this.arriving?.complete !== true) return;
    const message = this.arriving.value() as Incoming;
    this.arriving = null;
    receive(message);
  }

  /** Asks the host; rejects with its error, or when no answer came in time. */
  request<R extends ViewRequest>(call: R): Promise<ReplyTo<R>> {
    const request = ++this.count;
    const limit = running.has(call.kind) ? RUN_TIMEOUT_MS : REQUEST_TIMEOUT_MS;
    return new Promise((resolve, reject) => {
      const timer = window.setTimeout(() => {
        this.pending.delete(request);
        reject(new Error(`no answer to "${call.kind}" within ${limit / 1000} s`));
      }, limit);
      this.pending.set(request, { resolve: resolve as (value: unknown) => void, reject, timer });
      this.post({ type: "request", request, call });
    });
  }

  private settle(reply: HostMessage & { type: "reply" }): void {
    const waiting = this.pending.get(reply.request);
    if (waiting === undefined) return;
    this.pending.delete(reply.request);
    window.clearTimeout(waiting.timer);
    if (reply.ok) waiting.resolve(unpacked(reply.packed as Packed, reply.columns));
    else waiting.reject(new Error(reply.error));
  }
}
