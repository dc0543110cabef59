/** Answers the view's questions: what can be planned at once, what has to run the graph in a runner of its own. */
import type * as vscode from "vscode";
import type { AnalysisKind, AnalysisOf, ResultOf } from "../engine/analysis/analysis.js";
import type { AskedOptions } from "../engine/graph/options.js";
import { cutSteps } from "../engine/graph/cuts.js";
import type { Answers, MeasuredRow, Question } from "../engine/report/questions.js";
import type { RunReport } from "../engine/report/report.js";
import type { Trace } from "../engine/trace/trace.js";
import { Runner } from "../runner/client.js";
import { log } from "./log.js";
import { runRequest } from "./runs.js";
import { blocksAnswer, planAnswer, tradeOffAnswer } from "./schedules.js";
import type { Target } from "./target.js";

/** Each schedule is run so often; the fastest counts. */
const RUNS = 2;
/** Schedules measured in one go. */
const MOST_MEASURED = 64;

export interface Asked {
  /** null: nothing that could be run is on screen */
  readonly target: Target | null;
  readonly trace: Trace | null;
  /** the sweep is still the one that was asked about */
  isCurrent(sweep: number): boolean;
}

export class Questions implements vscode.Disposable {
  private readonly runner: Runner;
  /** the runner ends a run for the next one, so questions wait for each other */
  private last: Promise<unknown> = Promise.resolve();

  /** `runnerPath`: the bundle the runner process is forked from. */
  constructor(runnerPath: string) {
    this.runner = new Runner({
      runnerPath,
      log: (line) => log().debug(line),
      onConsole: ({ level, text }) => log()[level === "log" ? "info" : level](text),
      spare: false,
    });
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
      case "measure":
        return { rows: await this.measure(question, asked) };
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

  private async measure(
    { sweep, schedules }: Question & { kind: "measure" },
    asked: Asked,
  ): Promise<MeasuredRow[]> {
    const target = this.targetOf(sweep, asked);
    const rows: MeasuredRow[] = [];
    let truth: string | null = null;
    // one run first, so that the first row does not pay for starting the process
    await this.inTurn(() => this.runner.run({ ...runRequest(target), layout: false }));
    for (const schedule of ["store-all", ...schedules.filter((name) => name !== "store-all")].slice(
      0,
      MOST_MEASURED,
    )) {
      const row = await this.measureOne(target, schedule);
      const gradient = row.report === null ? null : JSON.stringify(row.report.gradient);
      if (schedule === "store-all") truth = gradient;
      const { report, seconds, problem } = row;
      rows.push({
        schedule,
        allocatedBytes: report?.checkpoint?.allocatedBytes.peak ?? null,
        seconds,
        executed: report?.checkpoint?.regions.find(({ executed }) => executed !== null)?.executed ?? null,
        sameGradient: gradient === null || truth === null ? null : gradient === truth,
        problem,
      });
    }
    return rows;
  }

  private async measureOne(
    target: Target,
    schedule: string,
  ): Promise<{ report: RunReport | null; seconds: number | null; problem: string | null }> {
    let seconds: number | null = null;
    let report: RunReport | null = null;
    for (let i = 0; i < RUNS; i++) {
      const result = await this.inTurn(() =>
        this.runner.run({ ...runRequest(target, { schedule }), layout: false }),
      );
      if (!result.ok) return { report: null, seconds: null, problem: result.failure.message };
      ({ report } = result);
      seconds = Math.min(seconds ?? Infinity, result.elapsedMs / 1000);
    }
    return { report, seconds, problem: null };
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
    this.runner.dispose();
  }
}
