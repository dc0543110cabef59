/** The lint in the editor, as far as it needs no editor: which documents, the worker and who is dropped, edits, settings. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import * as esbuild from "esbuild";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { rules } from "../../../engine/lint/rules/index.js";
import { LintClient, type LintJob } from "../../../extension/lint/client.js";
import { isLinted, lintName } from "../../../extension/lint/documents.js";
import { trimmedEdit } from "../../../extension/lint/trimmed-edit.js";
import { common, grammar } from "../../../scripts/build.mjs";

const root = resolve(import.meta.dirname, "../../..");
const folder = mkdtempSync(join(tmpdir(), "backsweep-lint-"));
const path = join(folder, "lint-worker.mjs");

beforeAll(async () => {
  const { outdir: _, ...options } = common();
  await esbuild.build({ ...options, entryPoints: [join(root, "extension/lint/worker.ts")], outfile: path });
  // what the build puts beside the bundle
  for (const file of grammar) cpSync(join(root, "node_modules", file), join(folder, basename(file)));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const FAULTY = `class Value {
  grad = 0;
  add(other) {
    const out = new Value([this, other]);
    out.back = () => {
      this.grad += out.grad;
      other.grad += out.grad;
    };
    return out;
  }
  mul(other) {
    const out = new Value([this, other]);
    out.back = () => {
      this.grad = other.data * out.grad;
      other.grad += this.data * out.grad;
    };
    return out;
  }
}
`;
const job = (text: string, kind: LintJob["kind"] = "lint"): LintJob => ({
  kind,
  text,
  file: "value.ts",
  options: {},
});

async function withClient<T>(
  worker: string,
  body: (client: LintClient, told: string[]) => Promise<T>,
): Promise<T> {
  const told: string[] = [];
  const client = new LintClient(worker, (line) => told.push(line));
  try {
    return await body(client, told);
  } finally {
    client.dispose();
  }
}

const PYTHON = `class Value:
    def __add__(self, other):
        out = Value(self.data + other.data)
        def _backward():
            self.grad += out.grad
            other.grad += out.grad
        out._backward = _backward
        return out

    def exp(self):
        out = Value(exp(self.data))
        def _backward():
            self.grad = out.data * out.grad
        out._backward = _backward
        return out
`;

describe("the lint worker", () => {
  it("reads Python, with the grammar that stands beside it", () =>
    withClient(path, async (client, told) => {
      const python = { ...job(PYTHON), file: "value.py" };
      const answer = await client.ask("a", python);
      const reports = answer?.kind === "lint" ? answer.result.reports : [];
      expect(reports.map(({ line, rule }) => [line, rule])).toEqual([[13, "overwriting-accumulation"]]);
      expect(await client.ask("a", { ...python, kind: "fix" })).toMatchObject({
        kind: "fix",
        text: PYTHON.replace("self.grad = out", "self.grad += out"),
      });
      expect(told).toEqual([]);
    }));

  it("lints, and gives the text with what siblings prove", () =>
    withClient(path, async (client, told) => {
      const answer = await client.ask("a", job(FAULTY));
      const reports = answer?.kind === "lint" ? answer.result.reports : [];
      expect(reports.map(({ line, rule }) => [line, rule])).toEqual([[14, "overwriting-accumulation"]]);
      expect(await client.ask("a", job(FAULTY, "fix"))).toMatchObject({
        kind: "fix",
        text: FAULTY.replace("this.grad = other", "this.grad += other"),
      });
      expect(told).toEqual([]);
    }));

  it("keeps only the last text of a document, and every document's", () =>
    withClient(path, async (client) => {
      const asked = [
        client.ask("a", job(FAULTY)),
        client.ask("b", job("const grad = 1;")),
        client.ask("a", job(`\n${FAULTY}`)),
        client.ask("a", job(`\n\n${FAULTY}`)),
      ];
      const [first, other, second, last] = await Promise.all(asked);
      expect([first, second]).toEqual([null, null]);
      expect(other).toMatchObject({ kind: "lint", result: { reports: [] } });
      expect(last).toMatchObject({ kind: "lint", result: { reports: [{ line: 16 }] } });
    }));

  it("answers options that cannot be used with an error, and goes on", () =>
    withClient(path, async (client) => {
      const bad = { ...job(FAULTY), options: { gradientNames: ["/(/"] } };
      expect(await client.ask("a", bad)).toMatchObject({ kind: "error" });
      expect(await client.ask("a", job(FAULTY))).toMatchObject({ kind: "lint" });
    }));

  it("ends a lint that is no longer wanted and does not come to an end", () => {
    const stuck = join(folder, "stuck.mjs");
    writeFileSync(
      stuck,
      `import { parentPort } from "node:worker_threads";
parentPort.on("message", ({ id, text }) => {
  while (text === "stuck");
  parentPort.postMessage({ id, kind: "fix", text });
});
`,
    );
    return withClient(stuck, async (client, told) => {
      const first = client.ask("a", job("stuck"));
      const second = client.ask("a", job("fine"));
      expect(await first).toBeNull();
      expect(await second).toMatchObject({ text: "fine" });
      expect(told).toEqual([]);
    });
  });

  it("says that it was lost, and starts again", () => {
    const dying = join(folder, "dying.mjs");
    writeFileSync(
      dying,
      `import { parentPort } from "node:worker_threads";
parentPort.on("message", ({ id, text }) => {
  if (text === "die") process.exit(3);
  parentPort.postMessage({ id, kind: "fix", text });
});
`,
    );
    return withClient(dying, async (client, told) => {
      expect(await client.ask("a", job("die"))).toBeNull();
      expect(told).toEqual(["the lint worker ended: exit 3"]);
      expect(await client.ask("a", job("fine"))).toMatchObject({ text: "fine" });
    });
  });
});

describe("what is linted", () => {
  const document = (path: string, languageId = "typescript", scheme = "file") =>
    ({ languageId, uri: { path, scheme } }) as Parameters<typeof isLinted>[0];

  it("is what one writes, on disk or not", () => {
    expect(isLinted(document("/w/a.ts"))).toBe(true);
    expect(isLinted(document("Untitled-1", "javascript", "untitled"))).toBe(true);
    expect(isLinted(document("/w/a.tsx", "typescriptreact"))).toBe(true);
    expect(isLinted(document("/w/a.py", "python"))).toBe(true);
    expect(isLinted(document("/w/a.rb", "ruby"))).toBe(false);
    expect(isLinted(document("/w/.venv/lib/site-packages/p/a.py", "python"))).toBe(false);
    expect(isLinted(document("/w/a.ts", "typescript", "git"))).toBe(false);
    expect(isLinted(document("/w/node_modules/p/a.js", "javascript"))).toBe(false);
    expect(isLinted(document("/w/a.d.ts"))).toBe(false);
  });

  it("has an ending that says its language", () => {
    expect(lintName(document("/w/a.mts"))).toBe("/w/a.mts");
    expect(lintName(document("Untitled-1", "javascriptreact", "untitled"))).toBe("Untitled-1.jsx");
    expect(lintName(document("/w/a.v2", "typescript"))).toBe("/w/a.v2.ts");
    expect(lintName(document("/w/a.py", "python"))).toBe("/w/a.py");
    expect(lintName(document("/w/net.ipynb", "python", "vscode-notebook-cell"))).toBe("/w/net.ipynb.py");
  });
});

describe("one edit between two texts", () => {
  it("gives the second and leaves alone what both share", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), fc.string(), (head, before, after, tail) => {
        const from = head + before + tail;
        const to = head + after + tail;
        const { start, end, text } = trimmedEdit(from, to);
        expect(from.slice(0, start) + text + from.slice(end)).toBe(to);
        expect(start).toBeGreaterThanOrEqual(Math.min(head.length, from.length));
        expect(end - start).toBeLessThanOrEqual(before.length);
      }),
    );
  });
});

describe("the settings", () => {
  it("take a severity for every rule", () => {
    const { contributes } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
      contributes: { configuration: { properties: Record<string, { properties?: object }> } };
    };
    const { properties = {} } = contributes.configuration.properties["backsweep.lint.severity"];
    expect(Object.keys(properties)).toEqual(expect.arrayContaining(rules.map(({ name }) => name)));
  });
});
