/** Answers the view's questions: what can be planned at once, what has to run the graph in a runner of its own. */
import type * as vscode from "vscode";
import type { AnalysisKind, AnalysisOf, ResultOf } from "../engine/analysis/analysis.js";
import type { AskedOptions } from "../engine/graph/options.js";
import { cutSteps } from "../engine/graph/cuts.js";
import type { Answers, CompareAnswer, Question } from "../engine/report/questions.js";
import type { Trace } from "../engine/trace/trace.js";
import { Runner, type RunnerOptions } from "../runner/client.js";
import { compareSchedules } from "../runner/compare.js";
import { log } from "./log.js";
import { runRequest } from "./runs.js";
import { blocksAnswer, planAnswer, tradeOffAnswer } from "./schedules.js";
import type { Target } from "./target.js";

export interface Asked {
  /** null: nothing that could be run is on screen */
  readonly target: Target | null;
  readonly trace: Trace | null;
  /** the sweep is still the one that was asked about */
  isCurrent(sweep: number): boolean;
}

export class Questions implements vscode.Disposable {
  private readonly options: Pick<RunnerOptions, "runnerPath" | "log" | "onConsole">;
  private readonly runner: Runner;
  private readonly disposed = new AbortController();
  /** the runner ends a run for the next one, so questions wait for each other */
  private last: Promise<unknown> = Promise.resolve();

  /** `runnerPath`: the bundle the runner process is forked from. */
  constructor(runnerPath: string) {
    this.options = {
      runnerPath,
      log: (line) => log().debug(line),
      onConsole: ({ level, text }) => log()[level === "log" ? "info" : level](text),
    };
    this.runner = new Runner({ ...this.options, spare: false });
  }

  /** Rejects with one sentence where there is no answer. */
  async answer(question: Question, asked: Asked): Promise<Answers[Question["kind"]]> {
    switch (question.kind) {
      case "plan":
        return planAnswer(question.steps, question.schedule);
      case "tradeOff":
        return tradeOffAnswer(question.steps);
      case "blocks":
        return blocksAnswer(question.steps);
      case "cuts": {
        const { trace } = asked;
        const inputs = trace?.header.inputs.reduce((sum, input) => sum + input.count, 0) ?? 0;
        return { steps: trace === null ? 0 : cutSteps(trace.nodes.n - inputs) };
      }
      case "compare":
        return this.compare(question, asked);
      case "replay":
        return this.analyse<"replay">(
          { kind: "replay", stream: "matched", dtype: null, accumulate: null },
          question.sweep,
          asked,
          { schedule: question.schedule },
        );
      case "steps":
        return this.analyse<"steps">({ kind: "steps", input: question.input }, question.sweep, asked);
      case "spread":
        return this.analyse<"spread">({ kind: "spread", node: question.node }, question.sweep, asked);
    }
  }

  private async analyse<K extends AnalysisKind>(
    analysis: AnalysisOf<K>,
    sweep: number,
    asked: Asked,
    options: AskedOptions = {},
  ): Promise<ResultOf<K>> {
    const target = this.targetOf(sweep, asked);
    const result = await this.inTurn(() =>
      this.runner.analyse<K>({ ...runRequest(target, options), layout: false, analysis }),
    );
    if (!result.ok) throw new Error(result.failure.message);
    const [first] = result.analysed;
    if (first.failure !== null) throw new Error(first.failure.message);
    return first.result;
  }

  /** Schedules on the graph, each in a process of its own: what `backsweep compare` does. */
  private async compare(
    { sweep, schedules }: Question & { kind: "compare" },
    asked: Asked,
  ): Promise<CompareAnswer> {
    const target = this.targetOf(sweep, asked);
    const request = { ...runRequest(target), layout: false };
    const answer = await this.inTurn(() =>
      compareSchedules(this.options, request, schedules, this.disposed.signal),
    );
    if ("ok" in answer) throw new Error(answer.failure.message);
    const rows = answer.rows.map(({ gradient: _, failure, ...row }) => ({
      ...row,
      failure: failure === null ? null : { kind: failure.kind, message: failure.message },
    }));
    return { reference: answer.reference, rows, notes: answer.notes };
  }

  private targetOf(sweep: number, { target, isCurrent }: Asked): Target {
    if (target === null || !isCurrent(sweep)) throw new Error("another sweep is on screen now");
    return target;
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.last.then(work);
    this.last = done.catch(() => undefined);
    return done;
  }

  dispose(): void {
    this.disposed.abort();
    this.runner.dispose();
  }
}
