/** Derivative checks for the Test Explorer: one after the other, in a runner of their own, so that no sweep is cancelled by a test. */
import type * as vscode from "vscode";
import { Runner } from "../runner/client.js";
import { errored, verdictOf, type TestVerdict } from "./features/verdicts.js";
import { log } from "./log.js";
import { runRequest } from "./runs.js";

export class Checks implements vscode.Disposable {
  private readonly runner: Runner;
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

  /** Checks one graph of a file, or all of them (null). Never rejects; of a check that was cancelled there is no verdict. */
  check(uri: vscode.Uri, graph: string | null, signal: AbortSignal): Promise<readonly TestVerdict[]> {
    const work = this.last.then(() => this.run(uri, graph, signal));
    this.last = work;
    return work;
  }

  private async run(uri: vscode.Uri, graph: string | null, signal: AbortSignal): Promise<TestVerdict[]> {
    if (signal.aborted) return [];
    const { layout: _, ...request } = runRequest({ uri, graph });
    const result = await this.runner.analyse<"check">(
      { ...request, layout: false, analysis: { kind: "check" }, everyGraph: graph === null },
      signal,
    );
    if (signal.aborted || (!result.ok && result.failure.kind === "cancelled")) return [];
    return result.ok ? result.analysed.map(verdictOf) : [errored(graph ?? "", result.failure)];
  }

  dispose(): void {
    this.runner.dispose();
  }
}
