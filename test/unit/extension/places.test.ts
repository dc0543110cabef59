/** Places of a sweep in a text that is edited, and what a person points at there. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Anchors, difference, lineStarts, type Edit } from "../../../extension/features/anchors.js";
import { inputPlaces } from "../../../extension/features/input-places.js";

const apply = (text: string, { offset, removed }: Edit, inserted: string): string =>
  text.slice(0, offset) + inserted + text.slice(offset + removed);

describe("anchors", () => {
  const one = (start: number, end: number): Anchors => new Anchors(Int32Array.of(start), Int32Array.of(end));
  const range = (anchors: Anchors): [number, number] => [anchors.start(0), anchors.end(0)];

  it.each([
    ["before", { offset: 0, removed: 0, inserted: 3 }, [13, 23]],
    ["behind", { offset: 25, removed: 2, inserted: 9 }, [10, 20]],
    ["inside", { offset: 15, removed: 1, inserted: 4 }, [10, 23]],
    ["at the first character", { offset: 10, removed: 0, inserted: 4 }, [14, 24]],
    ["at the end", { offset: 20, removed: 0, inserted: 4 }, [10, 20]],
    ["over the first character", { offset: 8, removed: 4, inserted: 1 }, [9, 17]],
    ["over the end", { offset: 18, removed: 4, inserted: 1 }, [10, 18]],
    ["over all of it", { offset: 9, removed: 12, inserted: 2 }, [-1, -1]],
    ["exactly all of it", { offset: 10, removed: 10, inserted: 0 }, [-1, -1]],
    ["that replaces exactly it", { offset: 10, removed: 10, inserted: 1 }, [-1, -1]],
  ])("an edit %s", (_, edit: Edit, expected) => {
    const anchors = one(10, 20);
    anchors.edit(edit);
    expect(range(anchors)).toEqual(expected);
    expect(anchors.moved).toBe(true);
    anchors.reset();
    expect(range(anchors)).toEqual([10, 20]);
    expect(anchors.moved).toBe(false);
  });

  it("follow their text through any edits that do not touch it", () => {
    const edit = fc.record({ at: fc.nat(), removed: fc.nat(6), text: fc.stringMatching(/^[a-z\n]{0,6}$/) });
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 12 }), (edits) => {
        let text = "aaaaaaaaaa<#>bbbbbbbbbb";
        const anchors = one(10, 13);
        for (const { at, removed, text: inserted } of edits) {
          const place = text.indexOf("<#>");
          const before = at % 2 === 0;
          const offset = before ? at % (place + 1) : place + 3 + (at % (text.length - place - 2));
          const most = before ? place - offset : text.length - offset;
          const change = { offset, removed: Math.min(removed, most), inserted: inserted.length };
          text = apply(text, change, inserted);
          anchors.edit(change);
        }
        expect(text.slice(...range(anchors))).toBe("<#>");
      }),
    );
  });

  it("the difference of two texts makes one of the other", () => {
    const text = fc.stringMatching(/^[ab\n]{0,12}$/);
    fc.assert(
      fc.property(text, text, (before, after) => {
        const edit = difference(before, after);
        expect(apply(before, edit, after.slice(edit.offset, edit.offset + edit.inserted))).toBe(after);
      }),
    );
  });

  it("lines begin as the editor counts them", () => {
    expect(lineStarts("a\nb\r\nc\rd")).toEqual([0, 2, 5, 7]);
  });
});

describe("the places of inputs", () => {
  const found = (call: string, ...names: string[]): Record<string, string> => {
    const places = inputPlaces(call, 0, call.length, names);
    return Object.fromEntries(
      Array.from(places, ([name, { start, end }]) => {
        expect(call.slice(start, end)).toBe(name);
        return [name, call.slice(0, start).includes("=>") || call.includes("function") ? "?" : `${start}`];
      }),
    );
  };

  it("are the parameters", () => {
    const call = "graph({ x: 2, y: 3 }, ({ x, y }) => x * y)";
    expect(found(call, "x", "y")).toEqual({ x: "25", y: "28" });
  });

  it("are the keys where the parameters name none", () => {
    const call = "graph({ x: y, y: [x, 3], z: f(x) + y }, (p) => p.x * p.y)";
    expect(found(call, "x", "y", "z")).toEqual({ x: "8", y: "14", z: "25" });
  });

  it("renamed and typed parameters, an identifier for the values", () => {
    const call = "graph(start, ({ x: first, y = 2 }: { x: number; y: number }) => first * y)";
    expect(found(call, "x", "y", "first")).toEqual({ x: "16", y: "26" });
    expect(found("graph(start, run)", "x")).toEqual({});
  });

  it("strings and comments name nothing", () => {
    expect(found('graph({ "x": 2 /* y */ }, (p) => p.x)', "y")).toEqual({});
  });
});
