/** The invariants of a recorded sweep, held on random graphs, in every accumulation mode and number format. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { graph, mul, random, relu, scope } from "../../../engine/index.js";
import { sweep } from "../../../engine/graph/queries.js";
import { Event, eventKinds } from "../../../engine/trace/events.js";
import { nodeExpression, nodeName } from "../../../engine/trace/read.js";
import type { Trace } from "../../../engine/trace/trace.js";
import { total, type SumMode } from "../../../engine/sweep/accumulate.js";
import { rounder } from "../../../engine/ops/dtype.js";
import { definition, randomGraph } from "../random-graph.js";

/** Every column of a table has the table's length, and every reference is in range. */
function checkReferences(trace: Trace): void {
  const tables = [
    "files",
    "sites",
    "scopes",
    "values",
    "nodes",
    "edges",
    "constants",
    "events",
    "decisions",
    "draws",
    "notes",
  ] as const;
  for (const name of tables) {
    const table = trace[name] as unknown as Record<string, number | ArrayLike<number>>;
    for (const [column, data] of Object.entries(table)) {
      if (column !== "n") expect((data as ArrayLike<number>).length, `${name}.${column}`).toBe(table.n);
    }
  }
  const within = (column: ArrayLike<number>, limit: number, low = -1): void => {
    for (let i = 0; i < column.length; i++) {
      expect(column[i]).toBeGreaterThanOrEqual(low);
      expect(column[i]).toBeLessThan(limit);
    }
  };
  within(trace.nodes.op, trace.strings.length, 0);
  within(trace.nodes.name, trace.strings.length);
  within(trace.nodes.label, trace.strings.length);
  within(trace.nodes.site, trace.sites.n);
  within(trace.nodes.scope, trace.scopes.n, 0);
  within(trace.nodes.owner, trace.scopes.n);
  within(trace.nodes.value, trace.values.n, 0);
  within(trace.edges.from, trace.nodes.n, 0);
  within(trace.edges.to, trace.nodes.n, 0);
  within(trace.edges.local, trace.values.n);
  within(trace.events.kind, eventKinds.length, 0);
  within(trace.events.node, trace.nodes.n);
  within(trace.events.edge, trace.edges.n);
  within(trace.events.value, trace.values.n);
  within(trace.scopes.name, trace.strings.length, 0);
  for (let e = 0; e < trace.edges.n; e++) {
    expect(trace.edges.from[e]).toBeLessThan(trace.edges.to[e]);
    if (e > 0)
      expect(trace.edges.to[e] > trace.edges.to[e - 1] || trace.edges.slot[e] > trace.edges.slot[e - 1]).toBe(
        true,
      );
  }
}

/** The story is told in an order that could have happened, and every sum is the sum of what arrived. */
function checkStory(trace: Trace, mode: SumMode, round: ((x: number) => number) | null): void {
  const { events, edges, values, nodes } = trace;
  const final = new Set<number>();
  const terms = new Map<number, number[]>();
  const evaluated = new Set<number>();
  for (let v = 0; v < nodes.n; v++) if (nodes.kind[v] === 1) evaluated.add(v);
  const stored = new Set<number>();
  const paid = new Set<number>();
  for (let row = 0; row < events.n; row++) {
    const kind = events.kind[row];
    const node = events.node[row];
    const value = values.mean[events.value[row]];
    if (kind === Event.eval) {
      for (let e = 0; e < edges.n; e++)
        if (edges.to[e] === node) expect(evaluated.has(edges.from[e])).toBe(true);
      evaluated.add(node);
    } else if (kind === Event.store) {
      expect(evaluated.has(node)).toBe(true);
      stored.add(node);
    } else if (kind === Event.free) {
      expect(stored.delete(node)).toBe(true);
    } else if (kind === Event.read) {
      // the row of a primal is the node's own
      expect(stored.has(events.value[row])).toBe(true);
      expect(final.has(node)).toBe(true);
    } else if (kind === Event.seed) {
      terms.set(node, [value]);
    } else if (kind === Event.contribute) {
      const edge = events.edge[row];
      expect(edges.from[edge]).toBe(node);
      expect(final.has(edges.to[edge])).toBe(true);
      expect(final.has(node)).toBe(false);
      expect(paid.has(edge)).toBe(false);
      paid.add(edge);
      terms.set(node, [...(terms.get(node) ?? []), value]);
    } else if (kind === Event.final) {
      expect(final.has(node)).toBe(false);
      final.add(node);
      expect(value).toBe(total(mode, terms.get(node)!, round));
    }
  }
  expect(stored.size).toBe(0);
}

describe("a recorded sweep", () => {
  it.each([
    ["sum", "f64"],
    ["pairwise", "f64"],
    ["kahan", "f64"],
    ["sum", "f32"],
    ["kahan", "bf16"],
    ["pairwise", "f16"],
  ] as const)("keeps its invariants (%s, %s)", (accumulate, dtype) => {
    fc.assert(
      fc.property(randomGraph(), (g) => {
        const { trace } = sweep(definition(g), { accumulate, dtype });
        checkReferences(trace);
        checkStory(trace, accumulate, dtype === "f64" ? null : rounder(dtype));
      }),
      { numRuns: 60 },
    );
  });

  it("holds every value in its number format", () => {
    fc.assert(
      fc.property(randomGraph(), fc.constantFrom("f32", "f16", "bf16"), (g, dtype) => {
        const { trace } = sweep(definition(g), { dtype });
        const round = rounder(dtype);
        for (let v = 0; v < trace.nodes.n; v++) {
          const value = trace.values.mean[trace.nodes.value[v]];
          expect(round(value)).toBe(value);
        }
        for (let row = 0; row < trace.events.n; row++) {
          const value = trace.values.mean[trace.events.value[row]];
          if (trace.events.kind[row] === Event.contribute) expect(round(value)).toBe(value);
        }
      }),
      { numRuns: 60 },
    );
  });

  it("is plain data: a structured clone is the same trace", () => {
    const g = graph({ x: 2 }, ({ x }) => scope("s", () => mul(relu(x), random())));
    const { trace } = sweep(g, { seed: 7 });
    expect(structuredClone(trace)).toEqual(trace);
    expect(trace.strings[trace.scopes.name[trace.nodes.scope[1]]]).toBe("s");
    expect(nodeName(trace, 0)).toBe("x");
    expect(nodeExpression(trace, 1)).toBe("relu(x)");
    expect(trace.draws.n).toBe(1);
  });
});
