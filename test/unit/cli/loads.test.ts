/** What a cold command line loads for `run`: its own files, and nothing of the commands that are not asked for. */
import * as esbuild from "esbuild";
import { basename, join } from "node:path";
import { tmpdir } from "node:os";
import { beforeAll, describe, expect, it } from "vitest";
import { nodeBundles } from "../../../scripts/build.mjs";

type Output = esbuild.Metafile["outputs"][string];
let outputs: ReadonlyMap<string, Output>;

beforeAll(async () => {
  const cli = (nodeBundles(join(tmpdir(), "backsweep-not-written")) as esbuild.BuildOptions[]).find(
    (options) => JSON.stringify(options.entryPoints).includes('"out":"cli"'),
  )!;
  const { metafile } = await esbuild.build({ ...cli, metafile: true, write: false });
  outputs = new Map(Object.entries(metafile!.outputs).map(([path, output]) => [basename(path), output]));
});

/** Sources in the files that are loaded with one, statically. */
function loaded(file: string, seen = new Set<string>()): Set<string> {
  const sources = new Set<string>();
  const queue = [file];
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    if (seen.has(name)) continue;
    seen.add(name);
    const { inputs, imports } = outputs.get(name)!;
    for (const source of Object.keys(inputs)) sources.add(source);
    for (const { path, kind, external } of imports)
      if (kind === "import-statement" && external !== true) queue.push(basename(path));
  }
  return sources;
}

/** The file that holds a source as its entry. */
function fileOf(source: string): string {
  return [...outputs].find(([, { entryPoint }]) => entryPoint === source)![0];
}

const OTHERS =
  /engine\/(?:lint|audit|check\b(?!point)|analysis|compile|ops|graph\/(?!version|entries))|node_modules|cli\/(?:lint|audit|plan|compare)-(?!rule-names)|memory-card|replay-job|runner\/compare/;

describe("a cold command line", () => {
  it.each(["cli/human.ts", "cli/json.ts"])("loads for run little more than run, with %s", (printer) => {
    const seen = new Set<string>();
    const parts = ["cli/main.ts", "cli/dispatch.ts", "cli/run.ts", printer];
    const sources = parts.flatMap((part) => [...loaded(fileOf(part), seen)]);
    expect(sources).toEqual(expect.arrayContaining(parts));
    const allowed = new Set(["engine/ops/dtype.ts", "engine/check/short.ts"]);
    expect(sources.filter((source) => OTHERS.test(source) && !allowed.has(source))).toEqual([]);
    // of the schedules, the table of their names and arguments
    expect(sources.filter((source) => source.includes("engine/checkpoint/")).sort()).toEqual([
      "engine/checkpoint/arguments.ts",
      "engine/checkpoint/kinds.ts",
    ]);
    const bytes = [...seen].reduce((sum, file) => sum + outputs.get(file)!.bytes, 0);
    expect(bytes).toBeLessThan(150_000);
  });

  it("begins the runner before it loads what reads the words", () => {
    const sources = loaded("cli.js");
    expect(sources).toContain("runner/client.ts");
    expect([...sources].filter((source) => /cli\/(?:args|dispatch|commands)\.ts/.test(source))).toEqual([]);
  });

  it("keeps all files beside each other, where the runner is found", () => {
    expect(outputs.size).toBeGreaterThan(10);
    for (const name of outputs.keys()) expect(name).toMatch(/^cli(?:-.*)?\.js$/);
    expect(outputs.get("cli.js")!.entryPoint).toBe("cli/main.ts");
  });
});
