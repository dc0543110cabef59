/** Lints open documents as they are opened and typed in, in a worker, and keeps what was found for the quick fixes. */
import * as vscode from "vscode";
import { mayHoldReverseMode } from "../../engine/lint/gate.js";
import type { LintResult } from "../../engine/lint/lint-tree.js";
import { mayHoldPythonReverseMode } from "../../engine/lint/python/gate.js";
import { later } from "../later.js";
import { log } from "../log.js";
import { LintClient } from "./client.js";
import { diagnosticsOf, SOURCE } from "./diagnostics.js";
import { isLinted, lintName } from "./documents.js";
import { lintSettings } from "./settings.js";

/** From the last keystroke to the lint; milliseconds. */
const SETTLE_MS = 150;
/** Up to this many characters the look at the words of a text is not felt in the extension host. */
const LOOK_LIMIT = 200_000;

const nothing: LintResult = { reports: [], suppressed: [], notes: [] };

/** What was asked of one version of a document; whoever asks again gets the same answer. */
interface Asked<Answer> {
  readonly version: number;
  readonly result: Promise<Answer | null>;
}

export class Linter implements vscode.Disposable {
  private readonly collection = vscode.languages.createDiagnosticCollection(SOURCE);
  private readonly client: LintClient;
  private readonly known = new Map<string, Asked<LintResult>>();
  private readonly mended = new Map<string, Asked<string>>();
  private readonly timers = new Map<string, NodeJS.Timeout>();
  private readonly listeners: vscode.Disposable[];
  /** milliseconds the worker took for its last text, for tests */
  lastElapsed: number | null = null;

  /** `workerPath`: the worker's bundle; `pages`: the folder of the rules' pages. */
  constructor(
    workerPath: string,
    readonly pages: vscode.Uri,
  ) {
    this.client = new LintClient(workerPath, (line) => log().warn(line));
    this.listeners = [
      later("lint what is open", () => {
        for (const document of vscode.workspace.textDocuments) this.update(document);
      }),
      vscode.workspace.onDidOpenTextDocument((document) => this.update(document)),
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0 && isLinted(document)) this.soon(document);
      }),
      vscode.workspace.onDidCloseTextDocument((document) => this.forget(document)),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (!event.affectsConfiguration("backsweep.lint")) return;
        this.known.clear();
        this.mended.clear();
        for (const document of vscode.workspace.textDocuments) this.update(document);
      }),
    ];
  }

  /** What the lint says of the document as it stands; null: the text moved on meanwhile. */
  result(document: vscode.TextDocument): Promise<LintResult | null> {
    const key = document.uri.toString();
    const before = this.known.get(key);
    if (before?.version === document.version) return before.result;
    clearTimeout(this.timers.get(key));
    this.timers.delete(key);
    const result = this.lint(document);
    this.known.set(key, { version: document.version, result });
    return result;
  }

  /**
   * The text of the document with every fix that siblings prove; null: there is none. It may be asked for while an
   * earlier question is under way, and each has to be answered.
   */
  fixed(document: vscode.TextDocument): Promise<string | null> {
    const key = document.uri.toString();
    const before = this.mended.get(key);
    if (before?.version === document.version) return before.result;
    const result = this.fix(document).then((text) => {
      // nothing to mend, or a worker that was lost: whoever asks later asks anew
      if (text === null && this.mended.get(key)?.result === result) this.mended.delete(key);
      return text;
    });
    this.mended.set(key, { version: document.version, result });
    return result;
  }

  private async fix(document: vscode.TextDocument): Promise<string | null> {
    const options = isLinted(document) ? lintSettings(document) : null;
    if (options === null) return null;
    const text = document.getText();
    const answer = await this.client.ask(`${document.uri.toString()}#fix`, {
      kind: "fix",
      text,
      file: lintName(document),
      options,
    });
    return answer?.kind === "fix" && answer.text !== text ? answer.text : null;
  }

  private update(document: vscode.TextDocument): void {
    if (isLinted(document)) void this.show(document);
  }

  private soon(document: vscode.TextDocument): void {
    const key = document.uri.toString();
    // a lint of the text as it was is of no use any more
    this.client.drop(key);
    clearTimeout(this.timers.get(key));
    this.timers.set(
      key,
      setTimeout(() => {
        this.timers.delete(key);
        if (!document.isClosed) void this.show(document);
      }, SETTLE_MS),
    );
  }

  private async show(document: vscode.TextDocument): Promise<void> {
    await this.result(document);
  }

  private async lint(document: vscode.TextDocument): Promise<LintResult | null> {
    const { uri, version } = document;
    const result = await this.ask(document);
    if (result === null || document.isClosed || document.version !== version) return null;
    this.collection.set(uri, diagnosticsOf(uri, result, this.pages));
    return result;
  }

  private async ask(document: vscode.TextDocument): Promise<LintResult | null> {
    const options = lintSettings(document);
    if (options === null) return nothing;
    const text = document.getText();
    const mayHold = document.languageId === "python" ? mayHoldPythonReverseMode : mayHoldReverseMode;
    // most texts are not of the subject: they never reach the worker
    const near = text.length > LOOK_LIMIT || mayHold(text, options.gradientNames);
    if (!near && !text.includes("backsweep-")) return nothing;
    const job = { kind: "lint", text, file: lintName(document), options } as const;
    const answer = await this.client.ask(document.uri.toString(), job);
    if (answer?.kind === "error") log().error(`lint ${lintName(document)}: ${answer.message}`);
    if (answer?.kind !== "lint") return null;
    this.lastElapsed = answer.elapsedMs;
    return answer.result;
  }

  private forget(document: vscode.TextDocument): void {
    const key = document.uri.toString();
    clearTimeout(this.timers.get(key));
    this.timers.delete(key);
    this.client.drop(key);
    this.known.delete(key);
    this.mended.delete(key);
    this.collection.delete(document.uri);
  }

  dispose(): void {
    for (const timer of this.timers.values()) clearTimeout(timer);
    this.client.dispose();
    this.collection.dispose();
    for (const listener of this.listeners) listener.dispose();
  }
}
