/** Names, lines, stacks, filters and values beside the source, on sweeps recorded from files. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { filters } from "../../../engine/debug/breakpoints/filters.js";
import {
  placesOfFunction,
  placesOfLine,
  placesOfPrimitive,
} from "../../../engine/debug/breakpoints/places.js";
import { Debuggee } from "../../../engine/debug/debuggee.js";
import { evaluateText } from "../../../engine/debug/expression/evaluate.js";
import { valueText } from "../../../engine/debug/expression/value.js";
import { inlineValues } from "../../../engine/debug/inline.js";
import { locationsIn, resolveLine } from "../../../engine/debug/locations.js";
import { framesOf, frameTitle } from "../../../engine/debug/places.js";
import { nodeName } from "../../../engine/trace/read.js";
import { Bench, LOOP } from "./bench.js";

const TENSORS = `import { graph, matmul } from "backsweep";

export const layer = graph({ W: [[1, 2], [3, 4]], v: [0.5, -1] , b: 2 }, ({ W, v, b }) => {
  const h = matmul(W, W);
  const s = h.sum();
  const r =
    // a comment between
    s * b + v[0] * v[1];

  return r;
});
`;

const SHRINKING = `import { graph } from "backsweep";

export const shrinking = graph({ x: 1 }, ({ x }) => {
  let s = x;
  for (let i = 0; i < 12; i++) s = s * 0.1;
  return s;
});
`;

let bench: Bench;
let looped: Debuggee;
let layer: Debuggee;
let shrinking: Debuggee;

async function recorded(file: string): Promise<Debuggee> {
  const result = await bench.record(bench.path(file));
  if (!result.ok) throw new Error(result.message);
  return new Debuggee(result.trace);
}

beforeAll(async () => {
  bench = await Bench.open({
    "loop.graph.ts": LOOP,
    "layer.graph.ts": TENSORS,
    "shrinking.graph.ts": SHRINKING,
  });
  looped = await recorded("loop.graph.ts");
  layer = await recorded("layer.graph.ts");
  shrinking = await recorded("shrinking.graph.ts");
});
afterAll(() => bench?.close());

const nameAt = (debuggee: Debuggee, text: string, focus: number): string | null => {
  const node = debuggee.names.resolve(text, focus);
  return node < 0 ? null : nodeName(debuggee.trace, node);
};

describe("names", () => {
  it("mean the instance live at the focus, in its own function first", () => {
    const t3 = looped.names.resolve("square#3.t", 0);
    expect(nameAt(looped, "s", t3)).toBe("s@5");
    expect(nameAt(looped, "t", t3)).toBe("square#3.t");
    expect(nameAt(looped, "s@2", t3)).toBe("s@2");
    expect(nameAt(looped, "s", looped.trace.nodes.n)).toBe("s@10");
    expect(nameAt(looped, "x", t3)).toBe("x");
    expect(nameAt(looped, "nothing", t3)).toBeNull();
    expect(nameAt(looped, "#0", t3)).toBe("x");
    expect(looped.names.near("S")).toContain("s@1");
  });
});

describe("stacks", () => {
  it("are the functions and passes around the place that made the node", () => {
    const node = looped.names.resolve("square#2.t", 0);
    expect(framesOf(looped.trace, node).map((frame) => `${frameTitle(frame)} ${frame.place?.line}`)).toEqual([
      "square#2 4",
      "looped, for i, iteration 1 12",
    ]);
  });
});

describe("lines", () => {
  it("are those an operation begins on, or leads to", () => {
    expect(locationsIn(looped.trace, 0, 1, 20).map(({ line, column }) => `${line}:${column}`)).toEqual([
      "4:13",
      "8:23",
      "11:9",
      "12:9",
    ]);
    expect(resolveLine(looped.trace, 0, 4).line).toBe(4);
    expect(resolveLine(looped.trace, 0, 5).line).toBeNull();
    // the statement that begins on line 6 computes on line 8
    expect(resolveLine(layer.trace, 0, 6).line).toBe(8);
    expect(resolveLine(layer.trace, 0, 7).line).toBe(8);
  });

  it("stop once a pass forwards, and at every node of theirs in the sweep", () => {
    const places = placesOfLine(looped, 0, 12, null);
    expect([places.forward, places.n - places.forward]).toEqual([5, 5]);
    expect(placesOfPrimitive(looped, "add").n).toBe(10);
    expect(placesOfFunction(looped, "square").n).toBe(10);
    expect(placesOfFunction(looped, "cube").n).toBe(0);
  });

  it("have values beside them, of the pass in focus", () => {
    const focus = looped.names.resolve("s@6", looped.trace.nodes.n);
    const values = inlineValues(looped, 0, 10, 12, looped.timeline.forwardSteps, focus);
    expect(values.map(({ line, text }) => `${line}: ${text.split(" =")[0]}`)).toEqual(["11: s@5", "12: s@6"]);
  });
});

describe("filters", () => {
  const places = (id: string, debuggee: Debuggee, constant = 0) =>
    filters.find((filter) => filter.id === id)!.places(debuggee, constant);

  it("stop where a cotangent passes a bound, not at everything below", () => {
    const found = places("vanishing", shrinking, 1e-6);
    expect(found.n).toBe(1);
    // 0.1 to the sixth is the first below, by its rounding; the node handed on from is above
    const bar = Number(shrinking.running.at(found.focus[0], found.position[0]));
    expect(bar).toBeLessThan(1e-6);
    expect(bar).toBeGreaterThan(1e-8);
    expect(places("exploding", shrinking, 1e-6).n).toBe(1);
    expect(places("exploding", shrinking, 1e6).n).toBe(0);
  });

  it("find nothing wrong in sweeps that are right, arrays included", () => {
    for (const debuggee of [looped, layer, shrinking])
      for (const id of ["lost", "mismatch", "nonfinite"]) expect(places(id, debuggee).n).toBe(0);
  });

  it("find a cotangent that is not the sum of what arrived", () => {
    const { trace } = looped;
    const x = looped.names.resolve("x", 0);
    const mean = trace.values.mean.slice();
    mean[looped.timeline.cotangentRow(x)] += 1e-3;
    const wrong = new Debuggee({ ...trace, values: { n: mean.length, mean } });
    const found = places("lost", wrong);
    expect([found.n, found.focus[0]]).toEqual([1, x]);
  });
});

describe("arrays", () => {
  const at = (text: string, position = layer.timeline.steps): string =>
    valueText(evaluateText(text, { debuggee: layer, position, focus: layer.trace.nodes.n - 1 }));

  it("have elements, norms, and no single number", () => {
    expect(at("W[1][0]")).toBe("3");
    expect(at("bar(W[0][0])")).toBe("14");
    expect(at("v")).toBe("[0.5, -1]");
    expect(at("norm(h) > 0 && max(h) == 22")).toBe("true");
    expect(at("d(r, b)")).toBe("54");
    expect(() => at("h + 1")).toThrow(/an array 2×2 is no number: use norm/);
    expect(() => at("W[2][0]")).toThrow(/there is no element \[2\]\[0\] in an array 2×2/);
    expect(() => at("d(r, W)")).toThrow(/leads through arrays/);
  });

  it("take a what-if on a cotangent behind them, and on one of their elements", async () => {
    const program = bench.path("layer.graph.ts");
    const client = bench.client();
    await client.launch({ program, stopOnEntry: "sweep" });
    await client.move("continue");
    const bars = async (): Promise<string[]> =>
      Promise.all(["[0][0]", "[0][1]", "[1][0]", "[1][1]"].map((at) => client.evaluate(`bar(W${at})`)));
    const set = async (left: string, value: string): Promise<void> => {
      await client.request("evaluate", { expression: `${left} = ${value}`, context: "repl" });
      await client.event("stopped");
    };
    // bar(h) is 2 everywhere: W's is bar(h) W^T + W^T bar(h)
    expect(await bars()).toEqual(["14", "22", "18", "26"]);
    await set("bar(s)", "1");
    expect(await bars()).toEqual(["7", "11", "9", "13"]);
    await set("bar(h[0][1])", "11");
    // ten more at [0][1]: ten times row 1 of W^T in row 0, and column 0 of W^T in column 1
    expect(await bars()).toEqual(["27", "61", "9", "33"]);
    expect((await client.rows("What-if beside the true sweep"))["what if"]).toBe(
      "bar(s) = 1 and bar(h[0][1]) = 11",
    );
    const refused = await client.ask("evaluate", { expression: "bar(h) = 1", context: "repl" });
    expect(refused.message).toMatch(/one element is changed at a time/);
    const outside = await client.ask("evaluate", { expression: "bar(h[2][0]) = 1", context: "repl" });
    expect(outside.message).toMatch(/no such element in an array 2×2/);
  });
});
