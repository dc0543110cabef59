import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { applyEdits, lintText } from "../../../engine/lint/lint.js";
import { FIXTURES } from "./fixtures.js";

interface Fault {
  readonly rule: string;
  /** a fault can be told at one of several places: `//! rule @name` on each of them, `@a,b` on one that is of two faults */
  readonly lines: readonly number[];
}

interface Engine {
  readonly name: string;
  readonly text: string;
  readonly faults: readonly Fault[];
}

/** Engines of one file: `=== name` before each, `//! rule` or `//! rule @group` at the end of a faulty line, once for each rule. */
function engines(file: string): Engine[] {
  const parts = readFileSync(join(FIXTURES, file), "utf8")
    .split(/^=== (.+)\n/m)
    .slice(1);
  const out: Engine[] = [];
  for (let i = 0; i < parts.length; i += 2) {
    const groups = new Map<string, { rule: string; lines: number[] }>();
    parts[i + 1].split("\n").forEach((line, at) => {
      for (const mark of line.matchAll(/\/\/! ([a-z-]+)(?: @([\w,]+))?/g))
        for (const name of (mark[2] ?? `line ${at + 1}`).split(",")) {
          const key = `${mark[1]} ${name}`;
          const group = groups.get(key) ?? { rule: mark[1], lines: [] };
          group.lines.push(at + 1);
          groups.set(key, group);
        }
    });
    const text = parts[i + 1].replace(/ *\/\/! .*$/gm, "");
    out.push({ name: parts[i], text, faults: [...groups.values()] });
  }
  return out;
}

// batches that the rules met unread, and the kinds of what they got wrong there in further dress
const files = ["unseen", "kinds"].flatMap((folder) =>
  readdirSync(join(FIXTURES, folder)).map((name) => join(folder, name)),
);

describe.each(files)("engines of %s", (file) => {
  it.each(engines(file))("$name: every fault, and nothing else", ({ name, text, faults }) => {
    const { reports, notes } = lintText(text, name);
    expect(notes).toEqual([]);
    const counted = reports.filter(({ severity }) => severity !== "info");
    const of = ({ rule, lines }: Fault) =>
      counted.filter(
        (report) =>
          report.rule === rule && lines.some((line) => line >= report.line && line <= report.endLine),
      );
    expect(faults.filter((fault) => of(fault).length === 0)).toEqual([]);
    const told = new Set(faults.flatMap(of));
    expect(counted.filter((report) => !told.has(report)).map(({ line, rule }) => [line, rule])).toEqual([]);
  });

  it.each(engines(file).filter(({ faults }) => faults.length > 0))(
    "$name: what is suggested can be read and takes a report away, each kind on its own",
    ({ name, text }) => {
      const before = lintText(text, name).reports;
      const tried = new Set<string>();
      for (const { rule, suggestions } of before) {
        if (suggestions.length === 0 || tried.has(`${rule} ${suggestions[0].kind}`)) continue;
        tried.add(`${rule} ${suggestions[0].kind}`);
        const fixed = applyEdits(text, suggestions[0].edits);
        const after = lintText(fixed, name);
        const of = (reports: typeof before) => reports.filter((one) => one.rule === rule).length;
        expect(after.notes.filter(({ kind }) => kind === "syntax")).toEqual([]);
        expect(of(after.reports), fixed).toBeLessThan(of(before));
      }
    },
  );
});
