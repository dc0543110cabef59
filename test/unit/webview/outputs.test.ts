import { describe, expect, it } from "vitest";
import type { OutputInfo } from "../../../engine/trace/trace.js";
import { paidText } from "../../../engine/report/text/format.js";
import { constantTexts, seededTitle } from "../../../webview/text/outputs.js";
import { sameGradients } from "../../../webview/model/gradients.js";
import { views } from "../../e2e/webview/views.js";

const output = (node: number, rest: Partial<OutputInfo> = {}): OutputInfo => ({
  key: null,
  node,
  value: 5,
  cotangent: 1,
  ...rest,
});
const title = (...outputs: OutputInfo[]): string => seededTitle(outputs, (node) => `n${node}`);
const array = { shape: [2], data: Float64Array.of(1, 2) };

describe("what the gradient is the gradient of", () => {
  it("is the output, or a sum of them weighted by their cotangents", () => {
    expect(title(output(3))).toBe("n3");
    expect(title(output(3), output(-1))).toBe("n3");
    expect(title(output(3, { cotangent: 2 }))).toBe("(2 n3)");
    expect(title(output(3), output(4))).toBe("(sum of outputs)");
    expect(title(output(3), output(4, { cotangent: 0.5 }))).toBe("(weighted sum of outputs)");
    expect(title(output(3, { array, seed: { shape: [2], data: Float64Array.of(1, 1) } }))).toBe(
      "(sum of n3)",
    );
    // the mean of these is 1 too
    expect(title(output(3, { array, seed: { shape: [2], data: Float64Array.of(0, 2) } }))).toBe(
      "(weighted sum of n3)",
    );
    expect(title(output(-1))).toBe("output");
  });

  it("names the value of a constant output", () => {
    expect(constantTexts([output(3), output(-1, { value: 0.1 + 0.2 }), output(-1, { key: "bias" })])).toEqual(
      [
        "output = 0.30000000000000004, a constant: no derivative flows from it",
        "output bias = 5, a constant: no derivative flows from it",
      ],
    );
  });

  it("knows whether last writer wins would lose anything, beyond the rows that are drawn", () => {
    expect(sameGradients(views["fanOut"]().report!)).toBe(false);
    const report = views["fanOut"]().report!;
    const many = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`x${i}`, i === 19 ? [1, 2] : i]));
    const same = { ...report, correctGradient: many, lastWriterWins: { gradient: { ...many } } };
    expect(sameGradients(same)).toBe(true);
    expect(sameGradients({ ...same, lastWriterWins: { gradient: { ...many, x19: [1, 3] } } })).toBe(false);
  });
});

describe("uses that have paid", () => {
  it("agrees in number", () => {
    expect(paidText(0, 1)).toBe("0 of 1 use has paid");
    expect(paidText(1, 2)).toBe("1 of 2 uses has paid");
    expect(paidText(0, 2)).toBe("0 of 2 uses have paid");
    expect(paidText(2, 2)).toBe("2 of 2 uses have paid");
  });
});
