/** The part of the adapter that shows what there is: stacks, scopes, values; and gives a variable another value. */
import { InvalidatedEvent } from "@vscode/debugadapter";
import type { DebugProtocol } from "@vscode/debugprotocol";
import { ExpressionError } from "../../engine/debug/expression/tokens.js";
import { NoAnswer } from "../../engine/debug/no-answer.js";
import type { Changes } from "../../engine/debug/variables.js";
import { NOT_RUNNING } from "./adapter.js";
import { MoveRequests } from "./move-requests.js";
import type { Stop } from "./run-control.js";
import { stackOf, threads } from "./stack.js";
import { asChange, type WhatIfs } from "./what-ifs.js";

export abstract class InspectRequests extends MoveRequests {
  protected whatIfs: WhatIfs | null = null;
  protected lastStop: Stop | null = null;
  protected knowsInvalidated = false;

  /** The session stands still: the client looks at everything anew, and the view follows. */
  protected abstract stopped(stop: Stop, tellView: boolean): void;

  protected override threadsRequest(response: DebugProtocol.ThreadsResponse): void {
    response.body = { threads: threads.map(({ id, name }) => ({ id, name })) };
    this.sendResponse(response);
  }

  protected override stackTraceRequest(
    response: DebugProtocol.StackTraceResponse,
    { threadId: id, startFrame = 0, levels = 0 }: DebugProtocol.StackTraceArguments,
  ): void {
    const thread = threads.find((candidate) => candidate.id === id)?.thread ?? "forward";
    const most = levels > 0 ? levels : Infinity;
    this.answer(response, (state) => stackOf(state, this.references, thread, startFrame, most));
  }

  protected override scopesRequest(
    response: DebugProtocol.ScopesResponse,
    { frameId }: DebugProtocol.ScopesArguments,
  ): void {
    this.answer(response, () => ({ scopes: this.inspector!.scopes(frameId) }));
  }

  protected override variablesRequest(
    response: DebugProtocol.VariablesResponse,
    args: DebugProtocol.VariablesArguments,
  ): void {
    this.answer(response, () => ({ variables: this.inspector!.variables(args) }));
  }

  protected override evaluateRequest(
    response: DebugProtocol.EvaluateResponse,
    args: DebugProtocol.EvaluateArguments,
  ): void {
    const assignment = args.context === "repl" ? /^([^=<>!]+?)=(?!=)(.+)$/s.exec(args.expression) : null;
    if (assignment === null) return this.answer(response, () => this.inspector!.evaluate(args));
    this.change(response, args.frameId, assignment[1].trim(), assignment[2], (value) => ({
      result: value,
      variablesReference: 0,
    }));
  }

  protected override completionsRequest(
    response: DebugProtocol.CompletionsResponse,
    args: DebugProtocol.CompletionsArguments,
  ): void {
    this.answer(response, () => ({ targets: this.inspector!.completions(args) }));
  }

  protected override exceptionInfoRequest(response: DebugProtocol.ExceptionInfoResponse): void {
    const wrong = this.lastStop?.wrong ?? "";
    response.body = { exceptionId: "Backsweep", description: wrong, breakMode: "always" };
    this.sendResponse(response);
  }

  protected override setVariableRequest(
    response: DebugProtocol.SetVariableResponse,
    { variablesReference, name, value }: DebugProtocol.SetVariableArguments,
  ): void {
    const variable = this.references.variable(variablesReference, name);
    if (variable?.changes === undefined)
      return this.refuse(
        response,
        `${name} cannot be changed: a what-if changes an input, a seed or a final cotangent.`,
      );
    const { changes } = variable;
    this.attempt(() => this.becomes(response, undefined, changes, value, (text) => ({ value: text })));
  }

  protected override setExpressionRequest(
    response: DebugProtocol.SetExpressionResponse,
    { expression, value, frameId }: DebugProtocol.SetExpressionArguments,
  ): void {
    this.change(response, frameId, expression, value, (text) => ({ value: text }));
  }

  /** `x = 3`, `bar(a) = 1` */
  private change(
    response: DebugProtocol.Response,
    frameId: number | undefined,
    left: string,
    value: string,
    body: (text: string) => object,
  ): void {
    if (this.state === null) return this.refuse(response, NOT_RUNNING);
    try {
      const changes = asChange(left, this.inspector!.context(frameId));
      this.attempt(() => this.becomes(response, frameId, changes, value, body));
    } catch (error) {
      if (!(error instanceof ExpressionError) && !(error instanceof NoAnswer)) throw error;
      this.refuse(response, error.message);
    }
  }

  private async becomes(
    response: DebugProtocol.Response,
    frameId: number | undefined,
    changes: Changes,
    text: string,
    body: (text: string) => object,
  ): Promise<void> {
    const made = await this.whatIfs!.change(changes, text, this.inspector!.context(frameId));
    if (this.over) return;
    if (!made.ok) return this.refuse(response, made.message);
    const state = this.state!;
    await this.prepare(state);
    this.rebound(state);
    response.body = body(made.value);
    this.sendResponse(response);
    if (this.knowsInvalidated) this.sendEvent(new InvalidatedEvent(["all"]));
    this.say(
      `What if ${made.description}: the scope "What-if beside the true sweep" has the differences. Restart goes back to the true sweep.`,
      "console",
    );
    this.stopped({ reason: "goto", wrong: `what if ${made.description}`, breakpoints: [] }, true);
  }
}
