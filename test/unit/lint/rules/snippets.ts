import { readFileSync } from "node:fs";
import { join } from "node:path";
import { FIXTURES } from "../fixtures.js";

export interface Snippet {
  readonly name: string;
  readonly text: string;
  /** lines that end in `// fault` */
  readonly faults: readonly number[];
}

/** Shared first lines, so that a snippet shows only what it is about. */
const PREAMBLES: Readonly<Record<string, string>> = {
  "#V": "class V { grad = 0; back = () => {}; constructor(v, ins = []) { this.v = v; this.ins = ins; } }",
  "#T": "class T { back = () => {}; constructor(data, ins = []) { this.data = data; this.ins = ins; this.grad = data.map(() => 0); } }",
};

/** The snippets of `rules/NAME.txt`: `=== file name` before each. */
export function snippets(name: string): Snippet[] {
  const all = readFileSync(join(FIXTURES, "rules", `${name}.txt`), "utf8");
  return all
    .split(/^=== /m)
    .slice(1)
    .map((part) => {
      const end = part.indexOf("\n");
      const text = part.slice(end + 1).replace(/^#[VT]$/m, (preamble) => PREAMBLES[preamble]);
      const faults = text.split("\n").flatMap((line, i) => (/\/\/ fault\b/.test(line) ? [i + 1] : []));
      return { name: part.slice(0, end).trim(), text, faults };
    });
}
