import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { rules } from "../../../engine/lint/rules/index.js";
import { FIXTURES, linesOf } from "./fixtures.js";

interface Case {
  readonly file: string;
  readonly why: string;
  readonly expect: readonly { readonly line: number; readonly rule: string }[];
}

const cases = JSON.parse(readFileSync(join(FIXTURES, "cases/expected.json"), "utf8")) as Case[];

describe("the reference cases", () => {
  for (const rule of rules.map(({ name }) => name))
    it.each(cases)(`${rule}: $file: $why`, ({ file, expect: expected }) => {
      const text = readFileSync(join(FIXTURES, "cases", file), "utf8");
      const lines = expected.filter((one) => one.rule === rule).map(({ line }) => line);
      expect(linesOf(text, file, rule)).toEqual(lines);
    });
});
