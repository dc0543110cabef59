/** A debug client in the test's own process: sends requests to the adapter, waits for its events, and writes all of it down. */
import type { DebugProtocol } from "@vscode/debugprotocol";
import { BacksweepSession } from "../../../extension/debug/session.js";
import type { Environment } from "../../../extension/debug/environment.js";

/** Ids mean nothing outside a session. */
const IDS = new Set(["variablesReference", "frameId", "id", "targetId"]);

export class Client {
  readonly session: BacksweepSession;
  readonly transcript: string[] = [];
  readonly events: DebugProtocol.Event[] = [];
  private seq = 0;
  private readonly waiting = new Map<number, (response: DebugProtocol.Response) => void>();
  private listeners: (() => void)[] = [];
  /** events that were already waited for */
  private seen = 0;
  /** everything is written down, not only what a test asks for */
  quiet = false;

  /** `mask`: what is written instead of paths that differ from machine to machine. */
  constructor(
    environment: Environment,
    private readonly mask: (text: string) => string = (text) => text,
  ) {
    this.session = new BacksweepSession(environment);
    this.session.onDidSendMessage((sent) => this.receive(sent as DebugProtocol.ProtocolMessage));
  }

  private receive(message: DebugProtocol.ProtocolMessage): void {
    // what crosses the wire is JSON
    const copy = JSON.parse(JSON.stringify(message)) as DebugProtocol.ProtocolMessage;
    if (copy.type === "response") {
      const response = copy as DebugProtocol.Response;
      const failure = response.success ? "" : ` refused: ${response.message}`;
      this.write(`  < ${response.command}${failure}`, response.success ? response.body : undefined);
      this.waiting.get(response.request_seq)?.(response);
      this.waiting.delete(response.request_seq);
      return;
    }
    const event = copy as DebugProtocol.Event;
    this.write(`  * ${event.event}`, event.body);
    this.events.push(event);
    for (const listener of this.listeners.splice(0)) listener();
  }

  private write(head: string, body: unknown): void {
    if (this.quiet) return;
    this.transcript.push(this.mask(body === undefined ? head : `${head} ${text(body)}`));
  }

  note(line: string): void {
    this.transcript.push(`# ${line}`);
  }

  /** Sends a request; the body of its response. Rejects when it is refused. */
  async request<T = Record<string, never>>(command: string, args: object = {}): Promise<T> {
    const response = await this.ask(command, args);
    if (!response.success) throw new Error(response.message);
    return (response.body ?? {}) as T;
  }

  ask(command: string, args: object = {}): Promise<DebugProtocol.Response> {
    const seq = ++this.seq;
    this.write(`> ${command}`, Object.keys(args).length > 0 ? args : undefined);
    return new Promise((resolve) => {
      this.waiting.set(seq, resolve);
      this.session.handleMessage({ seq, type: "request", command, arguments: args } as DebugProtocol.Request);
    });
  }

  /** The next event of this kind that was not waited for yet. */
  async event<T = Record<string, unknown>>(kind: string): Promise<T> {
    for (;;) {
      for (; this.seen < this.events.length; this.seen++) {
        const event = this.events[this.seen];
        if (event.event !== kind) continue;
        this.seen++;
        return event.body as T;
      }
      await new Promise<void>((resolve) => this.listeners.push(resolve));
    }
  }

  /** A move: the request, and the stop it leads to. */
  async move(command: string, args: object = {}): Promise<DebugProtocol.StoppedEvent["body"]> {
    await this.request(command, { threadId: 1, ...args });
    return this.event("stopped");
  }

  /** Initialises, launches, sets breakpoints, and waits for the first stop. */
  async launch(
    args: object,
    setUp: () => Promise<void> = async () => {},
  ): Promise<DebugProtocol.StoppedEvent["body"]> {
    await this.request("initialize", {
      adapterID: "backsweep",
      pathFormat: "path",
      linesStartAt1: true,
      columnsStartAt1: true,
      supportsInvalidatedEvent: true,
    });
    await this.request("launch", args);
    await this.event("initialized");
    await setUp();
    await this.request("configurationDone");
    return this.event("stopped");
  }

  /** Scopes of the top frame of the thread that stands, by name. */
  async scopes(threadId = 2): Promise<Map<string, DebugProtocol.Scope>> {
    const { stackFrames } = await this.request<DebugProtocol.StackTraceResponse["body"]>("stackTrace", {
      threadId,
    });
    const { scopes } = await this.request<DebugProtocol.ScopesResponse["body"]>("scopes", {
      frameId: stackFrames[0].id,
    });
    return new Map(scopes.map((scope) => [scope.name, scope]));
  }

  async variables(reference: number, page: object = {}): Promise<DebugProtocol.Variable[]> {
    const { variables } = await this.request<DebugProtocol.VariablesResponse["body"]>("variables", {
      variablesReference: reference,
      ...page,
    });
    return variables;
  }

  /** Name and value of the rows of a scope of the top frame. */
  async rows(scope: string, threadId = 2): Promise<Record<string, string>> {
    const found = (await this.scopes(threadId)).get(scope);
    if (found === undefined) throw new Error(`there is no scope ${scope}`);
    const variables = await this.variables(found.variablesReference);
    return Object.fromEntries(variables.map(({ name, value }) => [name, value]));
  }

  async evaluate(expression: string, context = "watch"): Promise<string> {
    const { result } = await this.request<DebugProtocol.EvaluateResponse["body"]>("evaluate", {
      expression,
      context,
    });
    return result;
  }
}

function text(body: unknown): string {
  return JSON.stringify(body, (key, value: unknown) =>
    IDS.has(key) && typeof value === "number" && value > 0 ? "#" : key === "capabilities" ? undefined : value,
  );
}
