/**
 * The debug adapter: a recorded sweep as two threads that can be stepped both ways. Knows the protocol and the state of a
 * session, not the editor; the sweep comes from the environment. This part begins, restarts and ends a session.
 */
import { InitializedEvent, StoppedEvent, TerminatedEvent } from "@vscode/debugadapter";
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { Granularity } from "../../engine/debug/cursor.js";
import { markedSteps } from "../../engine/debug/breakpoints/marked-steps.js";
import { capabilities } from "./capabilities.js";
import type { Environment, LaunchArguments, Recorded } from "./environment.js";
import { Inspector } from "./inspect.js";
import { InspectRequests, type Telling } from "./inspect-requests.js";
import { RunControl, type Stop } from "./run-control.js";
import { stopWords, threadId, topFrame } from "./stack.js";
import { State } from "./state.js";
import { WhatIfs } from "./what-ifs.js";

export class BacksweepSession extends InspectRequests {
  private launch: LaunchArguments | null = null;
  /** counts restarts: of two that overlap the later one counts */
  private restarts = 0;

  constructor(private readonly environment: Environment) {
    super();
    this.breakpoints.onDidChange = () => this.environment.marked();
    this.setDebuggerLinesStartAt1(true);
    this.setDebuggerColumnsStartAt1(true);
  }

  /** Where the session is; null before the sweep is there. */
  get place(): { readonly position: number; readonly focus: number } | null {
    const { state } = this;
    return state && { position: state.cursor.position, focus: state.cursor.focus };
  }

  /** Steps at which a breakpoint stops. */
  get marks(): number[] {
    return this.state === null ? [] : markedSteps(this.state.debuggee, this.breakpoints.set);
  }

  /** Another of the three movers moved the index; false: the session is there already, or has no place. */
  follow(position: number): boolean {
    const { state } = this;
    if (state === null || this.over || this.lastStop === null || position === state.cursor.position)
      return false;
    state.cursor.goTo({
      position,
      focus: state.cursor.focusAt(position, position < state.cursor.position ? -1 : 1),
    });
    this.stopped({ reason: "goto", wrong: null, breakpoints: [] }, { view: false });
    return true;
  }

  /** The text of a file the sweep came from was changed, or is again as it was. */
  sourceChanged(stale: boolean): void {
    if (this.state === null || this.over) return;
    this.say(
      stale
        ? "The source has changed since this sweep was recorded: lines may have moved. Restart records it anew."
        : "The source is again what this sweep was recorded from.",
      "important",
    );
  }

  protected override initializeRequest(
    response: DebugProtocol.InitializeResponse,
    args: DebugProtocol.InitializeRequestArguments,
  ): void {
    this.knowsInvalidated = args.supportsInvalidatedEvent === true;
    response.body = capabilities;
    this.sendResponse(response);
  }

  protected override async launchRequest(
    response: DebugProtocol.LaunchResponse,
    args: DebugProtocol.LaunchRequestArguments,
  ): Promise<void> {
    const launch = args as LaunchArguments;
    this.launch = launch;
    this.await(response, () => this.drop(response));
    const recorded = await this.record(launch);
    if (!recorded.ok) {
      if (this.claim(response)) this.refuse(response, recorded.message);
      return;
    }
    const state = new State(recorded.trace, recorded.right);
    state.granularity = granularityOf(launch);
    await this.prepare(state);
    if (!this.claim(response)) return;
    this.state = state;
    this.inspector = new Inspector(state, this.references);
    this.whatIfs = new WhatIfs(state, this.environment, launch);
    this.begin(state);
    this.sendResponse(response);
    this.sendEvent(new InitializedEvent());
  }

  /** A run; what goes wrong in it is its answer, for a request without one is waited for until the end of days. */
  private async record(launch: LaunchArguments): Promise<Recorded> {
    try {
      return await this.environment.run(launch, null);
    } catch (error) {
      return { ok: false, message: `Internal error: ${String(error)}` };
    }
  }

  /** Moves begin anew in a sweep: one that is under way in the sweep before ends without a word. */
  protected override begin(state: State): void {
    this.control?.cancel();
    this.control = new RunControl(state, this.breakpoints, {
      stopped: (stop) => this.stopped(stop),
      logged: (text) => this.say(text, "console"),
      finished: () => this.end(),
    });
  }

  protected override configurationDoneRequest(response: DebugProtocol.ConfigurationDoneResponse): void {
    this.sendResponse(response);
    this.enter();
  }

  private enter(): void {
    const { state, control, launch } = this;
    if (state === null || control === null) return;
    const entry = launch?.stopOnEntry ?? true;
    if (entry === false) return this.attempt(() => control.start());
    state.cursor.moveTo(entry === "sweep" ? state.debuggee.timeline.forwardSteps : 0, 1);
    this.stopped({ reason: "entry", wrong: null, breakpoints: [] });
  }

  protected override stopped(stop: Stop, { view = true, quiet = false, kept = false }: Telling = {}): void {
    const { state } = this;
    if (state === null || this.over) return;
    if (!kept) this.references.clear(quiet ? topFrame(state) : undefined);
    this.lastStop = stop;
    const { cursor } = state;
    const words = stopWords(state);
    const event: DebugProtocol.StoppedEvent = new StoppedEvent(stop.reason, threadId(cursor.thread));
    event.body.description = stop.wrong === null ? words : `${stop.wrong}. ${words}`;
    event.body.text = event.body.description;
    event.body.allThreadsStopped = true;
    if (stop.breakpoints.length > 0) event.body.hitBreakpointIds = [...stop.breakpoints];
    if (quiet) event.body.preserveFocusHint = true;
    if (view) this.environment.moved(cursor.position, cursor.focus);
    this.sendEvent(event);
  }

  /** True once: everything that is under way ends, and who waits for it has an answer. */
  private close(): boolean {
    if (this.over) return false;
    this.over = true;
    this.answerAll();
    this.control?.cancel();
    this.environment.ended();
    return true;
  }

  private end(): void {
    if (this.close()) this.sendEvent(new TerminatedEvent());
  }

  protected override terminateRequest(response: DebugProtocol.TerminateResponse): void {
    const ended = this.close();
    this.sendResponse(response);
    if (ended) this.sendEvent(new TerminatedEvent());
  }

  protected override disconnectRequest(response: DebugProtocol.DisconnectResponse): void {
    this.close();
    this.sendResponse(response);
  }

  /**
   * Records anew and enters again. A restart is never refused: VS Code takes a refusal for the end of the session, lets go
   * of it without a word to the adapter, and its toolbar can then not be made to go away. Where there is no new sweep the
   * one before stays, and that is said.
   */
  protected override async restartRequest(
    response: DebugProtocol.RestartResponse,
    args: DebugProtocol.RestartArguments,
  ): Promise<void> {
    const { state } = this;
    // before the launch is done its own run is the new one
    if (state === null || this.over) return this.sendResponse(response);
    const ticket = ++this.restarts;
    const changed = args.arguments as LaunchArguments | undefined;
    const launch = changed?.program === undefined ? this.launch! : changed;
    this.await(response, () => this.sendResponse(response));
    const recorded = await this.record(launch);
    if (this.over) return;
    const latest = ticket === this.restarts;
    if (recorded.ok && latest) {
      this.launch = launch;
      // nothing moves until the breakpoints stand in the new sweep
      this.control?.cancel();
      this.control = null;
      this.whatIfs!.forget(launch);
      state.granularity = granularityOf(launch);
      state.replace(recorded.trace, null, recorded.right);
      await this.prepare(state);
      if (this.over) return;
      this.rebound(state);
      this.begin(state);
    }
    if (!this.claim(response)) return;
    this.sendResponse(response);
    if (recorded.ok && ticket === this.restarts) this.enter();
    else if (!recorded.ok && latest) this.stay(recorded.message);
  }

  /** The session is what it was before a restart that came to nothing. */
  private stay(message: string): void {
    this.say(
      `Not restarted: ${message.replace(/\.$/, "")}. The session goes on with the sweep it has.`,
      "important",
    );
    if (this.lastStop === null || this.control?.isRunning === true) return;
    this.stopped(this.lastStop, { quiet: true, kept: true });
  }
}

function granularityOf({ stepGranularity }: LaunchArguments): Granularity {
  return stepGranularity === "statement" ? "statement" : "contribution";
}
