import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { factsOf } from "../../../engine/lint/lint-tree.js";
import { areApart, countedIndex } from "../../../engine/lint/overwriting/indices.js";
import { parseForLint } from "../../../engine/lint/parse.js";
import { writesOf } from "../../../engine/lint/writes.js";

// sizes are what they are called, and larger than the numbers beside them
const H = 101;
const R = 7;

/** An index over counters `i`, `j`, `k` and the sizes `H` and `R`: rows in rows, some too short, from a place on. */
const strides = fc.record({
  i: fc.constantFrom("4 * H", "8 * H", "4 * H", "H", "24"),
  j: fc.constantFrom("4", "4", "8", "1", "R"),
  k: fc.constantFrom("1", "1", "-1", "2"),
});
const offset = fc.constantFrom("0", "1", "2", "3", "5", "H", "2 * H", "R * H * 12", "100");

/** Loops around the two stores: rows, places in a row, and a third one that counts down or by two. */
const loops = fc.record({
  i: fc.constantFrom("let i = 0; i < R; i++", "let i = R - 1; i >= 0; i--", "let i = 0; i <= R; i++"),
  j: fc.constantFrom("let j = 0; j < H; j++", "let j = 1; j < H; j++", "let j = 0; j < 2; j++"),
  k: fc.constantFrom("let k = 0; k < 2; k++", "let k = 0; k < 4; k += 2", "let k = 2; k > 0; k--"),
});

/** The places that an index gives, turn by turn. */
function places(
  head: { readonly i: string; readonly j: string; readonly k: string },
  text: string,
): number[] {
  const run = new Function(
    "H",
    "R",
    `const out = []; for (${head.i}) for (${head.j}) for (${head.k}) out.push(${text}); return out;`,
  ) as (h: number, r: number) => number[];
  return run(H, R);
}

describe("an index as a sum", () => {
  it("gives every place once where it says so, and two that are apart never meet", () => {
    let said = 0;
    let apart = 0;
    fc.assert(
      fc.property(
        loops,
        strides,
        strides,
        fc.boolean(),
        offset,
        offset,
        (head, first, second, same, from, to) => {
          const spell = ({ i, j, k }: typeof first, at: string): string =>
            `i * ${i} + (j * ${j} + k * ${k}) + ${at}`;
          const [a, b] = [spell(first, from), spell(same ? first : second, to)];
          const text = `function f(H, R, g) { const d = new Float64Array(999); for (${head.i}) for (${head.j}) for (${head.k}) { d[${a}] = g; d[${b}] = g; } }`;
          const { root } = parseForLint(text, "f.js");
          const facts = factsOf(root, text, {})!;
          const made = facts.declarators[0];
          const [one, two] = writesOf(facts).map((write) => countedIndex(facts, write.index!, made));
          for (const [counted, own] of [
            [one, a],
            [two, b],
          ] as const) {
            if (counted === null) continue;
            said++;
            const all = places(head, own);
            expect(new Set(all).size, `${text}\n${own}`).toBe(all.length);
          }
          if (one === null || two === null || !areApart(one, two)) return;
          apart++;
          const taken = new Set(places(head, a));
          expect(
            places(head, b).filter((place) => taken.has(place)),
            text,
          ).toEqual([]);
        },
      ),
      { numRuns: 600 },
    );
    // it does say so now and then
    expect(said).toBeGreaterThan(20);
    expect(apart).toBeGreaterThan(5);
  });

  it("knows rows and columns, offsets by a size, strides and cursors", () => {
    const once = (head: string, ...texts: readonly string[]): boolean[] => {
      const text = `function f(H, T, g) { const d = new Float64Array(999); let at = 0; ${head} { ${texts.map((one) => `d[${one}] = g;`).join(" ")} } }`;
      const facts = factsOf(parseForLint(text, "f.js").root, text, {})!;
      const all = writesOf(facts).map(({ index: written }) =>
        countedIndex(facts, written!, facts.declarators[0]),
      );
      return all.map(
        (one, at) =>
          one !== null && all.every((other, i) => i === at || (other !== null && areApart(one, other))),
      );
    };
    expect(once("for (let k = 0; k < H; k++)", "k", "H + k", "2 * H + k", "k + 3 * H")).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(once("for (let t = T - 1; t >= 0; t--) for (let k = 0; k < H; k++)", "t * H + k")).toEqual([true]);
    expect(once("for (let i = 0; i < T; i++)", "i * 4", "i * 4 + 1", "(i << 2) + 3")).toEqual([
      true,
      true,
      true,
    ]);
    expect(once("for (let i = 0; i < T; i++)", "at++", "at++")).toEqual([true, true]);
    // the next turn comes to the same place
    expect(once("for (let i = 0; i < T; i++)", "i", "i + 1")).toEqual([false, false]);
    expect(once("for (let i = 0; i < T; i++)", "i * 4", "i * 4 + 8")).toEqual([false, false]);
    // windows that overlap, a row that is too short, a loop that is not counted, an index out of data
    expect(once("for (let t = 0; t < T; t++) for (let k = 0; k < H; k++)", "t + k")).toEqual([false]);
    expect(once("for (let t = 0; t < T; t++) for (let k = 0; k <= H; k++)", "t * H + k")).toEqual([false]);
    expect(once("for (let t = 0; t < T; t++) for (let k = 0; k < H; k++)", "k")).toEqual([false]);
    expect(once("for (let t = 0; t < T; t++)", "g[t]")).toEqual([false]);
  });
});
