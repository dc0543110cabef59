/** Cuts, as a program that asks the library hears of them: on the console once a place, or by a listener of its own. */
import { afterEach, describe, expect, it, vi } from "vitest";
import * as B from "../../../engine/index.js";
import type { GraphDefinition, Remark, Tensor } from "../../../engine/index.js";
import { load } from "../compile/harness.js";

const undo: (() => void)[] = [];
afterEach(() => {
  for (const back of undo.splice(0).reverse()) back();
  vi.restoreAllMocks();
});

function listen(): Remark[] {
  const heard: Remark[] = [];
  undo.push(B.onWarning((cut) => heard.push(cut)));
  return heard;
}

/** The second factor is read as a plain number: d/dv[1] is 0 where 3 is right. */
const lost = B.graph({ v: new Float64Array([3, 2]) }, ({ v }) =>
  B.mul(v.element(0), (v.toArray() as number[])[1]),
);
const whole = (v: Tensor): number => B.mul(v.element(0), (v.toArray() as number[])[1]);
const at = new Float64Array([3, 2]);

const queries: Readonly<Record<string, () => unknown>> = {
  gradient: () => B.gradient(lost),
  "gradient of a function": () => B.gradient(whole, at),
  valueAndGradient: () => B.valueAndGradient(lost),
  vjp: () => B.vjp(lost, 1),
  jvp: () => B.jvp(lost, { v: [1, 1] }),
  "jacobian forward": () => B.jacobian(lost, { mode: "forward" }),
  "jacobian reverse": () => B.jacobian(lost, { mode: "reverse" }),
  hvp: () => B.hvp(lost, { v: [1, 1] }),
  hessian: () => B.hessian(lost),
  hessianDiagonal: () => B.hessianDiagonal(lost),
  contributions: () => B.contributions(lost, "v"),
  paths: () => B.paths(lost, "v", "L"),
  spread: () => B.spread(lost, "v[0]"),
  sweep: () => B.sweep(lost),
  "under a schedule": () => B.gradient({ ...lost, options: { schedule: "revolve:2" } }),
  "last writer wins": () => B.gradient({ ...lost, options: { accumulate: "last-writer-wins" } }),
  "another format": () => B.gradient({ ...lost, options: { dtype: "f32" } }),
};

it("a listener is a function: an index and a list, as map hands them over, is none", () => {
  for (const given of [3, null, undefined, "log"])
    expect(() => B.onWarning(given as never)).toThrow(/onWarning takes a function/);
});

describe("a cut that nobody asked for", () => {
  it.each(Object.keys(queries))("is told by %s", (name) => {
    const heard = listen();
    queries[name]();
    expect(heard.map(({ code, message }) => [code, message])).toEqual([
      ["cut", "toArray: no derivative flows through the elements read here"],
    ]);
  });

  it.each(Object.keys(queries))("can be refused in %s", (name) => {
    undo.push(
      B.onWarning((cut) => {
        throw new Error(cut.message);
      }),
    );
    expect(queries[name]).toThrow("no derivative flows through the elements read here");
    // nothing is left in a state that the next question would meet
    undo.pop()!();
    listen();
    expect(B.gradient(lost)).toEqual({ v: [2, 0] });
  });

  it("is told by the graph around it, of a query inside", () => {
    const heard = listen();
    const outer = B.graph({ x: 2 }, ({ x }) => {
      const { v } = B.gradient(lost) as unknown as { v: Tensor };
      return B.mul(x, v.element(0));
    });
    B.gradient(outer);
    expect(heard).toHaveLength(1);
  });

  it("is one among several: each place once, however often it is met", async () => {
    const text = `import { graph } from "backsweep";
export const f = graph({ x: 0.7, y: 2 }, ({ x, y }) => {
  const kept = new Float64Array(3);
  for (let i = 0; i < 3; i++) kept[i] = x * i;
  const table = [1, 2, 3];
  return kept[0] + kept[1] + kept[2] + table[Math.floor(y)] * y;
});`;
    const { namespace } = await load({ "cuts.graph.ts": text }, "rewritten");
    const heard = listen();
    expect(B.gradient(namespace.f as GraphDefinition)).toEqual({ x: 0, y: 3 });
    expect(heard.map(({ message, line }) => [line, message])).toEqual([
      [4, "a traced number is stored in a typed array here: no derivative flows (3 times)"],
      [6, "a traced number is rounded by Math.floor here: no derivative flows"],
    ]);
  });
});

describe("by default", () => {
  it("a place is told on the console, once", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    const text = `import { graph } from "backsweep";
export const f = graph({ x: 0.7 }, ({ x }) => Math.fround(x) * x);`;
    const { namespace, url } = await load({ "told.graph.ts": text }, "rewritten");
    for (let i = 0; i < 3; i++) B.gradient(namespace.f as GraphDefinition, { x: i });
    expect(warn.mock.calls).toEqual([
      [
        expect.stringMatching(
          /^backsweep: .*told\.graph\.ts.*:2:\d+: a traced number is rounded by Math\.fround here: no derivative flows/,
        ),
      ],
    ]);
    expect(url).toContain("told.graph.ts");
  });

  it("nothing is said where nothing is cut, and of what is meant", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    const heard = listen();
    const text = `import { graph, runningState, stopGradient } from "backsweep";
const mean = runningState(0);
export const f = graph({ x: 0.7, y: 2 }, ({ x, y }) => {
  mean.update(x);
  const table = [1, 2, 3];
  const label = \`\${stopGradient(x)}\`;
  return stopGradient(x) * x * table[stopGradient(y)] + label.length;
});`;
    const { namespace } = await load({ "meant.graph.ts": text }, "rewritten");
    B.gradient(namespace.f as GraphDefinition);
    B.gradient(B.graph({ x: 2 }, ({ x }) => B.mul(x, B.stopGradient(x))));
    expect(heard).toEqual([]);
    expect(warn).not.toHaveBeenCalled();
    const notes = B.sweep(namespace.f as GraphDefinition).report.notes.filter(({ code }) => code === "cut");
    expect(notes.map(({ chosen }) => chosen)).toEqual(notes.map(() => true));
    expect(notes.length).toBeGreaterThan(0);
  });
});
