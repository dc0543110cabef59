/** `node --import backsweep/register`, in a real Node. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import * as esbuild from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { npmBundle } from "../../../scripts/build.mjs";
import { folderOf } from "./built.js";

const cache = fileURLToPath(new URL("../../../.cache/", import.meta.url));
let out: string;
beforeAll(async () => {
  mkdirSync(cache, { recursive: true });
  out = mkdtempSync(join(cache, "test-npm-"));
  await esbuild.build(npmBundle(out));
});
afterAll(() => rmSync(out, { recursive: true, force: true }));

function node(
  files: Readonly<Record<string, string>>,
  entry: string,
  registered = true,
): Promise<{ code: number; stdout: string; stderr: string }> {
  const folder = folderOf(files);
  const flags = registered ? ["--import", pathToFileURL(join(out, "register.js")).href] : [];
  return new Promise((resolve) => {
    execFile(process.execPath, [...flags, entry], { cwd: folder.path, env: {} }, (error, stdout, stderr) => {
      folder.dispose();
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr });
    });
  });
}

const use = "console.log(JSON.stringify(gradient(f, { x: 2, y: 3 })));";

describe("backsweep/register", () => {
  it("loads TypeScript and what it imports", async () => {
    const ran = await node(
      {
        "a.graph.ts": `import { graph, gradient } from "backsweep";\nimport { twice } from "./lib/twice.js";\ninterface P { x: number; y: number }\nexport const f = graph({ x: 2, y: 3 }, ({ x, y }: P) => { const a = twice(x * y); return a * Math.abs(a); });\n${use}`,
        "lib/twice.ts": "export function twice(t: number): number {\n  return t * 2;\n}",
      },
      "a.graph.ts",
    );
    expect(ran).toEqual({ code: 0, stdout: '{"x":144,"y":96}\n', stderr: "" });
  });

  it("loads JavaScript, and leaves untraced arithmetic alone", async () => {
    const ran = await node(
      {
        "a.mjs": `import { graph, gradient } from "backsweep";\nexport const f = graph({ x: 2, y: 3 }, ({ x, y }) => x ** y);\nconsole.log("b", 1 + 2, 2n ** 70n, "a" + 1);\n${use}`,
      },
      "a.mjs",
    );
    expect(ran.stderr).toBe("");
    expect(ran.stdout).toBe(`b 3 1180591620717411303424n a1\n{"x":12,"y":${8 * Math.LN2}}\n`);
  });

  it("reports a mistake at its place, on one line", async () => {
    const ran = await node({ "a.ts": "const a = ;" }, "a.ts");
    expect(ran.code).toBe(1);
    expect(ran.stderr).toMatch(/SyntaxError.*a\.ts:1:11: /);
  });

  it("shows an error's line and place as they were written", async () => {
    const ran = await node(
      {
        "a.ts": `import { graph, gradient } from "backsweep";
const f = graph({ x: 2 }, ({ x }: { x: number }) => {
  if (x * x > 3) throw new Error("no such x");
  return x;
});
gradient(f);
`,
      },
      "a.ts",
    );
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain('  if (x * x > 3) throw new Error("no such x");\n');
    expect(ran.stderr).toMatch(/at .*a\.ts:3:24\)/);
    expect(ran.stderr).not.toContain("$b");
  });

  it("tells of a cut on standard error, once, at its place", async () => {
    const ran = await node(
      {
        "a.ts": `import { graph, gradient } from "backsweep";
const f = graph({ x: 2 }, ({ x }) => Math.fround(x) * x);
for (const x of [1, 2, 3]) gradient(f, { x });
`,
      },
      "a.ts",
    );
    expect(ran).toMatchObject({ code: 0, stdout: "" });
    expect(ran.stderr).toMatch(
      /^backsweep: .*a\.ts:2:38: a traced number is rounded by Math\.fround here: no derivative flows, .*\n$/,
    );
  });

  it("without it, a branch that looks at the object is told", async () => {
    const ran = await node(
      {
        "a.mjs": `import { gradient, mul } from ${JSON.stringify(pathToFileURL(join(out, "index.js")).href)};
console.log(gradient((x) => (x === 2 ? 0 : mul(x, x)), 2));
`,
      },
      "a.mjs",
      false,
    );
    expect(ran).toMatchObject({ code: 0, stdout: "4\n" });
    expect(ran.stderr).toMatch(
      /^backsweep: x === 2 in a function that was not loaded by Backsweep looks at the traced number as an object/,
    );
  });
});
