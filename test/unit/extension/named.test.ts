/** What a person means who points at a place of a graph's text, fresh or edited. */
import { describe, expect, it } from "vitest";
import { SiteIndex } from "../../../engine/report/site-index.js";
import { nodeTitle } from "../../../engine/trace/read.js";
import { linesOf } from "../../../extension/features/fan-out-lines.js";
import { pointedAt } from "../../../extension/features/named.js";
import { fileRow, Placed, recordedText } from "../../../extension/features/placed.js";
import { Timeline } from "../../../engine/timeline/timeline.js";
import { trace } from "../compile/trace.js";

const SEED = `import { graph } from "backsweep";
const a = 1;
export const g = graph({ x: 2, y: 3 }, ({ x, y }) => {
  const a = x * y;
  const b = a + x;
  const c = a * y;
  return b * helper(c);
});
function helper(v: number): number {
  const t = v * 2;
  return t;
}
`;

async function placed(text: string): Promise<{ index: SiteIndex; file: number; recorded: string }> {
  const { trace: recorded } = await trace(text);
  const index = new SiteIndex(recorded);
  const file = Array.from({ length: recorded.files.n }, (_, row) => row).find(
    (row) => recordedText(index, row) === text,
  )!;
  return { index, file, recorded: text };
}

/** Title of the node at the first `at` of the text, `on` characters on; the word there is given as an editor would. */
async function pointing(text: string, now = text): Promise<(at: string, on?: number) => string | null> {
  const { index, file, recorded } = await placed(text);
  const places = new Placed(index, file, recorded, now);
  return (at, on = 0) => {
    const offset = now.indexOf(at) + on;
    const word = Array.from(now.matchAll(/\w+/g)).find(
      ({ index: start, 0: found }) => start <= offset && start + found.length >= offset,
    );
    const pointed = pointedAt(
      index,
      places,
      offset,
      word ? { text: word[0], start: word.index, end: word.index + word[0].length } : null,
      -1,
    );
    return pointed === null ? null : nodeTitle(index.trace, pointed.node);
  };
}

describe("pointing", () => {
  it("at names, uses, inputs and operations", async () => {
    const at = await pointing(SEED);
    expect(at("const a = x", 6)).toBe("a");
    expect(at("a + x")).toBe("a");
    expect(at("a + x", 2)).toBe("b");
    expect(at("a + x", 4)).toBe("x");
    expect(at("({ x", 3)).toBe("x");
    expect(at("x * y", 4)).toBe("y");
    expect(at("b * helper", 2)).toBe("L");
  });

  it("at what is no part of the sweep", async () => {
    const at = await pointing(SEED);
    expect(at("import")).toBeNull();
    expect(at("const a = 1", 6)).toBeNull();
    expect(at("export")).toBeNull();
  });

  it("in a helper only at its own names", async () => {
    const at = await pointing(SEED);
    expect(at("const t", 6)).toBe("helper#1.t");
    expect(at("v * 2", 2)).toBe("helper#1.t");
  });

  it("in a text that was edited since", async () => {
    const at = await pointing(SEED, SEED.replace("  const b", "  // one more line\n  const b"));
    expect(at("const c", 6)).toBe("c");
    expect(at("const a = x", 6)).toBe("a");
  });
});

describe("the places of a sweep", () => {
  it("know their file by its absolute path only", async () => {
    const { index } = await placed(SEED);
    expect(fileRow(index, "/nowhere/else.ts")).toBe(-1);
  });

  it("give the lines of fan-outs, several on one line by name", async () => {
    const { index, file, recorded } = await placed(SEED);
    const places = new Placed(index, file, recorded, recorded);
    const lineOf = (offset: number): number => recorded.slice(0, offset).split("\n").length - 1;
    const timeline = new Timeline(index.trace);
    const swept = { trace: index.trace, timeline, index, wrong: null, right: null };
    expect(linesOf(swept, places, -1, lineOf)).toEqual([
      { line: 2, texts: ["x 2 uses: 36 + 252 = 288", "y 2 uses: 96 + 168 = 264"] },
      { line: 3, texts: ["2 uses: 36 + 48 = 84"] },
    ]);
  });
});
