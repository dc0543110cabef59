/** What a reloaded window does with the view of a smallest failing graph, in every case that there is. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { SmallestGraph } from "../../../engine/audit/result.js";
import { SmallestGraphs } from "../../../extension/audit/opening.js";
import { writeSmallest } from "../../../extension/audit/smallest.js";
import type { Target } from "../../../extension/target.js";

const world = vi.hoisted(() => ({ trusted: true, said: [] as string[] }));
vi.mock("vscode", () => {
  const uri = (href: string): object => ({
    fsPath: decodeURIComponent(new URL(href).pathname),
    path: new URL(href).pathname,
    toString: () => href,
  });
  return {
    Uri: { file: (path: string) => uri(pathToFileURL(path).href), parse: uri },
    Range: class {},
    DiagnosticSeverity: {},
    languages: { createDiagnosticCollection: () => ({}) },
    workspace: {
      get isTrusted() {
        return world.trusted;
      },
    },
    window: { showWarningMessage: (text: string) => world.said.push(text) },
  };
});

const folder = mkdtempSync(join(tmpdir(), "backsweep-opening-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const definition = { definition: "// the smallest" } as unknown as SmallestGraph;
const failing = { engine: "own", smallest: definition, files: [], place: null };
const engine = { uri: uriOf("/w/own.audit.ts"), engine: "own" };

function uriOf(path: string): Target["uri"] {
  const { href, pathname } = pathToFileURL(path);
  return { fsPath: path, path: pathname, toString: () => href } as unknown as Target["uri"];
}

/** What is asked of the parts beside it, in order. */
let done: string[];
let answer: unknown;
let meanwhile: () => void;
let clean: boolean;
let shown: { readonly uri: string; readonly graph: string } | null;
let target: Target;
let graphs: SmallestGraphs;
let own: (() => Promise<void>) | null;
const sweeps = {
  target: null as Target | null,
  ownWay: (_: Target, again: () => Promise<void>) => (own = again),
  run: (of: Target, why: string, { order }: { readonly order: string }) =>
    void done.push(`run ${of.graph} ${why} ${order}`),
};

beforeEach(async () => {
  [done, answer, own, meanwhile] = [[], failing, null, () => undefined];
  [clean, shown] = [false, null];
  [world.trusted, world.said, sweeps.target] = [true, [], null];
  target = await writeSmallest(folder, engine, definition);
  const view = {
    sendAll: () => done.push("shown"),
    setRunning: () => done.push("running"),
    refuse: (text: string) => done.push(`refused: ${text}`),
    pass: (text: string) => done.push(`passed: ${text}`),
    get shown() {
      return shown;
    },
  };
  const tests = {
    failingAudit: (_: unknown, name: string, loud: boolean) => {
      done.push(`audit ${name} ${loud ? "loud" : "quiet"}`);
      meanwhile();
      return Promise.resolve(answer);
    },
    audited: () => (clean ? { verdict: "clean", cases: 200, seed: 0 } : null),
  };
  graphs = new SmallestGraphs(
    folder,
    view as never,
    sweeps as never,
    tests as never,
    { reveal: () => done.push("revealed") } as never,
    () => done.push("opened"),
  );
});

describe("after a reload", () => {
  it("the engine is audited without a word, and its sweep is beside ours again", async () => {
    expect(await graphs.restore(target)).toBe(true);
    expect(done).toEqual(["running", "audit own quiet", "run smallest restored tape"]);
    expect(world.said).toEqual([]);
  });

  it("a graph of the user's is one like any other", async () => {
    expect(await graphs.restore({ uri: uriOf("/w/own.graph.ts"), graph: "g" })).toBe(false);
    expect(done).toEqual([]);
    expect(sweeps.target).toBeNull();
  });

  it("an engine that is right by now has nothing to show, and why stands in the view", async () => {
    answer = "own has no smallest failing graph: it fails on none.";
    await graphs.restore(target);
    expect(done.at(-1)).toBe(`refused: ${String(answer)}`);
    expect(world.said).toEqual([]);
  });

  it("an engine that passes by now is said to pass", async () => {
    [answer, clean] = ["own has no smallest failing graph: it fails on none.", true];
    await graphs.restore(target);
    expect(done.at(-1)).toBe("passed: own passes: every gradient is right on 200 random graphs (seed 0).");
  });

  it("an audit that was cancelled says so", async () => {
    answer = null;
    await graphs.restore(target);
    expect(done.at(-1)).toBe("refused: The audit of own was cancelled.");
  });

  it("what was asked for meanwhile stays on screen", async () => {
    meanwhile = () => (sweeps.target = { uri: uriOf("/w/other.graph.ts"), graph: "other" });
    await graphs.restore(target);
    expect(done).toEqual(["running", "audit own quiet"]);
  });

  it("nothing runs before the workspace is trusted, and then it is audited as if asked for", async () => {
    world.trusted = false;
    expect(await graphs.restore(target)).toBe(true);
    expect(done).toEqual(["shown"]);
    expect(sweeps.target).toBe(target);
    world.trusted = true;
    await own!();
    expect(done.slice(1)).toEqual(["audit own loud", "opened", "run smallest asked tape"]);
  });
});

it("asked for, an engine without a smallest graph is told of in a notification", async () => {
  answer = "own has no smallest failing graph: it fails on none.";
  await graphs.open(engine);
  expect(done).toEqual(["audit own loud"]);
  expect(world.said).toEqual([answer]);
});

it("asked for again over its own faulty sweep, an engine that was mended is said to pass there", async () => {
  [answer, clean] = ["own has no smallest failing graph: it fails on none.", true];
  shown = { uri: target.uri.toString(), graph: "smallest" };
  await graphs.open(engine);
  expect(done.at(-1)).toBe("passed: own passes: every gradient is right on 200 random graphs (seed 0).");
  expect(world.said).toEqual([]);
  // over another graph nothing is taken away
  shown = { uri: "file:///w/other.graph.ts", graph: "other" };
  await graphs.open(engine);
  expect(world.said).toEqual([answer]);
});
