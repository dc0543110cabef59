/** The smallest graph of an audit on disk, and whose it is: what a reloaded window goes by. */
import { existsSync, mkdtempSync, readFileSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, it, vi } from "vitest";
import type * as vscode from "vscode";
import type { SmallestGraph } from "../../../engine/audit/result.js";
import { auditedIn, writeSmallest } from "../../../extension/audit/smallest.js";
import { Word } from "../../../extension/progress.js";

vi.mock("vscode", () => {
  const uri = (href: string): object => ({
    fsPath: decodeURIComponent(new URL(href).pathname),
    toString: () => href,
  });
  return { Uri: { file: (path: string) => uri(pathToFileURL(path).href), parse: uri } };
});

const folder = mkdtempSync(join(tmpdir(), "backsweep-kept-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const uriOf = (path: string): vscode.Uri =>
  ({ fsPath: path, toString: () => pathToFileURL(path).href }) as unknown as vscode.Uri;
const graph = (definition: string): SmallestGraph => ({ definition }) as unknown as SmallestGraph;

describe("a smallest graph", () => {
  it("is known again by its file", async () => {
    const engine = uriOf("/w/a b/own.audit.ts");
    const written = await writeSmallest(folder, { uri: engine, engine: "$own" }, graph("// one"));
    expect(readFileSync(written.uri.fsPath, "utf8")).toBe("// one");
    expect(written.graph).toBe("smallest");
    const known = await auditedIn(folder, written.uri);
    expect(known?.engine).toBe("$own");
    expect(known?.uri.toString()).toBe(engine.toString());
  });

  it("of two engines of one name is that of the last", async () => {
    for (const file of ["/w/one.audit.ts", "/w/two.audit.ts"])
      await writeSmallest(folder, { uri: uriOf(file), engine: "same" }, graph(file));
    const known = await auditedIn(folder, uriOf(join(folder, "audit", "same.smallest.graph.ts")));
    expect(known?.uri.fsPath).toBe("/w/two.audit.ts");
  });

  it("is none where nothing was written, or something else", async () => {
    const file = join(folder, "audit", "gone.smallest.graph.ts");
    await writeSmallest(folder, { uri: uriOf("/w/x.audit.ts"), engine: "gone" }, graph(""));
    const origin = join(folder, "audit", "gone.smallest.json");
    for (const text of ["", "[]", "null", '{"uri":1,"engine":"gone"}', '{"uri":"file:///w/x"}']) {
      writeFileSync(origin, text);
      expect(await auditedIn(folder, uriOf(file)), text).toBeNull();
    }
    unlinkSync(origin);
    expect(await auditedIn(folder, uriOf(file))).toBeNull();
    expect(existsSync(file)).toBe(true);
  });

  it("is none in a folder of the user's", async () => {
    expect(await auditedIn(folder, uriOf("/w/own.smallest.graph.ts"))).toBeNull();
    expect(await auditedIn(folder, uriOf(join(folder, "audit", "own.graph.ts")))).toBeNull();
  });
});

it("words of work under way: who listens late hears the latest, and those to come", () => {
  const heard: string[] = [];
  const word = new Word();
  word.say("1 of 3");
  word.say("2 of 3");
  word.listen((text) => heard.push(text));
  word.say("3 of 3");
  expect(heard).toEqual(["2 of 3", "3 of 3"]);
  const silent = new Word();
  silent.listen((text) => heard.push(text));
  expect(heard).toHaveLength(2);
});
