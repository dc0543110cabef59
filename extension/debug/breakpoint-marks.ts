/**
 * Marks on the scrub bar: where the breakpoints of the editor would stop in the sweep on screen, or those of the session
 * that debugs it. Worked out anew when either changes.
 */
import type { DebugProtocol } from "@vscode/debugprotocol";
import * as vscode from "vscode";
import { markedSteps } from "../../engine/debug/breakpoints/marked-steps.js";
import type { Trace } from "../../engine/trace/trace.js";
import { attempt } from "../log.js";
import type { Change } from "../features/shown.js";
import { BreakpointSet } from "./breakpoint-set.js";
import { State } from "./state.js";

/** What is on screen, and takes the marks. */
export interface Marked {
  readonly trace: Trace | null;
  readonly onDidChange: vscode.Event<Change>;
  mark(steps: readonly number[]): void;
}

/** The sessions: null: none debugs the sweep on screen. */
export interface Sessions {
  readonly onDidChangeBreakpoints: vscode.Event<void>;
  marks(): number[] | null;
}

export class BreakpointMarks implements vscode.Disposable {
  private readonly listeners: readonly vscode.Disposable[];
  /** bound to the sweep on screen when a breakpoint is first there to be bound */
  private state: State | null = null;
  private due = false;

  constructor(
    private readonly screen: Marked,
    private readonly sessions: Sessions,
  ) {
    this.listeners = [
      vscode.debug.onDidChangeBreakpoints(() => this.soon()),
      sessions.onDidChangeBreakpoints(() => this.soon()),
      screen.onDidChange((change) => {
        if (change === "sweep" && this.state?.debuggee.trace !== screen.trace) this.soon();
      }),
    ];
  }

  /** Once, after what is being done now: starting a session sets breakpoints file by file. */
  private soon(): void {
    if (this.due) return;
    this.due = true;
    setTimeout(() => {
      this.due = false;
      attempt("mark the breakpoints", () => this.screen.mark(this.steps()));
    }, 0);
  }

  private steps(): number[] {
    const { trace } = this.screen;
    if (trace === null) return [];
    const marks = this.sessions.marks();
    if (marks !== null) return marks;
    const { breakpoints } = vscode.debug;
    if (!breakpoints.some(({ enabled }) => enabled)) return [];
    if (this.state?.debuggee.trace !== trace) this.state = new State(trace);
    const set = bound(this.state, breakpoints);
    return markedSteps(this.state.debuggee, set.set);
  }

  dispose(): void {
    for (const listener of this.listeners) listener.dispose();
  }
}

/** The editor's breakpoints as a session would have them. */
function bound(state: State, breakpoints: readonly vscode.Breakpoint[]): BreakpointSet {
  const set = new BreakpointSet();
  const lines = new Map<string, DebugProtocol.SourceBreakpoint[]>();
  const functions: DebugProtocol.FunctionBreakpoint[] = [];
  for (const breakpoint of breakpoints) {
    if (!breakpoint.enabled) continue;
    const terms = termsOf(breakpoint);
    if (breakpoint instanceof vscode.FunctionBreakpoint)
      functions.push({ name: breakpoint.functionName, ...terms });
    else if (breakpoint instanceof vscode.SourceBreakpoint) {
      const { uri, range } = breakpoint.location;
      const { line, character } = range.start;
      const column = character > 0 ? { column: character + 1 } : {};
      const list = lines.get(uri.fsPath) ?? [];
      lines.set(uri.fsPath, [...list, { line: line + 1, ...column, ...terms }]);
    }
  }
  for (const [path, list] of lines) set.setLines(state, path, list);
  set.setFunctions(state, functions);
  return set;
}

function termsOf({ condition, hitCondition, logMessage }: vscode.Breakpoint): {
  condition?: string;
  hitCondition?: string;
  logMessage?: string;
} {
  return {
    ...(condition === undefined ? {} : { condition }),
    ...(hitCondition === undefined ? {} : { hitCondition }),
    ...(logMessage === undefined ? {} : { logMessage }),
  };
}
