/** The npm package as a user has it: packed, installed into an empty project, imported, typed, and linting there. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { npmPackage } from "../../../scripts/build.mjs";
import { buildForTest, folderOf } from "../runner/built.js";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const tool = (path: string): string => join(root, "node_modules", path);

const FAULTY = `export class Value {
  grad = 0;
  add(other) {
    const out = new Value(this.data + other.data, [this, other]);
    out.back = () => {
      this.grad += out.grad;
      other.grad += out.grad;
    };
    return out;
  }
  mul(other) {
    const out = new Value(this.data * other.data, [this, other]);
    out.back = () => {
      this.grad = other.data * out.grad;
      other.grad += this.data * out.grad;
    };
    return out;
  }
}
`;

const FILES = {
  "package.json": '{ "name": "project", "private": true }',
  "use.mjs": `import { gradient, graph, mul } from "backsweep";
import plugin from "backsweep/eslint-plugin";
const f = graph({ x: 2, y: 3 }, ({ x, y }) => mul(x, y));
console.log(JSON.stringify([gradient(f, { x: 2, y: 3 }), plugin.meta.name, Object.keys(plugin.rules)[0]]));
`,
  "own.graph.ts": `import { gradient, graph } from "backsweep";
export const f = graph({ x: 2, y: 3 }, ({ x, y }) => x * y + x);
console.log(JSON.stringify(gradient(f, { x: 2, y: 3 })));
`,
  "types.ts": `import { audit, gradient, graph } from "backsweep";
import plugin, { configs, type RuleOptions } from "backsweep/eslint-plugin";
export const f = graph({ x: 2, y: 3 }, ({ x, y }) => x * y + x);
export const slope: unknown = gradient(f, { x: 2, y: 3 });
export const options: RuleOptions = { evidence: "proven" };
export const name: string = configs.recommended.name + plugin.meta.name;
export const own = audit({
  leaf: (v) => ({ v, g: 0 }),
  operations: { add: (a, b) => ({ v: a.v + b.v, g: 0 }) },
  backward() {},
  gradient: (node) => node.g,
});
`,
  "value.js": FAULTY,
  "value.ts": FAULTY.replace("  grad = 0;", "  grad: number = 0;\n  declare data: number;").replace(
    "add(other)",
    "add(other: Value): Value",
  ),
  "eslint.config.mjs": `import backsweep from "backsweep/eslint-plugin";
import parser from ${JSON.stringify(pathToFileURL(tool("@typescript-eslint/parser/dist/index.js")).href)};
export default [
  backsweep.configs.recommended,
  { files: ["**/*.ts"], languageOptions: { parser } },
];
`,
};

let project: ReturnType<typeof folderOf>;

beforeAll(async () => {
  const { dist } = await buildForTest();
  // inside the repository, where the compiler finds the types of Node
  const out = join(dirname(dist), "npm");
  await npmPackage({ from: dist, out, types: true });
  project = folderOf(FILES);
  const npm = (args: string[], cwd: string): void => {
    execFileSync("npm", args, { cwd, stdio: "pipe", shell: process.platform === "win32" });
  };
  const packed = join(project.path, "packed");
  mkdirSync(packed);
  npm(["pack", "--silent", "--pack-destination", packed], out);
  const [archive] = readdirSync(packed);
  npm(["install", "--offline", "--no-audit", "--no-fund", join(packed, archive)], project.path);
});
afterAll(() => {
  project?.dispose();
});

function node(...args: string[]): {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
} {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: project.path,
    encoding: "utf8",
  });
  return { code: status, out: stdout, err: stderr };
}

describe("the npm package", () => {
  it("needs no other package, and says what it holds", () => {
    const manifest = JSON.parse(
      readFileSync(join(project.path, "node_modules/backsweep/package.json"), "utf8"),
    ) as { dependencies?: object; exports: Record<string, unknown> };
    expect(manifest.dependencies).toBeUndefined();
    expect(Object.keys(manifest.exports)).toEqual(
      expect.arrayContaining([".", "./register", "./eslint-plugin"]),
    );
    expect(readdirSync(join(project.path, "node_modules"))).toContain("backsweep");
  });

  it("is imported", () => {
    expect(node("use.mjs")).toEqual({
      code: 0,
      out: '[{"x":3,"y":2},"backsweep","overwriting-accumulation"]\n',
      err: "",
    });
  });

  it("loads a graph definition in plain Node", () => {
    expect(node("--import", "backsweep/register", "own.graph.ts")).toEqual({
      code: 0,
      out: '{"x":4,"y":2}\n',
      err: "",
    });
  });

  it("has its command line", () => {
    const { code, out } = node("node_modules/backsweep/cli.js", "lint", "value.js", "--json");
    expect(code).toBe(1);
    expect((JSON.parse(out) as { errorCount: number }[])[0].errorCount).toBe(1);
  });

  it.each([
    ["NodeNext", "NodeNext", "a browser", ["ES2022", "DOM"]],
    ["ESNext", "Bundler", "the language alone", ["ES2022"]],
  ])("is typed for modules %s resolved as %s, and the types of %s", (module, moduleResolution, _, lib) => {
    const compilerOptions = {
      ...{ strict: true, target: "ES2022", noEmit: true, types: [], skipLibCheck: false },
      ...{ module, moduleResolution, lib },
    };
    writeFileSync(
      join(project.path, "tsconfig.json"),
      JSON.stringify({ compilerOptions, files: ["types.ts"] }),
    );
    expect(node(tool("typescript/bin/tsc"), "-p", ".")).toEqual({ code: 0, out: "", err: "" });
  });

  it("lints under ESLint with both parsers, and fixes what siblings prove", () => {
    const eslint = tool("eslint/bin/eslint.js");
    const { code, out } = node(eslint, "--format", "json", "value.js", "value.ts");
    const files = JSON.parse(out) as { messages: { ruleId: string; line: number }[] }[];
    expect(code).toBe(1);
    expect(files.map(({ messages }) => messages.map(({ ruleId, line }) => [ruleId, line]))).toEqual([
      [["backsweep/overwriting-accumulation", 14]],
      [["backsweep/overwriting-accumulation", 15]],
    ]);
    expect(node(eslint, "--fix", "value.js").code).toBe(0);
    expect(readFileSync(join(project.path, "value.js"), "utf8")).toBe(
      FAULTY.replace("this.grad = other", "this.grad += other"),
    );
  });
});
