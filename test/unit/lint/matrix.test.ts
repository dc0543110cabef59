import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { lintText } from "../../../engine/lint/lint.js";
import { FIXTURES } from "./fixtures.js";

/**
 * Engines of every kind of fault in several styles, each once right, once with all of its faults, and once with each of them
 * alone, under several sets of names.
 *
 * In a text `$SLOT`, `$INS`, `$BACK`, `$VAL` and `$NODE` stand for names, `<%faulty%:right%>` for a place that can be either.
 */
interface Names {
  readonly SLOT: string;
  readonly INS: string;
  readonly BACK: string;
  readonly VAL: string;
  readonly NODE: string;
}

const SAYING: readonly Names[] = [
  { SLOT: "grad", INS: "prev", BACK: "_backward", VAL: "data", NODE: "Value" },
  { SLOT: "adj", INS: "inputs", BACK: "back", VAL: "v", NODE: "Node" },
  { SLOT: "cotangent", INS: "deps", BACK: "pull", VAL: "primal", NODE: "Tracked" },
  { SLOT: "_bar", INS: "_ins", BACK: "_bw", VAL: "_x", NODE: "T" },
];
const SHORT: readonly Names[] = [
  { SLOT: "g", INS: "parents", BACK: "run", VAL: "val", NODE: "Var" },
  { SLOT: "delta", INS: "children", BACK: "step", VAL: "x", NODE: "Unit" },
  { SLOT: "d", INS: "args", BACK: "chain", VAL: "value", NODE: "Term" },
];
const OTHER: readonly Names[] = [
  { SLOT: "credit", INS: "sources", BACK: "settle", VAL: "out", NODE: "Item" },
];

interface Engine {
  readonly name: string;
  readonly text: string;
  readonly names: readonly Names[];
}

/** `=== file`, `=== file (names that say gradient)`, `=== file (any name)` before each. */
function engines(file: string): Engine[] {
  const parts = readFileSync(join(FIXTURES, "matrix", file), "utf8")
    .split(/^=== (.+)\n/m)
    .slice(1);
  const out: Engine[] = [];
  for (let i = 0; i < parts.length; i += 2) {
    const [, name, tag] = /^(\S+)(?: \((.+)\))?$/.exec(parts[i])!;
    const names =
      tag === "names that say gradient"
        ? SAYING
        : tag === "any name"
          ? [...SAYING, ...SHORT, ...OTHER]
          : [...SAYING, ...SHORT];
    out.push({ name, text: parts[i + 1], names });
  }
  return out;
}

/** Which of the places are faulty: none, all, and each alone where they do not depend on each other. */
function choices(text: string): ((at: number) => boolean)[] {
  const count = text.split("<%").length - 1;
  const out: ((at: number) => boolean)[] = [() => false, () => true];
  if (count > 1 && !/@\w|<%\/\/!/.test(text)) for (let k = 0; k < count; k++) out.push((at) => at === k);
  return out;
}

function write(text: string, names: Names, faulty: (at: number) => boolean): string {
  let at = 0;
  return text
    .replace(/\$(SLOT|INS|BACK|VAL|NODE)/g, (_, key: keyof Names) => names[key])
    .replace(/<%([^]*?)%:([^]*?)%>/g, (_, bad: string, good: string) => (faulty(at++) ? bad : good));
}

function expectAll(text: string, name: string): void {
  const groups = new Map<string, { rule: string; lines: number[] }>();
  text.split("\n").forEach((line, at) => {
    for (const [, rule, group] of line.matchAll(/\/\/! ([a-z-]+)(?: @(\w+))?/g)) {
      const key = `${rule} ${group ?? `line ${at + 1}`}`;
      const known = groups.get(key) ?? { rule, lines: [] };
      known.lines.push(at + 1);
      groups.set(key, known);
    }
  });
  const { reports, notes } = lintText(text.replace(/ *\/\/! .*$/gm, ""), name);
  const counted = reports.filter(({ severity }) => severity !== "info");
  const of = ({ rule, lines }: { rule: string; lines: number[] }) =>
    counted.filter(
      (report) => report.rule === rule && lines.some((line) => line >= report.line && line <= report.endLine),
    );
  const faults = [...groups.values()];
  const told = new Set(faults.flatMap(of));
  expect(
    {
      notes,
      missed: faults.filter((fault) => of(fault).length === 0),
      false: counted.filter((report) => !told.has(report)).map(({ line, rule }) => [line, rule]),
    },
    text,
  ).toEqual({ notes: [], missed: [], false: [] });
}

describe.each(readdirSync(join(FIXTURES, "matrix")))("engines of %s", (file) => {
  it.each(engines(file))("$name: every fault, and nothing else, under all names", ({ name, text, names }) => {
    for (const set of names) for (const faulty of choices(text)) expectAll(write(text, set, faulty), name);
  });
});
