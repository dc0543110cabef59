import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { layoutNodes, layoutTrace, type Layout } from "../../../engine/layout/layout.js";
import { CARD_HEIGHT, CARD_WIDTH } from "../../../engine/layout/metrics.js";
import type { Trace } from "../../../engine/trace/trace.js";
import { chain, fanOut, randomDag, stream, threeChildren } from "../../e2e/webview/samples.js";
import { TapeBuilder } from "../../e2e/webview/tape-builder.js";

function wildDag(n: number, seed: number): Trace {
  const random = stream(seed);
  const g = new TapeBuilder();
  g.input("x", 1);
  while (g.nodes.length < n) {
    const any = (): number => Math.floor(random() * g.nodes.length);
    if (random() < 0.15) g.input(`i${g.nodes.length}`, 1);
    else g.op(null, "add", "a + b", [any(), any()]);
  }
  return g.trace();
}

function overlaps(layout: Layout): number {
  const byColumn = new Map<number, number[]>();
  layout.x.forEach((x, i) => byColumn.set(x, [...(byColumn.get(x) ?? []), layout.y[i]]));
  let count = 0;
  for (const ys of byColumn.values()) {
    ys.sort((a, b) => a - b);
    for (let i = 1; i < ys.length; i++) if (ys[i] - ys[i - 1] < CARD_HEIGHT) count++;
  }
  return count;
}

/** bend points that lie on a card */
function bendsOnCards(layout: Layout): number {
  let count = 0;
  for (let k = 0; k < layout.bends.length; k += 2) {
    for (let i = 0; i < layout.x.length; i++) {
      if (layout.x[i] !== layout.bends[k]) continue;
      if (Math.abs(layout.y[i] - layout.bends[k + 1]) < CARD_HEIGHT / 2) count++;
    }
  }
  return count;
}

function place(trace: Trace, layout: Layout, name: string): { x: number; y: number } {
  const node = Array.from(trace.nodes.name).findIndex((s) => s >= 0 && trace.strings[s] === name);
  const i = layout.shown.indexOf(node);
  return { x: layout.x[i], y: layout.y[i] };
}

describe("layoutTrace", () => {
  it("draws the seed's graph as the design has it", () => {
    const trace = fanOut().trace();
    const layout = layoutTrace(trace);
    const at = (name: string): { x: number; y: number } => place(trace, layout, name);
    expect(at("x").x).toBe(at("y").x);
    expect(at("x").x).toBeLessThan(at("a").x);
    expect(at("a").x).toBeLessThan(at("b").x);
    expect(at("b").x).toBe(at("c").x);
    expect(at("c").x).toBeLessThan(at("L").x);
    expect(at("x").y).toBeCloseTo(at("b").y, 3);
    expect(at("y").y).toBeCloseTo(at("c").y, 3);
    expect(at("b").y).toBeLessThan(at("c").y);
    expect(at("a").y).toBeCloseTo((at("b").y + at("c").y) / 2, 3);
    expect(at("L").y).toBeCloseTo(at("a").y, 3);
  });

  it("draws every slot of a repeated operand", () => {
    const trace = threeChildren().trace();
    const layout = layoutTrace(trace);
    expect(layout.edges.length).toBe(trace.edges.n);
    expect(overlaps(layout)).toBe(0);
  });

  it("is deterministic, monotone and free of overlaps on random graphs", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 120 }), fc.integer({ min: 0, max: 1e6 }), (n, seed) => {
        const trace = wildDag(n, seed);
        const layout = layoutTrace(trace);
        expect(layoutTrace(trace)).toEqual(layout);
        expect(overlaps(layout)).toBe(0);
        expect(bendsOnCards(layout)).toBe(0);
        layout.edges.forEach((edge, i) => {
          const from = layout.x[layout.shown.indexOf(trace.edges.from[edge])];
          const to = layout.x[layout.shown.indexOf(trace.edges.to[edge])];
          const xs = [from];
          for (let k = layout.bendStart[i]; k < layout.bendStart[i + 1]; k++) xs.push(layout.bends[2 * k]);
          xs.push(to);
          for (let j = 1; j < xs.length; j++) expect(xs[j] - xs[j - 1]).toBeGreaterThan(CARD_WIDTH);
        });
        layout.y.forEach((y) => expect(y).toBeGreaterThan(0));
        layout.y.forEach((y) => expect(y).toBeLessThan(layout.height));
      }),
      { numRuns: 80 },
    );
  });

  it("keeps a chain on one line", () => {
    const layout = layoutTrace(chain(40).trace());
    expect(new Set(layout.y).size).toBe(1);
  });

  it("shows 300 of a big graph: the output and its neighbourhood", () => {
    const trace = randomDag(5000).trace();
    const layout = layoutTrace(trace);
    expect(layout.shown.length).toBe(300);
    expect(layout.shown).toContain(trace.nodes.n - 1);
    expect(layout.shown).toContain(0);
  });

  it("lays an empty trace out", () => {
    const trace = fanOut().trace();
    expect(layoutNodes(trace, new Int32Array(0)).edges.length).toBe(0);
  });

  it("lays 1,000 nodes out without overlaps, and prints what it took", () => {
    for (const [name, trace] of [
      ["local", randomDag(1000).trace()],
      ["wild", wildDag(1000, 3)],
      ["chain", chain(1000).trace()],
    ] as const) {
      const all = Int32Array.from({ length: trace.nodes.n }, (_, i) => i);
      const start = performance.now();
      const layout = layoutNodes(trace, all);
      const ms = performance.now() - start;
      console.log(
        `layout, ${trace.nodes.n} nodes (${name}): ${ms.toFixed(0)} ms, ${layout.bends.length / 2} bends`,
      );
      expect(overlaps(layout)).toBe(0);
    }
  });
});
