/** Scopes, variables, values of expressions and completions, as the protocol wants them. */
import type { DebugProtocol } from "@vscode/debugprotocol";
import { completionsAt } from "../../engine/debug/completions.js";
import { differenceVariables } from "../../engine/debug/difference.js";
import { evaluateText } from "../../engine/debug/expression/evaluate.js";
import { nodeNamed, type Context } from "../../engine/debug/expression/lookup.js";
import { isTable, typeOf, valueText, type Value } from "../../engine/debug/expression/value.js";
import { inlineValues, type InlineValue } from "../../engine/debug/inline.js";
import { scopesOf } from "../../engine/debug/scopes.js";
import {
  elementsOf,
  expressionName,
  listOf,
  type Children,
  type Variable,
} from "../../engine/debug/variables.js";
import { isArray } from "../../engine/report/quantity.js";
import { full } from "../../engine/report/text/format.js";
import { nodeTitle } from "../../engine/trace/read.js";
import type { References } from "./references.js";
import type { State } from "./state.js";

/** Arguments of the request `inlineValues`: lines from 1, both included. */
export interface InlineArguments {
  readonly path: string;
  readonly line: number;
  readonly endLine: number;
  readonly frameId?: number;
}

export class Inspector {
  constructor(
    private readonly state: State,
    private readonly references: References,
  ) {}

  /** Where an expression is evaluated: in a frame, else at the place of the session. */
  context(frameId: number | undefined): Context {
    const { debuggee, cursor } = this.state;
    const frame = this.references.frame(frameId);
    const focus = frame !== undefined && frame.focus >= 0 ? frame.focus : cursor.focus;
    const home = frame === undefined || frame.top ? {} : { home: frame.home };
    return { debuggee, position: cursor.position, focus, ...home };
  }

  scopes(frameId: number): DebugProtocol.Scope[] {
    const { debuggee, cursor, whatIf } = this.state;
    const frame = this.references.frame(frameId);
    if (frame === undefined || frame.focus < 0) return [];
    const scopes = scopesOf(debuggee, cursor.position, cursor.focus, frame.home);
    const shown = scopes.map(({ id, name, expensive, children }) =>
      this.scope(name, expensive, children, id === "primals" ? "locals" : undefined),
    );
    if (whatIf === null) return shown;
    const difference = differenceVariables(whatIf.truth, debuggee, whatIf.description);
    return [this.scope("What-if beside the true sweep", false, difference, undefined), ...shown];
  }

  private scope(
    name: string,
    expensive: boolean,
    children: Children,
    hint: string | undefined,
  ): DebugProtocol.Scope {
    return {
      name,
      expensive,
      // a scope without rows has a reference all the same: it is shown, and empty
      variablesReference: this.references.addList({ ...children, count: Math.max(1, children.count) }),
      ...(hint === undefined ? {} : { presentationHint: hint }),
      ...sizes(children),
    };
  }

  variables(args: DebugProtocol.VariablesArguments): DebugProtocol.Variable[] {
    const { variablesReference: reference, filter, start = 0, count = 0 } = args;
    const indexed = this.references.isIndexed(reference);
    if ((filter === "indexed" && !indexed) || (filter === "named" && indexed)) return [];
    const length = count > 0 ? count : this.references.count(reference);
    return this.references.page(reference, start, length).map((row) => this.variable(row));
  }

  private variable(row: Variable): DebugProtocol.Variable {
    const { name, value, type, evaluateName, children, changes } = row;
    return {
      name,
      value,
      ...(type === undefined ? {} : { type }),
      ...(evaluateName === undefined ? {} : { evaluateName }),
      variablesReference: this.references.addList(children),
      ...(children === undefined ? {} : sizes(children)),
      presentationHint: changes === undefined ? { attributes: ["readOnly"] } : {},
    };
  }

  /** Throws `ExpressionError`. */
  evaluate({
    expression,
    frameId,
    context,
  }: DebugProtocol.EvaluateArguments): DebugProtocol.EvaluateResponse["body"] {
    const where = this.context(frameId);
    const value = evaluateText(expression, where);
    const children = childrenOf(value);
    const reference = this.references.addList(children);
    return {
      result: valueText(value) + (context === "hover" ? this.beside(expression, where) : ""),
      type: typeOf(value),
      variablesReference: reference,
      ...(children === undefined ? {} : sizes(children)),
    };
  }

  /** In a hover over a node's name: its cotangent so far. */
  private beside(expression: string, where: Context): string {
    const { debuggee, position } = where;
    const node = nodeNamed(expression, where);
    if (node < 0 || position < debuggee.timeline.forwardSteps) return "";
    const bar = debuggee.running.at(node, position);
    if (bar === undefined) return ", no cotangent yet";
    const slots = debuggee.timeline.slots(node);
    const progress = debuggee.timeline.isFinal(node, position)
      ? ""
      : `, ${debuggee.timeline.arrived(node, position)} of ${slots} paid`;
    return `, cotangent ${full(bar)}${progress}`;
  }

  /** What a data breakpoint on a variable, or on an expression, would watch. */
  dataBreakpoint({
    variablesReference,
    name,
    frameId,
  }: DebugProtocol.DataBreakpointInfoArguments): DebugProtocol.DataBreakpointInfoResponse["body"] {
    const watch = variablesReference
      ? this.references.variable(variablesReference, name)?.watch
      : this.watched(name, frameId);
    if (watch === undefined)
      return { dataId: null, description: `${name} does not change during the sweep.` };
    const { trace, slots, timeline } = this.state.debuggee;
    if ("slot" in watch) {
      if (slots.stepsOf(watch.slot).length === 0)
        return { dataId: null, description: `${slots.title(watch.slot)} is not used by this sweep.` };
      return watching(`slot(${watch.slot})`);
    }
    if (timeline.slots(watch.node) === 0 && timeline.seed(watch.node) === undefined)
      return { dataId: null, description: `No derivative flows into ${nodeTitle(trace, watch.node)}.` };
    return watching(`bar(${expressionName(trace, watch.node)})`);
  }

  /** `bar(a)`, `a` or `slot(2)` as an expression. */
  private watched(text: string, frameId: number | undefined): Variable["watch"] {
    const slot = /^slot\((\d+)\)$/.exec(text.trim());
    if (slot !== null) return { slot: Number(slot[1]) };
    const node = nodeNamed(text.trim().replace(/^bar\((.*)\)$/, "$1"), this.context(frameId));
    return node < 0 ? undefined : { node };
  }

  /** Values beside the lines of a file, as seen from a frame. */
  inline({ path, line, endLine, frameId }: InlineArguments): { values: InlineValue[] } {
    const { debuggee, cursor } = this.state;
    const file = this.state.fileOf(path);
    if (file < 0) return { values: [] };
    const { focus } = this.context(frameId);
    return { values: inlineValues(debuggee, file, line, endLine, cursor.position, focus) };
  }

  completions({ text, column, line }: DebugProtocol.CompletionsArguments): DebugProtocol.CompletionItem[] {
    const lines = text.split("\n");
    const row = Math.max(0, (line ?? 1) - 1);
    const kinds = { node: "variable", function: "function", word: "keyword" } as const;
    return completionsAt(this.state.debuggee, lines[row] ?? text, column - 1).map(
      ({ label, kind, start, length }) => ({ label, type: kinds[kind], start: start + 1, length }),
    );
  }
}

function watching(expression: string): DebugProtocol.DataBreakpointInfoResponse["body"] {
  return { dataId: expression, description: expression, accessTypes: ["write"], canPersist: true };
}

function sizes(children: Children): { indexedVariables?: number; namedVariables?: number } {
  return children.indexed ? { indexedVariables: children.count } : { namedVariables: children.count };
}

function childrenOf(value: Value): Children | undefined {
  if (typeof value !== "object") return undefined;
  if (isTable(value))
    return listOf(value.rows.length, (i) => ({ name: value.rows[i].name, value: value.rows[i].text }));
  return isArray(value) ? elementsOf(value) : undefined;
}
