import { readFileSync } from "node:fs";
import { join } from "node:path";
import { lintPython } from "../../../../engine/lint/python/lint-python.js";
import type { LintOptions } from "../../../../engine/lint/options.js";
import { pythonParser } from "../../../../runner/python.js";
import { FIXTURES } from "../fixtures.js";

export const parser = await pythonParser();

export interface Engine {
  readonly name: string;
  readonly text: string;
  /** `LINE RULE` of lines that end in `# fault RULE` */
  readonly faults: readonly string[];
}

/** The engines of `python/NAME.txt`: `=== file name` before each. */
export function engines(name: string): Engine[] {
  return readFileSync(join(FIXTURES, "python", `${name}.txt`), "utf8")
    .split(/^=== /m)
    .slice(1)
    .map((part) => {
      const end = part.indexOf("\n");
      const text = part.slice(end + 1);
      const faults = text
        .split("\n")
        .flatMap((line, i) => [...line.matchAll(/# fault ([\w-]+)/g)].map(([, rule]) => `${i + 1} ${rule}`));
      return { name: part.slice(0, end).trim(), text, faults };
    });
}

/** `LINE RULE` of every report that counts. */
export const reported = (text: string, options: LintOptions = {}): string[] =>
  lintPython(text, parser, options)
    .reports.filter(({ severity }) => severity !== "info")
    .map(({ line, rule }) => `${line} ${rule}`);
