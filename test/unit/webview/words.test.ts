import { describe, expect, it } from "vitest";
import { Timeline } from "../../../engine/timeline/timeline.js";
import { factsOf } from "../../../engine/report/facts.js";
import { describeNode } from "../../../webview/text/describe.js";
import { sentenceAt, sentenceText } from "../../../webview/text/sentence.js";
import { fanOut, threeChildren } from "../../e2e/webview/samples.js";

function story(timeline: Timeline, truth: Timeline | null = null): string[] {
  return Array.from({ length: timeline.steps + 1 }, (_, step) =>
    sentenceText(sentenceAt(timeline, step, truth)),
  );
}

describe("the step in words", () => {
  it("tells the seed's sweep", () => {
    expect(story(new Timeline(fanOut().trace()))).toEqual([
      "Before the first step. Given: x = 2, y = 3. 4 operations to evaluate.",
      "a = x * y = 6.",
      "b = a + x = 8.",
      "c = a * y = 18.",
      "L = 144. The sweep starts: L\u0304 = 1.",
      "L hands 18 to b. Its only use has paid; b is final.",
      "L hands 8 to c. Its only use has paid; c is final.",
      "b hands 18 to a. 1 of 2 uses has paid; waiting for c.",
      "b hands 18 to x. 1 of 2 uses has paid; waiting for a.",
      "c hands 24 to a: 18 + 24 = 42. Both uses have paid; a is final.",
      "c hands 48 to y. 1 of 2 uses has paid; waiting for a.",
      "a hands 126 to x: 18 + 126 = 144. Both uses have paid; x is final.",
      "a hands 84 to y: 48 + 84 = 132. Both uses have paid; y is final.",
    ]);
  });

  it("groups the slots of one child", () => {
    const said = story(new Timeline(threeChildren().trace()));
    expect(said).toContain(
      "d hands 6 to a (slot 1 of 2). 0 of 3 uses have paid; waiting for d (slot 2), b, c.",
    );
    expect(said).toContain("d hands 6 + 6 = 12 to a. 1 of 3 uses has paid; waiting for b, c.");
    expect(said).toContain("c hands 24 to a: 12 + 18 + 24 = 54. All three uses have paid; a is final.");
  });

  it("says what last writer wins loses, and what the sum is", () => {
    const wrong = new Timeline(fanOut().trace("last-writer-wins"));
    const said = story(wrong, new Timeline(fanOut().trace()));
    expect(said[9]).toBe(
      "c hands 24 to a, which overwrites 18: lost. a is final with 24; the sum sweep has 42.",
    );
    expect(said[12]).toBe(
      "a hands 48 to y: 48 + 48 = 96. Both uses have paid; y is final. The sum sweep has 132 there.",
    );
  });

  it("describes a node at every stage", () => {
    const trace = fanOut().trace();
    const timeline = new Timeline(trace);
    const at = (step: number): string => describeNode(trace, factsOf(timeline, 2, step));
    expect(at(0)).toBe("a = x * y, not evaluated yet");
    expect(at(4)).toBe("a = x * y, value 6, cotangent waiting, 0 of 2 uses have paid");
    expect(at(7)).toBe("a = x * y, value 6, cotangent 18 so far, 1 of 2 uses has paid: 18, still to pay: c");
    expect(at(9)).toBe("a = x * y, value 6, cotangent 42, 2 of 2 uses have paid: 18 + 24 = 42, final");
  });
});
