import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { lintText } from "../../../engine/lint/lint.js";
import type { LintOptions } from "../../../engine/lint/options.js";

export const FIXTURES = resolve(import.meta.dirname, "../../fixtures/lint");

export interface Fixture {
  readonly name: string;
  readonly text: string;
  /** lines that end in `// fault`, one for each of these words */
  readonly faults: readonly number[];
}

export function fixtures(folder: string): Fixture[] {
  return readdirSync(join(FIXTURES, folder))
    .filter((name) => /\.[jt]s$/.test(name))
    .map((name) => {
      const text = readFileSync(join(FIXTURES, folder, name), "utf8");
      const faults = text
        .split("\n")
        .flatMap((line, i) => Array.from(line.matchAll(/\/\/ fault\b/g), () => i + 1));
      return { name, text, faults };
    });
}

/** Reports of one rule that count, as lines. */
export function linesOf(text: string, file: string, rule: string, options: LintOptions = {}): number[] {
  return lintText(text, file, options)
    .reports.filter((report) => report.rule === rule && report.severity !== "info")
    .map(({ line }) => line);
}
