/** The part of the adapter that moves: steps, runs, jumps. */
import type { DebugProtocol } from "@vscode/debugprotocol";
import { NOT_RUNNING } from "./adapter.js";
import { BreakpointRequests } from "./breakpoint-requests.js";
import type { InlineArguments } from "./inspect.js";
import type { RunControl } from "./run-control.js";
import { gotoTargets, stepInTargets, type GotoTarget, type StepInTarget } from "./targets.js";

export abstract class MoveRequests extends BreakpointRequests {
  private jumps: readonly GotoTarget[] = [];
  private entries: readonly StepInTarget[] = [];

  private move(response: DebugProtocol.Response, work: (control: RunControl) => Promise<void> | void): void {
    const { control } = this;
    if (control === null) return this.refuse(response, NOT_RUNNING);
    // two runs at once would stop twice, at places of which the client can show one
    if (control.isRunning) return this.refuse(response, "The session is running: pause it first.");
    this.sendResponse(response);
    this.attempt(() => work(control));
  }

  protected override continueRequest(response: DebugProtocol.ContinueResponse): void {
    response.body = { allThreadsContinued: true };
    this.move(response, (control) => control.continue());
  }

  protected override reverseContinueRequest(response: DebugProtocol.ReverseContinueResponse): void {
    this.move(response, (control) => control.reverseContinue());
  }

  protected override nextRequest(
    response: DebugProtocol.NextResponse,
    { granularity }: DebugProtocol.NextArguments,
  ): void {
    this.move(response, (control) => control.next(granularity === "instruction"));
  }

  protected override stepBackRequest(
    response: DebugProtocol.StepBackResponse,
    { granularity }: DebugProtocol.StepBackArguments,
  ): void {
    this.move(response, (control) => control.back(granularity === "instruction"));
  }

  protected override stepInRequest(
    response: DebugProtocol.StepInResponse,
    { targetId }: DebugProtocol.StepInArguments,
  ): void {
    const node = this.entries.find(({ id }) => id === targetId)?.node ?? -1;
    this.move(response, (control) => control.stepIn(node < 0 ? undefined : node));
  }

  protected override stepOutRequest(response: DebugProtocol.StepOutResponse): void {
    this.move(response, (control) => control.stepOut());
  }

  protected override pauseRequest(response: DebugProtocol.PauseResponse): void {
    const { control } = this;
    if (control === null) return this.refuse(response, NOT_RUNNING);
    this.sendResponse(response);
    control.pause();
  }

  protected override gotoRequest(
    response: DebugProtocol.GotoResponse,
    { targetId }: DebugProtocol.GotoArguments,
  ): void {
    const target = this.jumps.find(({ id }) => id === targetId);
    if (target === undefined) return this.refuse(response, "This place is not there any more.");
    this.move(response, (control) => control.goTo(target.spot));
  }

  /** `stepContribution` and `stepContributionBack`: one contribution, whatever the session's unit is. */
  protected override customRequest(command: string, response: DebugProtocol.Response, args: unknown): void {
    if (command === "stepContribution") this.move(response, (control) => control.next(true));
    else if (command === "stepContributionBack") this.move(response, (control) => control.back(true));
    else if (command === "inlineValues")
      this.answer(response, () => this.inspector!.inline(args as InlineArguments));
    else this.refuse(response, `Backsweep does not know the request ${command}.`);
  }

  protected override gotoTargetsRequest(
    response: DebugProtocol.GotoTargetsResponse,
    { source, line }: DebugProtocol.GotoTargetsArguments,
  ): void {
    this.answer(response, (state) => {
      this.jumps = gotoTargets(state, source.path ?? "", line);
      return { targets: this.jumps.map(({ spot: _, ...target }) => target) };
    });
  }

  protected override stepInTargetsRequest(response: DebugProtocol.StepInTargetsResponse): void {
    this.answer(response, (state) => {
      this.entries = stepInTargets(state);
      return { targets: this.entries.map(({ id, label }) => ({ id, label })) };
    });
  }
}
