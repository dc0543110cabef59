/** What hints, hovers, fan-out marks and the tree say. */
import { describe, expect, it } from "vitest";
import { contributionRows } from "../../../engine/report/contributions.js";
import { factsOf } from "../../../engine/report/facts.js";
import { fanOutText, hintAt, hintText } from "../../../engine/report/hints.js";
import { storyMarkdown, storyOf } from "../../../engine/report/hover.js";
import { firstChild, operandsOf, operandText, outputNodes, wayTo } from "../../../engine/report/operands.js";
import { SiteIndex } from "../../../engine/report/site-index.js";
import { useIndex } from "../../../engine/sweep/paths.js";
import { Timeline } from "../../../engine/timeline/timeline.js";
import { nodeName } from "../../../engine/trace/read.js";
import type { Trace } from "../../../engine/trace/trace.js";
import { fanOut, threeChildren } from "../../e2e/webview/samples.js";

const named = (trace: Trace, name: string): number =>
  Array.from({ length: trace.nodes.n }, (_, node) => node).find((node) => nodeName(trace, node) === name)!;

describe("the seed's sweep", () => {
  const trace = fanOut().trace();
  const timeline = new Timeline(trace);
  const a = named(trace, "a");

  it("has a row for every contribution, with share and running sum", () => {
    const rows = contributionRows(timeline, factsOf(timeline, a, timeline.steps));
    expect(
      rows.map(({ from, product, value, running, lost }) => [from, product, value, running, lost]),
    ).toEqual([
      ["b", "18 × 1", 18, 18, false],
      ["c", "8 × 3", 24, 42, false],
    ]);
    expect(rows[0].share).toBeCloseTo(18 / 42, 12);
  });

  it("is told in the hover", () => {
    const text = storyMarkdown(timeline, storyOf(timeline, a, useIndex(trace)), ["2 of 3"]);
    expect(text).toContain("**`a = x * y`**");
    expect(text).toContain("_2 of 3_");
    expect(text).toContain("value `6`, cotangent `42`");
    expect(text).toContain("| c | 8 × 3 | 24 | 57 % | 42 |");
    expect(text).toContain("2 paths to the output");
  });

  it("says at a fan-out what was added, and nothing elsewhere", () => {
    expect(fanOutText(timeline, a)).toBe("2 uses: 18 + 24 = 42");
    expect(fanOutText(timeline, named(trace, "b"))).toBeNull();
    expect(fanOutText(timeline, outputNodes(trace)[0])).toBeNull();
  });

  it("is a tree of operands", () => {
    const [L] = outputNodes(trace);
    const [b, c] = operandsOf(trace, L);
    expect([b, c].map((node) => nodeName(trace, node))).toEqual(["b", "c"]);
    expect(firstChild(timeline, a)).toBe(b);
    expect(wayTo(timeline, a, 9)).toEqual([L, b, a]);
    expect(wayTo(timeline, a, 2)).toBeNull();
    expect(operandText(timeline, a, true)).toEqual({
      label: "a = x * y",
      description: "= 6, ∂ 42, 2 uses, repeated",
    });
  });
});

it("three children, two slots of one of them: rows are slots, uses are children", () => {
  const trace = threeChildren().trace();
  const timeline = new Timeline(trace);
  const a = named(trace, "a");
  const rows = contributionRows(timeline, factsOf(timeline, a, timeline.steps));
  expect(rows).toHaveLength(4);
  expect(rows[rows.length - 1].running).toBe(54);
  expect(fanOutText(timeline, a)).toMatch(/^3 uses: .* = 54$/);
  const text = storyMarkdown(timeline, storyOf(timeline, a, useIndex(trace)), []);
  expect(text).toContain("d, operand 1");
  expect(text).toContain("d, operand 2");
});

it("a sweep that overwrites says what is lost", () => {
  const trace = fanOut().trace("last-writer-wins");
  const timeline = new Timeline(trace);
  const a = named(trace, "a");
  const rows = contributionRows(timeline, factsOf(timeline, a, timeline.steps));
  expect(rows.map(({ lost }) => lost)).toEqual([true, false]);
  expect(rows[1].running).toBe(24);
  expect(fanOutText(timeline, a)).toBe("2 uses: 24, 1 contribution lost");
  expect(storyMarkdown(timeline, storyOf(timeline, a, useIndex(trace)), [])).toContain("~~18~~ lost");
});

describe("a hint", () => {
  const plain = (text: string): string => text.replace(/\u00A0/g, " ");

  it("keeps its width while numbers have up to six characters, fresh or stale", () => {
    expect(plain(hintText(6, 42, false))).toBe("= 6      ∂ 42    ");
    expect(hintText(6, 42, true)).toHaveLength(hintText(-0.25, 1234, false).length);
    expect(plain(hintText(6, 42, true))).toMatch(/^~/);
  });

  it("says where no derivative flows, and nothing of it where there was no sweep", () => {
    expect(plain(hintText(6, undefined, false))).toBe("= 6      ∂ none  ");
    expect(plain(hintText(6, "unswept", false))).toBe("= 6     ");
  });
});

describe("which node of a place", () => {
  // six nodes at site 0 in three iterations of two, and one elsewhere
  const trace = {
    nodes: { n: 7, site: Int32Array.of(0, 0, 0, 0, 0, 0, 1), scope: Int32Array.of(1, 1, 2, 2, 3, 3, 2) },
    sites: { n: 2 },
    scopes: { n: 4, parent: Int32Array.of(-1, 0, 0, 0) },
  } as unknown as Trace;
  const index = new SiteIndex(trace);

  it("is the last without a selection, the selected one, or one of its iteration", () => {
    expect(index.count(0)).toBe(6);
    expect(index.choose(0, -1)).toBe(5);
    expect(index.choose(0, 2)).toBe(2);
    const other = new SiteIndex({
      ...trace,
      nodes: { ...trace.nodes, site: Int32Array.of(0, 1, 0, 1, 0, 1, 2) },
      sites: { n: 3 },
    } as Trace);
    expect(other.node(0, other.choose(0, 3))).toBe(2);
    expect(other.node(1, other.choose(1, 0))).toBe(1);
    // nothing of its iteration is near: the last
    expect(other.node(0, other.choose(0, 6))).toBe(4);
  });
});

it("a hint needs a name", () => {
  const trace = fanOut().trace();
  const index = new SiteIndex(trace);
  const timeline = new Timeline(trace);
  const a = named(trace, "a");
  expect(hintAt(index, timeline, trace.nodes.site[a], -1)).toMatchObject({
    node: a,
    value: 6,
    bar: 42,
    of: 1,
  });
});
