/** The part of the adapter that shows what there is: stacks, scopes, values; and gives a variable another value. */
import { InvalidatedEvent } from "@vscode/debugadapter";
import type { DebugProtocol } from "@vscode/debugprotocol";
import { sameShape } from "../../engine/debug/difference.js";
import { ExpressionError } from "../../engine/debug/expression/tokens.js";
import { NoAnswer } from "../../engine/debug/no-answer.js";
import type { Changes } from "../../engine/debug/variables.js";
import { NOT_RUNNING } from "./adapter.js";
import { MoveRequests } from "./move-requests.js";
import type { Stop } from "./run-control.js";
import { stackOf, threads } from "./stack.js";
import type { State } from "./state.js";
import { asChange, type WhatIfs } from "./what-ifs.js";

/** How a stop is told. */
export interface Telling {
  /** the panel follows; else it is where the session is already */
  readonly view?: boolean;
  /** the client is not to take the focus from where the user is: a console or the panel, in which they type on */
  readonly quiet?: boolean;
  /** frames and variables that were given are still what they were */
  readonly kept?: boolean;
}

export abstract class InspectRequests extends MoveRequests {
  protected whatIfs: WhatIfs | null = null;
  protected lastStop: Stop | null = null;
  protected knowsInvalidated = false;

  /** The session stands still: the client looks at everything anew, and the view follows. */
  protected abstract stopped(stop: Stop, telling?: Telling): void;

  /** Another sweep is debugged: moves begin in it anew. */
  protected abstract begin(state: State): void;

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
    this.becoming(response, undefined, changes, value, (text) => ({ value: text }));
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
      this.becoming(response, frameId, changes, value, body);
    } catch (error) {
      if (!(error instanceof ExpressionError) && !(error instanceof NoAnswer)) throw error;
      this.refuse(response, error.message);
    }
  }

  /** A what-if, and its one answer, whatever becomes of the run or the session. */
  private becoming(
    response: DebugProtocol.Response,
    frameId: number | undefined,
    changes: Changes,
    text: string,
    body: (text: string) => object,
  ): void {
    if (this.over) return this.drop(response);
    this.await(response, () => this.drop(response));
    this.attempt(async () => {
      try {
        await this.becomes(response, frameId, changes, text, body);
      } catch (error) {
        if (this.claim(response)) this.refuse(response, `Internal error: ${String(error)}`);
      }
    });
  }

  private async becomes(
    response: DebugProtocol.Response,
    frameId: number | undefined,
    changes: Changes,
    text: string,
    body: (text: string) => object,
  ): Promise<void> {
    const state = this.state!;
    const before = state.debuggee;
    const made = await this.whatIfs!.change(changes, text, this.inspector!.context(frameId));
    if (!made.ok) {
      if (this.claim(response)) this.refuse(response, made.message);
      return;
    }
    const kept = sameShape(before, state.debuggee);
    await this.prepare(state);
    if (!this.claim(response)) return;
    this.rebound(state);
    this.begin(state);
    response.body = body(made.value);
    this.sendResponse(response);
    this.say(
      `What if ${made.description}: the scope "What-if beside the true sweep" has the differences. Restart goes back to the true sweep.`,
      "console",
    );
    // the focus stays where the change was typed: in the source the next line typed would replace what is selected there
    this.stopped(
      { reason: "goto", wrong: `what if ${made.description}`, breakpoints: [] },
      { quiet: true, kept },
    );
    // "all" would make VS Code tell itself of the stops so far again, and those take the focus
    if (this.knowsInvalidated) this.sendEvent(new InvalidatedEvent(["variables"]));
  }
}
