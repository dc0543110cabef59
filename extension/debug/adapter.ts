/** What every part of the adapter does: answers, refusals, and the pieces of a session they work on. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { DebugSession, OutputEvent } from "@vscode/debugadapter";
import type { DebugProtocol } from "@vscode/debugprotocol";
import { ExpressionError } from "../../engine/debug/expression/tokens.js";
import { NoAnswer } from "../../engine/debug/no-answer.js";
import { preparing } from "../../engine/debug/prepare.js";
import { BreakpointSet } from "./breakpoint-set.js";
import type { Inspector } from "./inspect.js";
import { References } from "./references.js";
import type { RunControl } from "./run-control.js";
import type { State } from "./state.js";

export const NOT_RUNNING = "There is no sweep to debug yet.";
const ENDED = "The session has ended.";

export abstract class Adapter extends DebugSession {
  protected state: State | null = null;
  protected control: RunControl | null = null;
  protected inspector: Inspector | null = null;
  protected readonly references = new References();
  protected readonly breakpoints = new BreakpointSet();
  /** ended: nothing is sent any more */
  protected over = false;
  /** requests that wait for a run, each with how it is answered should the session end before */
  private readonly unanswered = new Map<DebugProtocol.Response, () => void>();

  protected say(text: string, category: "console" | "important" | "stderr"): void {
    this.sendEvent(new OutputEvent(`${text}\n`, category));
  }

  protected refuse(response: DebugProtocol.Response, message: string): void {
    this.sendErrorResponse(response, {
      id: 1,
      format: "{_message}",
      variables: { _message: message },
      showUser: true,
    });
  }

  /** The request is answered after a run, by whoever `claim`s it; by `atEnd` should the session end first. */
  protected await(response: DebugProtocol.Response, atEnd: () => void): void {
    this.unanswered.set(response, atEnd);
  }

  /** True once, and never after the session's end: a request has one answer. */
  protected claim(response: DebugProtocol.Response): boolean {
    return this.unanswered.delete(response);
  }

  /** The session ends: who waits for a run gets an answer, since a client may wait for it before it lets go. */
  protected answerAll(): void {
    for (const atEnd of this.unanswered.values()) atEnd();
    this.unanswered.clear();
  }

  /** Says no without a word to the user: the session has ended. */
  protected drop(response: DebugProtocol.Response): void {
    this.sendErrorResponse(response, { id: 3, format: ENDED, showUser: false });
  }

  /** Works out what the first look needs while the client still waits for the sweep; others have their turn in between. */
  protected async prepare({ debuggee }: State): Promise<void> {
    for (const _ of preparing(debuggee)) await nextTurn();
  }

  /** Runs what a request asked for; a fault of ours is said, never swallowed. */
  protected attempt(work: () => Promise<void> | void): void {
    Promise.resolve()
      .then(work)
      .catch((error: unknown) => this.say(`Internal error: ${String(error)}`, "stderr"));
  }

  protected answer(response: DebugProtocol.Response, body: (state: State) => object): void {
    const { state } = this;
    if (state === null) return this.refuse(response, NOT_RUNNING);
    try {
      response.body = body(state);
    } catch (error) {
      if (!(error instanceof ExpressionError) && !(error instanceof NoAnswer)) throw error;
      this.sendErrorResponse(response, {
        id: 2,
        format: "{_message}",
        variables: { _message: error.message },
        showUser: false,
      });
      return;
    }
    this.sendResponse(response);
  }
}
