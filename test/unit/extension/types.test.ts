/** The types plugin in a real TypeScript server, asked the way VS Code asks it: no installed package, no red underline. */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { build } from "esbuild";

const root = join(import.meta.dirname, "../../..");
const server = createRequire(import.meta.url).resolve("typescript/lib/tsserver.js");

/** A folder as an extension has it: the plugin in node_modules, declarations in dist/types. */
let extension: string;

beforeAll(async () => {
  extension = mkdtempSync(join(tmpdir(), "backsweep-types-"));
  const plugin = join(extension, "node_modules", "backsweep-types");
  mkdirSync(plugin, { recursive: true });
  writeFileSync(join(plugin, "package.json"), '{ "name": "backsweep-types", "main": "index.js" }');
  await build({
    entryPoints: [join(root, "extension/typescript-plugin/plugin.ts")],
    outfile: join(plugin, "index.js"),
    bundle: true,
    platform: "node",
    format: "cjs",
    footer: { js: "module.exports = module.exports.default;" },
  });
  const types = join(extension, "dist", "types", "engine");
  mkdirSync(types, { recursive: true });
  writeFileSync(join(types, "index.d.ts"), 'export { graph } from "./graph/definition.js";\n');
  mkdirSync(join(types, "graph"));
  writeFileSync(
    join(types, "graph", "definition.d.ts"),
    "export declare function graph<I extends object>(inputs: I, fn: (inputs: I) => number): { readonly inputs: I };\n",
  );
  plain = new Server();
  helped = new Server("--globalPlugins", "backsweep-types", "--pluginProbeLocations", extension);
});

afterAll(() => {
  plain.stop();
  helped.stop();
  rmSync(extension, { recursive: true, force: true });
});

/** A TypeScript server; every question is about a workspace of its own. */
class Server {
  private readonly child;
  private readonly waiting = new Map<number, (codes: number[]) => void>();
  private seq = 0;
  private output = "";

  constructor(...plugin: string[]) {
    const args = [server, "--useInferredProjectPerProjectRoot", "--disableAutomaticTypingAcquisition"];
    this.child = spawn(process.execPath, [...args, ...plugin], { stdio: ["pipe", "pipe", "inherit"] });
    this.child.stdout.on("data", (chunk: Buffer) => {
      const lines = (this.output + chunk.toString()).split("\n");
      this.output = lines.pop()!;
      for (const line of lines) if (line.includes('"request_seq"')) this.answer(line);
    });
  }

  private answer(line: string): void {
    const { request_seq, body } = JSON.parse(line) as {
      readonly request_seq: number;
      readonly body?: readonly { readonly code: number }[];
    };
    this.waiting.get(request_seq)?.((body ?? []).map(({ code }) => code));
  }

  private send(command: string, rest: object): number {
    this.child.stdin.write(
      `${JSON.stringify({ seq: ++this.seq, type: "request", command, arguments: rest })}\n`,
    );
    return this.seq;
  }

  /** Error codes of `file`; `files` make the workspace. */
  async errors(files: Readonly<Record<string, string>>, file: string): Promise<number[]> {
    const folder = mkdtempSync(join(tmpdir(), "backsweep-work-"));
    try {
      for (const [name, text] of Object.entries(files)) {
        mkdirSync(join(folder, name, ".."), { recursive: true });
        writeFileSync(join(folder, name), text);
      }
      const path = join(folder, file);
      this.send("open", { file: path, fileContent: files[file], projectRootPath: folder });
      return await new Promise((resolve) =>
        this.waiting.set(this.send("semanticDiagnosticsSync", { file: path }), resolve),
      );
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  stop(): void {
    this.child.kill();
  }
}

let plain: Server;
let helped: Server;

const FILE = `import { graph } from "backsweep";
export const g = graph({ x: 2 }, ({ x }) => x * x);
export const inputs: { x: number } = g.inputs;
`;
/** "Cannot find module" */
const MISSING = 2307;
const options = (compilerOptions: object): string => JSON.stringify({ compilerOptions, include: ["."] });

describe("the types plugin", () => {
  it("is needed: without it the import is an error", async () => {
    expect(await plain.errors({ "a.ts": FILE }, "a.ts")).toContain(MISSING);
  });

  it.each([
    ["no tsconfig", {}],
    [
      "a strict tsconfig",
      { "tsconfig.json": options({ strict: true, module: "esnext", moduleResolution: "bundler" }) },
    ],
    [
      "Node's modules, an ES module",
      {
        "tsconfig.json": options({ strict: true, module: "nodenext" }),
        "package.json": '{ "type": "module" }',
      },
    ],
    ["Node's modules, a CommonJS module", { "tsconfig.json": options({ strict: true, module: "nodenext" }) }],
  ])("answers the import: %s", async (_, files: Record<string, string>) => {
    expect(await helped.errors({ ...files, "a.ts": FILE }, "a.ts")).toEqual([]);
  });

  it("gives types to checked JavaScript", async () => {
    const text = `// @ts-check\nimport { graph } from "backsweep";\nexport const g = graph({ x: 2 }, ({ x }) => x * x);\n`;
    expect(await helped.errors({ "a.mjs": text }, "a.mjs")).toEqual([]);
  });

  it("finds real faults: a misspelt name is still an error", async () => {
    expect(await helped.errors({ "a.ts": 'import { grahp } from "backsweep";\ngrahp;\n' }, "a.ts")).toContain(
      2724,
    );
  });

  it("leaves other missing modules alone, and an installed package goes first", async () => {
    expect(
      await helped.errors({ "a.ts": 'import "./nowhere";\nimport x from "no-such-package";\nx;\n' }, "a.ts"),
    ).toContain(MISSING);
    const installed = {
      "node_modules/backsweep/package.json": '{ "name": "backsweep", "types": "index.d.ts" }',
      "node_modules/backsweep/index.d.ts": "export declare const only: 1;\n",
      "a.ts": 'import { only } from "backsweep";\nexport const one: 1 = only;\n',
    };
    expect(await helped.errors(installed, "a.ts")).toEqual([]);
  });
});
