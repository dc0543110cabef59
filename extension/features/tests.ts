/**
 * Test Explorer: one test a graph (its derivative check) and one an engine to be audited. Files are found by name and read by the scanner; what runs a test
 * is loaded with the first one. Each kind of test is a row of `kinds`.
 */
import * as vscode from "vscode";
import { languages } from "../lens.js";
import { later } from "../later.js";
import { attempt } from "../log.js";
import { showProgress, Word } from "../progress.js";
import { recognise, recogniseAudits, type FoundGraph } from "../recognise.js";
import { recogniseAudits as auditsOf, recogniseDocument } from "../recognise-document.js";
import { findFiles, type Wanted } from "./found-files.js";
import { report } from "./report.js";
import type { TestVerdict } from "./verdicts.js";

/** Runs the tests of a file: all, or the one of this name. `told` is called with how far a long one is. */
export type RunTests = (
  uri: vscode.Uri,
  name: string | null,
  signal: AbortSignal,
  told: (text: string) => void,
) => Promise<readonly TestVerdict[]>;

interface Kind {
  /** files that are searched in the workspace */
  readonly files: Wanted;
  /** tag of its tests */
  readonly tag: vscode.TestTag;
  readonly tests: (text: string) => readonly FoundGraph[];
  /** the same of a document that is open */
  readonly testsOf: (document: vscode.TextDocument) => readonly FoundGraph[];
  readonly run: RunTests;
}

/** A test that was found, and of which kind it is. */
type Found = FoundGraph & { readonly kind: Kind };

const FILES = 2_000;
const SETTLE_MS = 300;

export class GraphTests implements vscode.Disposable {
  private readonly controller = vscode.tests.createTestController("backsweep", "Backsweep");
  private readonly disposables: vscode.Disposable[];
  private readonly kinds: readonly Kind[];
  private timer: NodeJS.Timeout | undefined;
  private readonly watchers = new Map<string, vscode.Disposable>();

  /** `own`: folders of the extension itself, whose files (the smallest graph of an audit) are nobody's tests. */
  constructor(
    check: RunTests,
    audit: RunTests,
    private readonly own: readonly vscode.Uri[],
  ) {
    this.kinds = [
      {
        files: { glob: "**/*.graph.{ts,mts,js,mjs}", name: /\.graph\.m?[jt]s$/ },
        tag: new vscode.TestTag("backsweep.check"),
        tests: (text) => recognise(text).graphs,
        testsOf: (document) => recogniseDocument(document).graphs,
        run: check,
      },
      {
        files: { glob: "**/*.audit.{ts,mts,js,mjs}", name: /\.audit\.m?[jt]s$/ },
        tag: new vscode.TestTag("backsweep.audit"),
        tests: recogniseAudits,
        testsOf: auditsOf,
        run: audit,
      },
    ];
    this.controller.resolveHandler = (item) => (item ? this.read(item) : this.search());
    this.controller.refreshHandler = () => this.search();
    const profile = this.controller.createRunProfile(
      "Check Gradients and Audit Engines",
      vscode.TestRunProfileKind.Run,
      async (request, token) => {
        const abort = new AbortController();
        const listener = token.onCancellationRequested(() => abort.abort());
        await this.run(request, abort).finally(() => listener.dispose());
      },
      true,
    );
    this.disposables = [
      profile,
      later("look for tests", () => {
        for (const document of vscode.workspace.textDocuments) this.look(document);
      }),
      vscode.workspace.onDidOpenTextDocument((document) => this.look(document)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (!isCode(document)) return;
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.look(document), SETTLE_MS);
      }),
    ];
  }

  /**
   * Runs one test from outside the explorer, with progress where it takes long. Resolves to its verdict; "cancelled"
   * where it was ended, null where there is no such test.
   */
  async runNamed(uri: vscode.Uri, name: string, doing: string): Promise<TestVerdict | "cancelled" | null> {
    const document = await vscode.workspace.openTextDocument(uri);
    this.look(document);
    const item = this.controller.items.get(uri.toString())?.children.get(testId(uri, name));
    if (item === undefined) return null;
    const abort = new AbortController();
    const word = new Word();
    const done = this.run(new vscode.TestRunRequest([item]), abort, word);
    attempt("show progress", () => showProgress(doing, done, abort, true, word));
    return (await done)[0] ?? "cancelled";
  }

  /** An open document: what it exports is known without reading the file. */
  private look(document: vscode.TextDocument): void {
    const { path } = document.uri;
    if (!isCode(document) || this.own.some((folder) => path.startsWith(`${folder.path}/`))) return;
    const found = this.kinds.flatMap((kind) => kind.testsOf(document).map((test) => ({ ...test, kind })));
    this.fill(document.uri, found, (offset) => document.positionAt(offset));
  }

  private async search(): Promise<void> {
    for (const { files } of this.kinds) {
      for (const uri of await findFiles(files, FILES))
        if (uri.scheme === "file" && !this.controller.items.get(uri.toString())) this.file(uri);
      const { glob } = files;
      if (!this.watchers.has(glob)) this.watchers.set(glob, this.watch(glob));
    }
  }

  private watch(files: string): vscode.Disposable {
    const watcher = vscode.workspace.createFileSystemWatcher(files);
    const again = (uri: vscode.Uri): void =>
      attempt("read the tests of a file", () =>
        this.read(this.controller.items.get(uri.toString()) ?? this.file(uri)),
      );
    watcher.onDidCreate(again);
    watcher.onDidChange(again);
    watcher.onDidDelete((uri) => this.controller.items.delete(uri.toString()));
    return watcher;
  }

  private file(uri: vscode.Uri): vscode.TestItem {
    const item = this.controller.createTestItem(
      uri.toString(),
      vscode.workspace.asRelativePath(uri, false),
      uri,
    );
    item.canResolveChildren = true;
    this.controller.items.add(item);
    return item;
  }

  private async read(item: vscode.TestItem): Promise<void> {
    const { uri } = item;
    if (uri === undefined || item.parent !== undefined) return;
    const key = uri.toString();
    const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === key);
    if (open) return this.look(open);
    try {
      const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
      const starts = [0, ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)];
      const found = this.kinds.flatMap((kind) => kind.tests(text).map((test) => ({ ...test, kind })));
      this.fill(uri, found, (offset) => {
        const line = starts.findLastIndex((start) => start <= offset);
        return new vscode.Position(line, offset - starts[line]);
      });
    } catch {
      // it was moved or deleted since it was found
      this.controller.items.delete(key);
    }
  }

  /** The tests of a file are these, and no others. */
  private fill(
    uri: vscode.Uri,
    tests: readonly Found[],
    positionAt: (offset: number) => vscode.Position,
  ): void {
    const known = this.controller.items.get(uri.toString());
    if (tests.length === 0) {
      if (known) this.controller.items.delete(known.id);
      return;
    }
    const file = known ?? this.file(uri);
    file.canResolveChildren = false;
    file.children.replace(
      tests.map(({ name, start, end, kind }) => {
        const id = testId(uri, name);
        // the item stays the same where there is one, and with it how its last run went
        const item = file.children.get(id) ?? this.controller.createTestItem(id, name, uri);
        item.range = new vscode.Range(positionAt(start), positionAt(end));
        item.tags = [kind.tag];
        return item;
      }),
    );
  }

  private async run(
    request: vscode.TestRunRequest,
    abort: AbortController,
    word?: Word,
  ): Promise<TestVerdict[]> {
    const { include, exclude } = request;
    // of the request itself: for another one the explorer would list a second, empty run
    const run = this.controller.createTestRun(request);
    const listener = run.token.onCancellationRequested(() => abort.abort());
    const verdicts: TestVerdict[] = [];
    try {
      const tests = await this.wanted(
        include ?? Array.from(this.controller.items, ([, item]) => item),
        exclude,
      );
      for (const test of tests) run.enqueued(test);
      for (const test of tests) {
        if (abort.signal.aborted) break;
        run.started(test);
        const began = performance.now();
        const verdict = await this.runOne(test, abort.signal, (text) => {
          // beside the test's name in the explorer
          test.description = text;
          word?.say(text);
        });
        test.description = "";
        if (verdict === null) run.skipped(test);
        else report(run, test, verdict, performance.now() - began);
        if (verdict !== null) verdicts.push(verdict);
      }
    } finally {
      listener.dispose();
      run.end();
    }
    return verdicts;
  }

  private async runOne(
    test: vscode.TestItem,
    signal: AbortSignal,
    told: (text: string) => void,
  ): Promise<TestVerdict | null> {
    if (!vscode.workspace.isTrusted) {
      const text = "This workspace is not trusted: a test runs the code of the file.";
      return { name: test.label, outcome: "errored", findings: [{ text, place: null }], output: [] };
    }
    const kind = this.kinds.find(({ tag }) => test.tags.some(({ id }) => id === tag.id));
    return (await kind?.run(test.uri!, test.label, signal, told))?.[0] ?? null;
  }

  /** The graphs among these items and below them, read where they are not known yet. */
  private async wanted(
    items: readonly vscode.TestItem[],
    exclude: readonly vscode.TestItem[] | undefined,
  ): Promise<vscode.TestItem[]> {
    const out = new Set<vscode.TestItem>();
    for (const item of items) {
      if (exclude?.includes(item)) continue;
      if (item.parent !== undefined) out.add(item);
      else {
        if (item.canResolveChildren) await this.read(item);
        for (const [, child] of item.children) if (!exclude?.includes(child)) out.add(child);
      }
    }
    return Array.from(out);
  }

  dispose(): void {
    clearTimeout(this.timer);
    for (const watcher of this.watchers.values()) watcher.dispose();
    this.controller.dispose();
    for (const part of this.disposables) part.dispose();
  }
}

function isCode({ uri, languageId }: vscode.TextDocument): boolean {
  return uri.scheme === "file" && (languages as readonly string[]).includes(languageId);
}

function testId(uri: vscode.Uri, name: string): string {
  return `${uri.toString()}#${name}`;
}
