import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../../..");

/** Rooms a room may import from, itself included; the order of the house, top to bottom. */
const engine: Record<string, string[]> = {
  trace: [],
  kernels: ["trace"],
  tape: ["trace"],
  ops: ["kernels", "tape", "trace"],
  expr: ["ops", "tape", "trace"],
  replay: ["ops", "kernels", "tape", "trace"],
  recording: ["kernels", "ops", "tape", "trace"],
  sweep: ["ops", "kernels", "tape", "trace"],
  timeline: ["sweep", "ops", "tape", "trace"],
  layout: ["trace"],
  // what can be said of a sweep at any position
  report: ["timeline", "sweep", "ops", "tape", "trace"],
  checkpoint: ["replay", "sweep", "ops", "kernels", "tape", "trace"],
  graph: [
    "checkpoint",
    "expr",
    "recording",
    "report",
    "timeline",
    "replay",
    "sweep",
    "ops",
    "kernels",
    "tape",
    "trace",
  ],
  check: ["graph", "checkpoint", "report", "timeline", "replay", "sweep", "ops", "tape", "trace"],
  analysis: [
    "check",
    "checkpoint",
    "expr",
    "graph",
    "report",
    "timeline",
    "replay",
    "sweep",
    "ops",
    "tape",
    "trace",
  ],
  compile: ["graph", "sweep", "ops", "tape", "trace"],
  // the static checks read syntax trees only
  lint: ["compile", "trace"],
  // a foreign engine against ours
  audit: ["check", "graph", "report", "timeline", "replay", "sweep", "ops", "tape", "trace"],
  // what a debugger asks of a recorded sweep: stops, stacks, scopes, expressions over the state
  debug: ["timeline", "report", "sweep", "ops", "tape", "trace"],
};

const allowed = (from: string, to: string): boolean => {
  const room = (path: string): string =>
    path
      .split("/")
      .slice(0, path.startsWith("engine/") ? 2 : 1)
      .join("/");
  const a = room(from);
  const b = room(to);
  if (a === b) return true;
  if (a.startsWith("engine/")) {
    const name = a.slice("engine/".length);
    // the package's entry, and the protocol, which names types of the tables it carries
    if (name === "index.ts") return b.startsWith("engine/");
    if (name === "protocol.ts")
      return ["engine/report", "engine/trace", "engine/layout", "engine/checkpoint"].includes(b);
    return (engine[name] ?? []).some((lower) => b === `engine/${lower}`);
  }
  switch (a) {
    case "runner":
      return b.startsWith("engine/");
    case "cli":
      return b === "runner" || b.startsWith("engine/");
    case "eslint-plugin":
      return b === "engine/lint" || to === "engine/graph/version.ts";
    case "extension":
      // the webview's HTML shell has no DOM in it
      return b === "runner" || b.startsWith("engine/") || to === "webview/shell.ts";
    case "webview":
      // readers of the trace only: what computes stays on the other side
      return (
        ["engine/protocol.ts", "engine/trace", "engine/timeline", "engine/layout", "engine/report"].includes(
          b,
        ) ||
        to === "engine/sweep/paths.ts" ||
        to === "engine/sweep/accumulate.ts"
      );
    default:
      return true;
  }
};

function* sources(folder: string): Generator<string> {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) yield* sources(path);
    else if (/\.ts$/.test(entry.name)) yield path;
  }
}

const importPattern = /(?:from|import)\s*\(?\s*["']([^"']+)["']/g;

describe("the house", () => {
  it("imports run one way", () => {
    const wrong: string[] = [];
    for (const folder of ["engine", "runner", "cli", "eslint-plugin", "extension", "webview"]) {
      for (const file of sources(folder)) {
        for (const [, specifier] of readFileSync(join(root, file), "utf8").matchAll(importPattern)) {
          if (!specifier.startsWith(".")) continue;
          const target = relative(root, resolve(root, dirname(file), specifier)).replace(/\.js$/, ".ts");
          if (!allowed(file, target)) wrong.push(`${file} -> ${target}`);
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  it("keeps vscode, the DOM and Node out of the engine", () => {
    const wrong: string[] = [];
    for (const file of sources("engine")) {
      const text = readFileSync(join(root, file), "utf8");
      for (const [, specifier] of text.matchAll(importPattern)) {
        if (specifier.startsWith("node:") || specifier === "vscode") wrong.push(`${file} -> ${specifier}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it("writes one version everywhere", () => {
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
    expect(readFileSync(join(root, "engine/graph/version.ts"), "utf8")).toContain(`"${version}"`);
  });
});
