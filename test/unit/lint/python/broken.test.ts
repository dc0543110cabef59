import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lintPython } from "../../../../engine/lint/python/lint-python.js";
import { parsePython } from "../../../../engine/lint/python/parse.js";
import { endOf, startOf, walk } from "../../../../engine/lint/tree.js";
import { engines, parser, reported } from "./engines.js";

const texts = ["engines-a", "engines-b"].flatMap(engines).map(({ text }) => text);

describe("text that is no Python, or not yet", () => {
  it("is linted as far as it can be read, at every moment of being typed", () => {
    fc.assert(
      fc.property(fc.constantFrom(...texts), fc.double({ min: 0, max: 1, noNaN: true }), (text, at) => {
        const { reports } = lintPython(text.slice(0, Math.floor(at * text.length)), parser);
        for (const { line, start, end } of reports) {
          expect(line).toBeGreaterThan(0);
          expect(start).toBeLessThan(end);
        }
      }),
      { numRuns: 150 },
    );
  });

  it("never throws, whatever is cut out, doubled or put in", () => {
    const pieces = [
      "(",
      ")",
      "[",
      "]",
      ":",
      "=",
      "lambda",
      "def",
      "class",
      "for",
      "in",
      "*",
      "**",
      "\n",
      "'",
      "f'{",
    ];
    fc.assert(
      fc.property(
        fc.constantFrom(...texts),
        fc.nat(),
        fc.nat(200),
        fc.constantFrom(...pieces),
        (text, where, length, piece) => {
          const at = where % text.length;
          const broken = text.slice(0, at) + piece + text.slice(at + length);
          expect(Array.isArray(lintPython(broken, parser).reports)).toBe(true);
        },
      ),
      { numRuns: 200 },
    );
  });

  it("keeps places inside the text and in each other's order", () => {
    for (const text of texts)
      walk(parsePython(text, parser).root, (node) => {
        expect(startOf(node)).toBeGreaterThanOrEqual(0);
        expect(endOf(node)).toBeLessThanOrEqual(text.length);
        expect(startOf(node)).toBeLessThanOrEqual(endOf(node));
      });
  });
});

describe("large and deep text", () => {
  it("is skipped with a note", () => {
    const note = (text: string): string[] => lintPython(text, parser).notes.map(({ message }) => message);
    expect(note(`# grad\n${"x = 1\n".repeat(400_000)}`)).toEqual(["larger than 2 MB: not linted"]);
    expect(note(`grad = ${"(".repeat(3000)}1${")".repeat(3000)}`)).toEqual([
      "nested deeper than 1,000: not linted",
    ]);
    expect(note(`grad = ${"-".repeat(20_000)}1`)).toEqual(["nested deeper than 1,000: not linted"]);
  });

  it("is read where it is only long", () => {
    const branches = Array.from(
      { length: 400 },
      (_, i) => `    elif op == "o${i}":\n        x.grad += g * ${i}\n`,
    );
    const text = `def backward(op, x, g):\n    if op == "a":\n        x.grad += g\n${branches.join("")}`;
    expect(lintPython(text, parser)).toEqual({ reports: [], suppressed: [], notes: [] });
    expect(reported(`grads = [${"1.0, ".repeat(20_000)}]\n`)).toEqual([]);
  });

  it("is not read at all without a word of the subject", () => {
    const none = { parse: () => expect.fail("parsed") } as unknown as typeof parser;
    expect(lintPython("import os\n\nprint(os.getcwd())\n", none).reports).toEqual([]);
  });
});
