/**
 * The debug adapter: a recorded sweep as two threads that can be stepped both ways. Knows the protocol and the state of a
 * session, not the editor; the sweep comes from the environment. This part begins, restarts and ends a session.
 */
import { InitializedEvent, StoppedEvent, TerminatedEvent } from "@vscode/debugadapter";
import type { DebugProtocol } from "@vscode/debugprotocol";
import { markedSteps } from "../../engine/debug/breakpoints/marked-steps.js";
import { NOT_RUNNING } from "./adapter.js";
import { capabilities } from "./capabilities.js";
import type { Environment, LaunchArguments } from "./environment.js";
import { Inspector } from "./inspect.js";
import { InspectRequests } from "./inspect-requests.js";
import { RunControl, type Stop } from "./run-control.js";
import { stopWords, threadId } from "./stack.js";
import { State } from "./state.js";
import { WhatIfs } from "./what-ifs.js";

export class BacksweepSession extends InspectRequests {
  private launch: LaunchArguments | null = null;

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

  /** Another of the three movers moved the index. */
  follow(position: number): void {
    const { state } = this;
    if (state === null || this.over || this.lastStop === null || position === state.cursor.position) return;
    state.cursor.goTo({
      position,
      focus: state.cursor.focusAt(position, position < state.cursor.position ? -1 : 1),
    });
    this.stopped({ reason: "goto", wrong: null, breakpoints: [] }, false);
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
    this.launch = args as LaunchArguments;
    const recorded = await this.environment.run(this.launch, null);
    if (this.over) return;
    if (!recorded.ok) return this.refuse(response, recorded.message);
    const state = new State(recorded.trace, recorded.right);
    state.granularity = this.launch.stepGranularity === "statement" ? "statement" : "contribution";
    await this.prepare(state);
    if (this.over) return;
    this.state = state;
    this.inspector = new Inspector(state, this.references);
    this.control = new RunControl(state, this.breakpoints, {
      stopped: (stop) => this.stopped(stop, true),
      logged: (text) => this.say(text, "console"),
      finished: () => this.end(),
    });
    this.whatIfs = new WhatIfs(state, this.environment, this.launch);
    this.sendResponse(response);
    this.sendEvent(new InitializedEvent());
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
    this.stopped({ reason: "entry", wrong: null, breakpoints: [] }, true);
  }

  protected override stopped(stop: Stop, tellView: boolean): void {
    const { state } = this;
    if (state === null || this.over) return;
    this.references.clear();
    this.lastStop = stop;
    const { cursor } = state;
    const words = stopWords(state);
    const event: DebugProtocol.StoppedEvent = new StoppedEvent(stop.reason, threadId(cursor.thread));
    event.body.description = stop.wrong === null ? words : `${stop.wrong}. ${words}`;
    event.body.text = event.body.description;
    event.body.allThreadsStopped = true;
    if (stop.breakpoints.length > 0) event.body.hitBreakpointIds = [...stop.breakpoints];
    if (tellView) this.environment.moved(cursor.position, cursor.focus);
    this.sendEvent(event);
  }

  private end(): void {
    if (this.over) return;
    this.over = true;
    this.control?.cancel();
    this.environment.ended();
    this.sendEvent(new TerminatedEvent());
  }

  protected override terminateRequest(response: DebugProtocol.TerminateResponse): void {
    this.sendResponse(response);
    this.end();
  }

  protected override disconnectRequest(response: DebugProtocol.DisconnectResponse): void {
    if (!this.over) {
      this.over = true;
      this.control?.cancel();
      this.environment.ended();
    }
    this.sendResponse(response);
  }

  protected override async restartRequest(
    response: DebugProtocol.RestartResponse,
    args: DebugProtocol.RestartArguments,
  ): Promise<void> {
    const { state } = this;
    if (state === null) return this.refuse(response, NOT_RUNNING);
    const changed = args.arguments as LaunchArguments | undefined;
    if (changed?.program !== undefined) this.launch = changed;
    const recorded = await this.environment.run(this.launch!, null);
    if (this.over) return;
    if (!recorded.ok) return this.refuse(response, recorded.message);
    this.whatIfs!.forget(this.launch!);
    state.granularity = this.launch!.stepGranularity === "statement" ? "statement" : "contribution";
    state.replace(recorded.trace, null, recorded.right);
    await this.prepare(state);
    if (this.over) return;
    this.rebound(state);
    this.sendResponse(response);
    this.enter();
  }
}
