import { describe, expect, it } from "vitest";
import * as B from "../../../engine/index.js";
import type { Tensor } from "../../../engine/index.js";

const { checkGradient, custom, graph, mul } = B;

const net = graph(
  {
    W: [
      [0.8, -0.5],
      [0.6, 0.9],
    ],
    b: Float64Array.of(0.1, -0.2),
    s: 2,
  },
  ({ W, b, s }) => W.matmul(W).add(b).tanh().mul(s),
);

describe("a check of a graph with arrays", () => {
  it("compares every element, JVP against VJP, and the Taylor remainder", () => {
    const result = checkGradient(net);
    expect(result.verdict).toBe("ok");
    expect(result.by).toBe("input");
    expect(result.differences.map(({ along, verdict }) => [along, verdict])).toEqual(
      ["W[0][0]", "W[0][1]", "W[1][0]", "W[1][1]", "b[0]", "b[1]", "s"].map((along) => [along, "ok"]),
    );
    expect(result.dotProducts).toHaveLength(3);
    expect(result.dotProducts.every(({ ok, jvp }) => ok && jvp !== 0)).toBe(true);
    expect(result.taylor.every(({ order }) => order !== null && order > 1.8)).toBe(true);
    expect(result.notes).toEqual([]);
  });

  it("takes random directions for more than 50 elements", () => {
    const wide = graph({ v: Float64Array.from({ length: 60 }, (_, i) => Math.sin(i)) }, ({ v }) =>
      v.mul(v).sin().sum(),
    );
    const result = checkGradient(wide);
    expect(result).toMatchObject({ verdict: "ok", by: "direction" });
    expect(result.differences.length).toBeGreaterThanOrEqual(3);
  });

  it("finds a wrong rule behind an array", () => {
    const wrong = custom({ name: "square", forward: (x) => x * x, vjp: (g, _y, x) => [g * 3 * x] });
    const result = checkGradient(graph({ v: Float64Array.of(1, 2) }, ({ v }) => wrong(v.sum())));
    expect(result.verdict).toBe("failed");
    expect(result.differences.map(({ along, verdict }) => [along, verdict])).toEqual([
      ["v[0]", "failed"],
      ["v[1]", "failed"],
    ]);
  });

  it("finds overwriting: last-writer-wins loses a contribution to an array", () => {
    const lost = graph({ v: Float64Array.of(1, 2) }, ({ v }) => v.mul(3).add(v.mul(v)).sum(), {
      accumulate: "last-writer-wins:all",
    });
    expect(checkGradient(lost).verdict).toBe("failed");
  });

  it("holds the cuts of arrays and of numbers, each at its own value", () => {
    const cut = graph({ v: Float64Array.of(1, 2), s: 3 }, ({ v, s }) => {
      const held = B.stopGradient(v.mul(2));
      return mul(held.mul(v).sum(), mul(B.stopGradient(s), s));
    });
    const result = checkGradient(cut);
    expect(result.verdict).toBe("ok");
    expect(result.differences.map(({ derivative }) => derivative)).toEqual([18, 36, 30]);
  });

  it("allows for roundings of contributions that cancel element by element", () => {
    // forward 1e16 v - 1e16 v + v is exact, but the cotangents are added the other way round: 1 + 1e16 - 1e16 is 0
    const cancels = graph({ v: Float64Array.of(1, -1) }, ({ v }) =>
      v.mul(1e16).add(v.mul(-1e16)).add(v.mul(1)).sum(),
    );
    const result = checkGradient(cancels);
    expect(result.differences.map(({ derivative, central }) => [derivative, central!.value])).toEqual([
      [0, 1],
      [0, 1],
    ]);
    expect(result.verdict).toBe("proves-nothing");
  });

  it("goes through differentiation inside the graph", () => {
    const descend = graph({ W: [[0.5, -0.25]], rate: 0.1 }, ({ W, rate }) => {
      const loss = (M: Tensor): number => M.tanh().square().sum();
      return loss(W.sub(B.gradient(loss, W).mul(rate)));
    });
    expect(checkGradient(descend).verdict).toBe("ok");
  });

  it("of inputs far smaller than the others compares them, too, where their quotients settle", () => {
    const ring = graph({ u: Float64Array.of(1e-13, 0.5, 2) }, ({ u }) => u.sin().add(u.square()).sum());
    const { differences, verdict } = checkGradient(ring);
    expect(verdict).toBe("ok");
    expect(differences.map((row) => row.verdict)).toEqual(["ok", "ok", "ok"]);
  });

  it("goes along random directions where many elements are worked on, though the inputs are few", () => {
    const long = graph({ u: Float64Array.from({ length: 40 }, (_, i) => i / 40) }, ({ u }) => {
      let state = u;
      for (let i = 0; i < 300; i++) state = state.add(state.roll(1, 0).sub(state).mul(0.1));
      return state.square().sum();
    });
    const result = checkGradient(long);
    expect(result.verdict).toBe("ok");
    expect(result.by).toBe("direction");
    expect(result.differences.length).toBeGreaterThanOrEqual(3);
    expect(result.differences.length).toBeLessThan(40);
  });
});
