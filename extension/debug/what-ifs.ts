/** The what-ifs of a session: one change after another, each on top of those before it and beside the true sweep. */
import { evaluateText } from "../../engine/debug/expression/evaluate.js";
import { nodeOf, type Context } from "../../engine/debug/expression/lookup.js";
import { parseExpression, type Expression } from "../../engine/debug/expression/parse.js";
import { ExpressionError } from "../../engine/debug/expression/tokens.js";
import { NoAnswer } from "../../engine/debug/no-answer.js";
import type { Changes as VariableChanges } from "../../engine/debug/variables.js";
import { full } from "../../engine/report/text/format.js";
import { isArray, primal } from "../../engine/report/quantity.js";
import { isInput } from "../../engine/report/overwrites.js";
import { nodeOp, nodeTitle, siteRange } from "../../engine/trace/read.js";
import type { Trace } from "../../engine/trace/trace.js";
import type { Changes, Environment, LaunchArguments } from "./environment.js";
import type { State } from "./state.js";
import { planWhatIf, type WhatIfPlan } from "./what-if.js";

export type Changed =
  | { readonly ok: true; readonly value: string; readonly description: string }
  | { readonly ok: false; readonly message: string };

export class WhatIfs {
  private made: readonly WhatIfPlan[] = [];

  constructor(
    private readonly state: State,
    private readonly environment: Environment,
    private launch: LaunchArguments,
  ) {}

  /** counts true sweeps, so that a change asked for in one does not come to another */
  private truths = 0;

  /** The true sweep is back. */
  forget(launch: LaunchArguments): void {
    this.launch = launch;
    this.truths++;
    this.made = [];
    this.environment.renamed(null);
  }

  /** Gives a variable the value of an expression. */
  async change(wanted: VariableChanges, text: string, context: Context): Promise<Changed> {
    try {
      const value = evaluateText(text, context);
      if (typeof value !== "number")
        return { ok: false, message: `${text.trim()} is no number, and a what-if sets a number` };
      return await this.apply(planWhatIf(this.state.debuggee, wanted, value), value);
    } catch (error) {
      if (error instanceof ExpressionError || error instanceof NoAnswer)
        return { ok: false, message: error.message };
      throw error;
    }
  }

  private async apply(plan: WhatIfPlan, value: number): Promise<Changed> {
    const { state, environment } = this;
    const before = state.debuggee.trace;
    let made = [...this.made.filter(({ subject }) => subject !== plan.subject), plan];
    const { truths } = this;
    let recorded = await environment.run(this.launch, together(made));
    if (!recorded.ok) return { ok: false, message: recorded.message };
    if (truths !== this.truths) return { ok: false, message: "the session was restarted meanwhile" };
    // another input can change the course of the program: a cotangent that was given there has lost its node
    const { trace } = recorded;
    const kept = made.filter(({ changes }) =>
      (changes.given ?? []).every(({ node }) => sameNode(before, trace, node)),
    );
    if (kept.length < made.length) {
      made = kept;
      recorded = await environment.run(this.launch, together(made));
      if (!recorded.ok) return { ok: false, message: recorded.message };
      if (truths !== this.truths) return { ok: false, message: "the session was restarted meanwhile" };
    }
    this.made = made;
    const description = made.map((each) => each.description).join(" and ");
    const given = made.flatMap(({ changes }) => (changes.given ?? []).map(({ node }) => node));
    state.replace(recorded.trace, { description, given }, recorded.right);
    environment.renamed(description);
    return { ok: true, value: full(value), description };
  }
}

/** What the next run changes. */
function together(made: readonly WhatIfPlan[]): Changes {
  const set = Object.assign({}, ...made.map(({ changes }) => changes.set ?? {})) as NonNullable<
    Changes["set"]
  >;
  const given = made.flatMap(({ changes }) => changes.given ?? []);
  const seeded = made.findLast(({ changes }) => changes.cotangent !== undefined)?.changes.cotangent;
  return {
    ...(Object.keys(set).length === 0 ? {} : { set }),
    ...(given.length === 0 ? {} : { given }),
    ...(seeded === undefined ? {} : { cotangent: seeded }),
  };
}

/** The node is the same operation at the same place of the source in both. */
function sameNode(a: Trace, b: Trace, node: number): boolean {
  if (node >= b.nodes.n) return false;
  const at = (trace: Trace): string => {
    const place = siteRange(trace, trace.nodes.site[node]);
    return JSON.stringify([nodeTitle(trace, node), nodeOp(trace, node), place?.line, place?.column]);
  };
  return at(a) === at(b);
}

/** What the left side of an assignment names: an input, or with `bar(...)` a cotangent. */
export function asChange(left: string, context: Context): VariableChanges {
  const expression = parseExpression(left);
  const bar = expression.kind === "call" && expression.name === "bar" && expression.operands.length === 1;
  const { node, index } = nodeOf(bar ? expression.operands[0] : expression, context);
  const { trace, timeline } = context.debuggee;
  if (bar && !timeline.isFinal(node, context.position))
    throw new NoAnswer("a cotangent can be changed once it is final: until then more is added to it");
  if (!bar && !isInput(trace, node)) throw notAnInput(expression);
  return { kind: bar ? "cotangent" : "input", node, element: elementOf(trace, node, index) };
}

/** Row-major position of the one element that an index names; null: of a number. */
function elementOf(trace: Trace, node: number, index: readonly number[]): number | null {
  const value = primal(trace, node);
  if (!isArray(value)) {
    if (index.length > 0) throw new NoAnswer(`${nodeTitle(trace, node)} is a number and has no elements`);
    return null;
  }
  if (index.length !== value.shape.length)
    throw new NoAnswer("of an array one element is changed at a time: write its index");
  if (index.some((i, axis) => i >= value.shape[axis]))
    throw new NoAnswer(`there is no such element in an array ${value.shape.join("×")}`);
  return index.reduce((at, i, axis) => at * value.shape[axis] + i, 0);
}

function notAnInput({ column }: Expression): ExpressionError {
  return new ExpressionError(
    "only an input or, with bar(...), a cotangent can be given another value",
    column,
  );
}
