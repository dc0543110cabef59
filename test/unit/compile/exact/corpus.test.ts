/** Ordinary modules mean the same rewritten as with their types stripped: results, errors, order of side effects. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { installRealm } from "../../../../engine/compile/runtime/index.js";
import { load, type Mode } from "../harness.js";
import { show } from "../show.js";

const folder = fileURLToPath(new URL("../../../fixtures/ordinary/", import.meta.url));
const all = readdirSync(folder).filter((name) => /\.(ts|js)$/.test(name));
const programs = all.filter((name) => !name.startsWith("_"));
const helpers = all.filter((name) => name.startsWith("_"));
const read = (name: string): string => readFileSync(`${folder}${name}`, "utf8");

async function run(name: string, mode: Mode): Promise<string[]> {
  const lines: string[] = [];
  const shared = globalThis as unknown as { log?: (...values: unknown[]) => void };
  shared.log = (...values) => void lines.push(values.map((value) => show(value)).join(" | "));
  const files: Record<string, string> = { [name]: read(name) };
  for (const helper of helpers) files[helper] = read(helper);
  try {
    const { namespace } = await load(files, mode);
    for (const key of Object.keys(namespace)) lines.push(`export ${key} = ${show(namespace[key])}`);
  } catch (error) {
    lines.push(`threw ${show(error)}`);
    if (error instanceof Error && /^(?:CompileError|SyntaxError)$/.test(error.name)) throw error;
  }
  return lines;
}

describe("ordinary modules keep their meaning", () => {
  const patched = installRealm(globalThis);
  afterAll(patched);

  it("has at least 40 of them", () => expect(programs.length).toBeGreaterThanOrEqual(40));

  for (const name of programs) {
    it(name, async () => {
      patched();
      const expected = await run(name, "stripped");
      const restore = installRealm(globalThis);
      const actual = await run(name, "rewritten");
      restore();
      expect(expected.length).toBeGreaterThan(0);
      expect(actual).toEqual(expected);
    });
  }
});
