/** The what-ifs of a session: one change after another, each beside the true sweep. */
import { evaluateText } from "../../engine/debug/expression/evaluate.js";
import { nodeOf, type Context } from "../../engine/debug/expression/lookup.js";
import { parseExpression, type Expression } from "../../engine/debug/expression/parse.js";
import { ExpressionError } from "../../engine/debug/expression/tokens.js";
import { NoAnswer } from "../../engine/debug/no-answer.js";
import type { Changes as VariableChanges } from "../../engine/debug/variables.js";
import { full } from "../../engine/report/text/format.js";
import { isArray, primal } from "../../engine/report/quantity.js";
import { isInput } from "../../engine/report/overwrites.js";
import type { Changes, Environment, LaunchArguments } from "./environment.js";
import type { State } from "./state.js";
import { planWhatIf } from "./what-if.js";

export type Changed =
  | { readonly ok: true; readonly value: string; readonly description: string }
  | { readonly ok: false; readonly message: string };

export class WhatIfs {
  /** what the runs of earlier what-ifs changed: the next one comes on top */
  private changes: Changes = {};
  private descriptions: string[] = [];

  constructor(
    private readonly state: State,
    private readonly environment: Environment,
    private launch: LaunchArguments,
  ) {}

  /** The true sweep is back. */
  forget(launch: LaunchArguments): void {
    this.launch = launch;
    this.changes = {};
    this.descriptions = [];
    this.environment.renamed(null);
  }

  /** Gives a variable the value of an expression. */
  async change(wanted: VariableChanges, text: string, context: Context): Promise<Changed> {
    try {
      const value = evaluateText(text, context);
      if (typeof value !== "number")
        return { ok: false, message: `${text.trim()} is no number, and a what-if sets a number` };
      return await this.apply(wanted, value);
    } catch (error) {
      if (error instanceof ExpressionError || error instanceof NoAnswer)
        return { ok: false, message: error.message };
      throw error;
    }
  }

  private async apply(wanted: VariableChanges, value: number): Promise<Changed> {
    const { state } = this;
    const plan = planWhatIf(state.debuggee, wanted, value);
    let trace;
    if (plan.kind === "run") {
      const changes: Changes = {
        ...this.changes,
        ...plan.changes,
        ...(plan.changes.set === undefined ? {} : { set: { ...this.changes.set, ...plan.changes.set } }),
      };
      const recorded = await this.environment.run(this.launch, changes);
      if (!recorded.ok) return { ok: false, message: recorded.message };
      this.changes = changes;
      ({ trace } = recorded);
    } else ({ trace } = plan);
    this.descriptions = [
      ...this.descriptions.filter((old) => !sameSubject(old, plan.description)),
      plan.description,
    ];
    const description = this.descriptions.join(" and ");
    state.replace(trace, description);
    if (plan.kind === "sweep") this.environment.show(trace, description);
    this.environment.renamed(description);
    return { ok: true, value: full(value), description };
  }
}

function sameSubject(a: string, b: string): boolean {
  return a.split(" = ")[0] === b.split(" = ")[0];
}

/** What the left side of an assignment names: an input, or with `bar(...)` a cotangent. */
export function asChange(left: string, context: Context): VariableChanges {
  const expression = parseExpression(left);
  const bar = expression.kind === "call" && expression.name === "bar" && expression.operands.length === 1;
  const { node, index } = nodeOf(bar ? expression.operands[0] : expression, context);
  const { trace, timeline } = context.debuggee;
  if (bar) {
    if (!timeline.isFinal(node, context.position))
      throw new NoAnswer("a cotangent can be changed once it is final: until then more is added to it");
    return { kind: "cotangent", node };
  }
  if (!isInput(trace, node)) throw notAnInput(expression);
  const value = primal(trace, node);
  if (!isArray(value)) return { kind: "input", node, element: null };
  if (index.length !== value.shape.length)
    throw new NoAnswer("of an array one element is changed at a time: write its index");
  return { kind: "input", node, element: index.reduce((at, i, axis) => at * value.shape[axis] + i, 0) };
}

function notAnInput({ column }: Expression): ExpressionError {
  return new ExpressionError(
    "only an input or, with bar(...), a cotangent can be given another value",
    column,
  );
}
