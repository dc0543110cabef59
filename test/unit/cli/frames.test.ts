/** Frames of an error as they are printed: a recursion in a few lines, whatever its ring. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { failureText } from "../../../cli/execute.js";
import { shownFrames } from "../../../cli/frames.js";
import { plainStyle } from "../../../cli/style.js";
import type { Failure } from "../../../runner/messages.js";

const frame = (name: string, line: number): string => `at ${name} (/elsewhere/a.ts:${line}:1)`;
const shown = (name: string, line: number): string => `at ${name} (/elsewhere/a.ts:${line}:1)`;

describe("frames", () => {
  it("that are all different stand as they are, innermost first, at most so many", () => {
    const frames = Array.from({ length: 12 }, (_, i) => frame(`f${i}`, i + 1));
    expect(shownFrames(frames, 10)).toEqual(frames.slice(0, 10));
    expect(shownFrames(["at (/elsewhere/a.ts:3:4)"], 10)).toEqual(["at /elsewhere/a.ts:3:4"]);
  });

  it("of a function that calls itself stand once", () => {
    const frames = [frame("leaf", 1), ...new Array<string>(9).fill(frame("f", 2)), frame("main", 3)];
    expect(shownFrames(frames, 10)).toEqual([
      shown("leaf", 1),
      shown("f", 2),
      "... again and again, 8 times or more",
      shown("main", 3),
    ]);
  });

  it("of functions that call each other stand once, and what the end cut off does not", () => {
    const ring = [frame("even", 1), frame("odd", 2), frame("third", 3)];
    const frames = [...ring, ...ring, ...ring, ...ring, ring[0]];
    expect(shownFrames(frames, 10)).toEqual([...ring, "... these 3 again and again, 3 times or more"]);
  });

  it("never more lines than asked for, and the innermost always", () => {
    const names = fc.array(fc.constantFrom("a", "b", "c"), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(names, fc.integer({ min: 1, max: 12 }), (list, most) => {
        const lines = shownFrames(
          list.map((name) => frame(name, 1)),
          most,
        );
        expect(lines.length).toBeLessThanOrEqual(most);
        expect(lines[0]).toBe(shown(list[0], 1));
      }),
    );
  });
});

describe("a message", () => {
  const failure: Failure = {
    kind: "deadline",
    message: "still running after 5 s",
    file: "/elsewhere/a.ts",
    line: 0,
    column: 0,
    endLine: 0,
    endColumn: 0,
    frames: [],
  };
  it("about the deadline says how to move it, another does not", () => {
    expect(failureText(failure, plainStyle)).toContain("--timeout S gives it longer, as in --timeout 30\n");
    expect(failureText({ ...failure, kind: "exception" }, plainStyle)).not.toContain("--timeout");
  });
});
