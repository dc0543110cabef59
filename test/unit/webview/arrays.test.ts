/** N-d arrays in the view's words and models: an array is never shown as the mean of its elements. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arrayAt, summaryOf } from "../../../engine/trace/arrays.js";
import type { Trace } from "../../../engine/trace/trace.js";
import { nodeExpression } from "../../../engine/trace/read.js";
import { cutRecording } from "../../../extension/partial.js";
import { cancellation } from "../../../engine/report/cancellation.js";
import { productsText } from "../../../engine/report/paths.js";
import { pathsFrom } from "../../../webview/model/paths.js";
import { elementGrid, shownText } from "../../../webview/model/elements.js";
import { factsOf, type NodeFacts } from "../../../engine/report/facts.js";
import { gradientRows } from "../../../webview/model/gradients.js";
import { arrayOf, primal, same, sumOf } from "../../../engine/report/quantity.js";
import { SweepModel, type DrawnSweep } from "../../../webview/model/sweep-model.js";
import { roomyArray, spokenArray, tightArray } from "../../../engine/report/text/array-text.js";
import { cardText } from "../../../webview/text/card-text.js";
import { describeNode } from "../../../webview/text/describe.js";
import { sumText } from "../../../engine/report/text/sum.js";
import { full, roomy, short, spoken } from "../../../engine/report/text/format.js";
import { sentenceAt, sentenceText } from "../../../webview/text/sentence.js";
import { arrayViews } from "../../e2e/webview/array-samples.js";

const modelOf = (name: string): SweepModel => new SweepModel(arrayViews[name]() as DrawnSweep);

function said(model: SweepModel, step: number, mode: "sum" | "last-writer-wins" = "sum"): string {
  const timeline = model.timeline(mode);
  return sentenceText(sentenceAt(timeline, step, model.truth === timeline ? null : model.truth));
}

const matrix = arrayOf([2, 3], Float64Array.of(0.8, -0.5, 0.3, 0.6, 0.9, -0.7));

describe("an array in one line", () => {
  it("says shape and norm, in signs and in words", () => {
    expect(short(matrix)).toBe("[2×3] ‖1.625‖");
    expect(spoken(matrix)).toBe("array [2×3], norm 1.625");
    expect(full(matrix)).toBe(`array [2×3], norm ${Math.sqrt(2.64)}, min -0.7, max 0.9`);
    expect(tightArray(matrix, 12)).toBe("[2×3] ‖1.62‖");
    expect(tightArray(matrix, 11)).toBe("‖1.62‖");
  });

  it("writes a short vector in full where there is room, a column not", () => {
    const vector = arrayOf([3], Float64Array.of(1 / 3, -0, 2));
    expect(roomy(vector)).toBe("[0.3333, -0, 2]");
    expect(full(vector)).toBe("[0.3333333333333333, -0, 2]");
    expect(short(vector)).toBe("[3] ‖2.028‖");
    expect(roomy(arrayOf([3, 1], vector.data))).toBe("[3×1] ‖2.028‖");
    expect(roomy({ ...vector, size: 4, shape: [4] })).toBe("[4] ‖2.028‖");
  });

  it("names what is not finite, empty or not known", () => {
    expect(spokenArray(arrayOf([5], Float64Array.of(1, NaN, 2, -Infinity, 3)))).toBe(
      "array [5], norm NaN, 2 of 5 not finite",
    );
    expect(full(arrayOf([1, 5], new Float64Array(5).fill(NaN)))).toBe(
      "array [1×5], norm NaN, 5 of 5 not finite",
    );
    expect(spokenArray(arrayOf([0, 3], new Float64Array(0)))).toBe("empty array [0×3]");
    expect(short({ shape: [9, 9], size: 81, unknown: true })).toBe("[9×9] ‖?‖");
  });
});

describe("the layer example", () => {
  const model = modelOf("layer");
  const timeline = model.timeline("sum");
  const { trace } = timeline;

  it("is told with arrays as arrays and numbers as numbers", () => {
    expect(said(model, 0)).toBe(
      "Before the first step. Given: W1 = array [2×3], norm 1.625, b1 = array [3], norm 0.2291, " +
        "W2 = array [3×1], norm 1.418, b2 = 0.2. 9 operations to evaluate.",
    );
    expect(said(model, 3)).toBe("hidden = data.matmul(W1).add(b1).tanh() = array [4×3], norm 1.753.");
    expect(said(model, 15)).toBe("output hands 0.5747 to b2. Its only use has paid; b2 is final.");
    expect(said(model, 16)).toBe(
      "hidden.matmul(W2) hands back an array [4×3], norm 1.037, to hidden. Its only use has paid; hidden is final.",
    );
  });

  it("never shows a mean: not in the list, not on a card", () => {
    for (let node = 0; node < trace.nodes.n; node++) {
      const facts = factsOf(timeline, node, timeline.steps);
      if (arrayAt(trace, trace.nodes.value[node]) === null) continue;
      const mean = short(trace.values.mean[trace.nodes.value[node]]);
      const texts = [describeNode(trace, facts), JSON.stringify(cardText(facts)), roomy(facts.value)];
      // the elements of b1 are written out, and one of them might look like the mean
      for (const text of texts) expect(text).not.toContain(` ${mean},`);
      expect(texts[0]).toMatch(/value array \[[\d×]+\], norm .*, cotangent array \[[\d×]+\], norm /);
      expect(texts[1]).toContain("‖");
    }
  });

  it("gives a card two lines, a number's card one", () => {
    expect(cardText(factsOf(timeline, 6, 21))).toMatchObject({
      value: "[4×3] ‖1.75‖",
      cotangent: "‖1.04‖",
      tall: true,
    });
    expect(cardText(factsOf(timeline, 3, 21))).toMatchObject({
      value: "0.2",
      cotangent: "0.5747",
      tall: false,
    });
  });

  it("counts paths and says that they have no product", () => {
    const paths = pathsFrom(model, 0);
    expect([paths.count, paths.products, paths.strongest]).toEqual([1n, 0n, []]);
    expect(productsText(paths)).toContain("No products: along array operations");
    // a number's last stretch has one: loss = sum / 4
    const last = pathsFrom(model, 11);
    expect(last.strongest.map((path) => path.product)).toEqual([0.25]);
    expect(productsText(last)).toBe("");
  });

  it("has one gradient row an array, with its first elements", () => {
    const { rows, total } = gradientRows(model.view.report!, trace.header.inputs, 8);
    expect(total).toBe(4);
    expect(rows.map((row) => [row.name, short(row.sum)])).toEqual([
      ["W1", "[2×3] ‖0.6695‖"],
      ["b1", "[3] ‖0.5798‖"],
      ["W2", "[3×1] ‖0.5963‖"],
      ["b2", "0.5747"],
    ]);
    expect(rows[0].elements!.map((row) => row.name)).toContain("W1[1][2]");
    expect(same(rows[0].sum, rows[0].wrong)).toBe(true);
  });
});

describe("a fan-out of an array", () => {
  const model = modelOf("arrayFan");
  const timeline = model.timeline("sum");

  it("adds element by element, to what the sweep has", () => {
    const before = factsOf(timeline, 2, 10);
    expect(sumText(before)).toBe("norms 0.8124 and 0.8124 add up to norm 1.625");
    const d = factsOf(timeline, 2, 11);
    const sum = sumOf([before.cotangent!, d.parts[1].value!]);
    expect(same(sum, d.cotangent)).toBe(true);
    expect(said(model, 10)).toBe(
      "s hands back 2 arrays [2×3], norms 0.8124 and 0.8124, together norm 1.625, to a. " +
        "1 of 2 uses has paid; waiting for d.",
    );
    expect(said(model, 11)).toContain(": norms 1.625 and 2.449 add up to norm 3.382. Both uses");
  });

  it("says what last writer wins loses", () => {
    expect(said(model, 11, "last-writer-wins")).toContain("; the sum sweep has array [2×3], norm 3.382.");
    const facts = factsOf(model.timeline("last-writer-wins"), 2, 11);
    expect(cardText(facts)).toMatchObject({ lost: "‖0.812‖", cotangent: "‖2.45‖" });
    expect(sumText(facts)).toBe("norm 2.449 (lost: norms 0.8124 and 0.8124)");
  });

  it("sees cancellation in elements that meet, not in parts that do not", () => {
    const part = (...data: number[]): NodeFacts["parts"][number] => {
      const value = arrayOf([2], Float64Array.from(data));
      return { child: -1, title: "", slots: [], lost: false, unknown: false, value };
    };
    const facts = (a: number[], b: number[]): NodeFacts => {
      const parts = [part(...a), part(...b)];
      return { ...factsOf(timeline, 2, 11), parts, cotangent: sumOf(parts.map((p) => p.value!)) };
    };
    expect(cancellation(facts([3, 0], [0, -4]))).toBe(1);
    expect(cancellation(facts([3, 0], [-3, 0]))).toBe(0);
  });
});

describe("an output that is an array", () => {
  const model = modelOf("arrayOutput");
  const timeline = model.timeline("sum");

  it("starts the sweep with an array, and has no path of its own", () => {
    expect(said(model, 1)).toBe(
      "y = array [1×6], norm 19.08. The sweep starts: y\u0304 = array [1×6], norm 2.449.",
    );
    expect(factsOf(timeline, 1, 1).parts.map((part) => [part.title, short(part.value)])).toEqual([
      ["seed", "[1×6] ‖2.449‖"],
    ]);
    expect(pathsFrom(model, 1)).toMatchObject({ count: 1n, products: 0n, real: false });
    expect(pathsFrom(model, 0)).toMatchObject({ count: 1n, products: 0n, real: true, strongest: [] });
  });
});

describe("an array of which the first elements are kept", () => {
  const model = modelOf("bigArray");
  const timeline = model.timeline("sum");

  it("has no running sum until it is final", () => {
    const steps = Array.from({ length: timeline.steps }, (_, i) => i + 1);
    const partial = steps.filter((step) => factsOf(timeline, 1, step).parts.length === 2);
    const facts = factsOf(timeline, 1, partial[0]);
    expect(short(facts.cotangent)).toBe("[5000] ‖?‖");
    expect(Number.isNaN(cancellation(facts))).toBe(true);
    expect(said(model, partial[0])).toContain(
      "only first elements are kept, the sum is known when it is final",
    );
    expect(describeNode(timeline.trace, facts)).toContain(
      "cotangent array [5000], norm not known yet so far",
    );
    // 3 - 1 + 2 = 4 a piece, over sqrt(5000) elements
    expect(short(factsOf(timeline, 1, timeline.steps).cotangent)).toBe("[5000] ‖282.8‖");
  });

  it("says how many of its elements are seen", () => {
    const value = primal(timeline.trace, 0) as ReturnType<typeof arrayOf>;
    expect(shownText(value, elementGrid(value))).toBe("40 of 5,000 elements, the first 64 are kept");
    expect(roomyArray(value)).toBe("[5000] ‖Infinity‖, 1 of 5,000 not finite");
  });
});

describe("elementGrid", () => {
  it("shows each kept element at its own index", () => {
    const shapes = fc.array(fc.integer({ min: 0, max: 7 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(shapes, fc.nat(400), (shape, most) => {
        const size = shape.reduce((product, length) => product * length, 1);
        const all = Float64Array.from({ length: size }, (_, i) => i + 1);
        const array = { ...arrayOf(shape, all), data: all.subarray(0, Math.min(size, most)) };
        const grid = elementGrid(array);
        let shown = 0;
        for (const { label, cells } of grid.rows) {
          cells.forEach((at, column) => {
            if (at < 0) return;
            shown++;
            const index = label.split(",").map(Number);
            const wanted =
              shape.length === 1
                ? index[0] + column
                : [...index, column].reduce((sum, i, axis) => sum * shape[axis] + i, 0);
            expect(at).toBe(wanted);
            expect(at).toBeLessThan(array.data.length);
          });
        }
        expect(grid.shown).toBe(shown);
        const lines = shape.length === 1 ? Math.ceil(size / 5) : size / shape[shape.length - 1];
        if (array.data.length === size && lines <= 8 && (shape.length === 1 || shape.at(-1)! <= 5))
          expect(shown).toBe(size);
        expect(shown === 0).toBe(array.data.length === 0);
      }),
    );
  });
});

describe("readers of the trace", () => {
  it("gives the statistics the engine gives", () => {
    const { trace } = modelOf("arrayFan").view;
    for (let row = 0; row < trace.values.n; row++) {
      const array = arrayAt(trace, row);
      if (array !== null) expect(summaryOf(array.shape, Float64Array.from(array.data))).toEqual(array);
    }
    expect(summaryOf([2], Float64Array.of(3e200, 4e200)).norm).toBeCloseTo(5e200, -188);
    expect(summaryOf([2], Float64Array.of(3e-200, 4e-200)).norm / 5e-200).toBeCloseTo(1, 12);
  });

  it("keeps the arrays of a recording that is cut", () => {
    const { trace } = modelOf("layer").view;
    const cut = cutRecording(trace, 7);
    for (let node = 0; node < 7; node++) expect(primal(cut, node)).toEqual(primal(trace, node));
    expect(constantsOf(cut)).toEqual(constantsOf(trace).slice(0, 1));
    for (let e = 0; e < cut.edges.n; e++) expect(arrayAt(cut, cut.edges.local[e])).toBeNull();
  });

  it("does not write a constant array as its mean", () => {
    const { trace } = modelOf("layer").view;
    const bare: Trace = {
      ...trace,
      nodes: { ...trace.nodes, label: new Int32Array(trace.nodes.n).fill(-1) },
    };
    expect(nodeExpression(bare, 4)).toBe("matmul([4×2], W1)");
  });
});

function constantsOf(trace: Trace): unknown[] {
  return Array.from(trace.constants.row ?? [], (row) => arrayAt(trace, row)).filter(
    (array) => array !== null,
  );
}
