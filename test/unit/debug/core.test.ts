/** The debugger's core against slow and simple ways of saying the same, on random graphs. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Breakpoint } from "../../../engine/debug/breakpoints/breakpoint.js";
import { parseHitCount } from "../../../engine/debug/breakpoints/hit-count.js";
import { placesOfCotangent, placesOfNodes } from "../../../engine/debug/breakpoints/places.js";
import { markedSteps } from "../../../engine/debug/breakpoints/marked-steps.js";
import { Scan } from "../../../engine/debug/breakpoints/scan.js";
import { Cursor } from "../../../engine/debug/cursor.js";
import { Debuggee } from "../../../engine/debug/debuggee.js";
import { evaluateText } from "../../../engine/debug/expression/evaluate.js";
import { parseExpression } from "../../../engine/debug/expression/parse.js";
import { sweep } from "../../../engine/graph/queries.js";
import { Event, isStep } from "../../../engine/trace/events.js";
import type { Trace } from "../../../engine/trace/trace.js";
import { definition, randomGraph } from "../random-graph.js";

/** Running sums by replaying the rows from the start. */
function replayedSums(trace: Trace, position: number): (number | undefined)[] {
  const sums = new Array<number | undefined>(trace.nodes.n).fill(undefined);
  for (let row = 0, step = 0; row < trace.events.n; row++) {
    step += isStep[trace.events.kind[row]];
    if (step > position) break;
    const kind = trace.events.kind[row];
    if (kind !== Event.seed && kind !== Event.contribute) continue;
    const node = trace.events.node[row];
    sums[node] = (sums[node] ?? 0) + trace.values.mean[trace.events.value[row]];
  }
  return sums;
}

describe("the core of the debugger", () => {
  it("gives the running sums that a replay from the start gives, at any position", () => {
    fc.assert(
      fc.property(randomGraph(), fc.double({ min: 0, max: 1, noNaN: true }), (g, at) => {
        const { trace } = sweep(definition(g));
        const debuggee = new Debuggee(trace);
        const position = Math.round(at * debuggee.timeline.steps);
        const sums = replayedSums(trace, position);
        for (let node = 0; node < trace.nodes.n; node++)
          expect((debuggee.running.at(node, position) as number | undefined) ?? undefined).toEqual(
            sums[node],
          );
      }),
      { numRuns: 200 },
    );
  });

  it("steps there and back to the same place, one contribution at a time", () => {
    fc.assert(
      fc.property(randomGraph(), (g) => {
        const debuggee = new Debuggee(sweep(definition(g)).trace);
        const cursor = new Cursor(debuggee);
        const there: number[] = [];
        while (cursor.position < cursor.steps) {
          there.push(cursor.position);
          cursor.moveTo(cursor.next(), 1);
        }
        const back: number[] = [];
        while (cursor.position > 0) {
          cursor.moveTo(cursor.back(), -1);
          back.push(cursor.position);
        }
        expect(back.reverse()).toEqual(there);
        cursor.moveTo(0, 1);
        let last = -1;
        while (cursor.position < cursor.steps && cursor.position > last) {
          last = cursor.position;
          cursor.moveTo(cursor.nextStatement(), 1);
        }
        expect(cursor.position).toBe(cursor.steps);
      }),
      { numRuns: 100 },
    );
  });

  it("stops backwards at the places it stops at forwards", () => {
    fc.assert(
      fc.property(randomGraph(), fc.nat(), (g, pick) => {
        const debuggee = new Debuggee(sweep(definition(g)).trace);
        const node = pick % debuggee.trace.nodes.n;
        const all = [
          new Breakpoint(1, "data breakpoint", placesOfCotangent(debuggee, node), {}),
          new Breakpoint(
            2,
            "breakpoint",
            placesOfNodes(debuggee, (v) => v % 3 === 0),
            {
              condition: "step % 2 == 0",
              hitCondition: "% 2",
            },
          ),
        ];
        const run = (direction: 1 | -1): number[] => {
          const out: number[] = [];
          let from = direction === 1 ? -1 : debuggee.timeline.steps + 1;
          const to = direction === 1 ? debuggee.timeline.steps : 0;
          for (;;) {
            const hit = new Scan(debuggee, all, from, to, direction, () => {}).slice();
            if (hit === null || hit === "more") return out;
            out.push(hit.position);
            from = hit.position;
          }
        };
        expect(run(-1).reverse()).toEqual(run(1));
        // and these are what the scrub bar marks
        expect(markedSteps(debuggee, all)).toEqual(run(1));
      }),
      { numRuns: 100 },
    );
  });

  it("marks no more steps than a scrub bar can tell apart, and at each of them something stops", () => {
    const g = { inputs: [1], steps: [], outputs: [] };
    const { trace } = sweep(definition(g));
    const debuggee = new Debuggee(trace);
    const n = 50_000;
    const position = Int32Array.from({ length: n }, (_, i) => i);
    Object.defineProperty(debuggee.timeline, "steps", { value: n });
    const places = { n, position, focus: new Int32Array(n), forward: n };
    const marks = markedSteps(debuggee, [new Breakpoint(1, "breakpoint", places, {})]);
    expect(marks).toHaveLength(1_000);
    expect(marks.every((step, i) => Math.floor(step / 50) === i)).toBe(true);
    const logged = new Breakpoint(2, "breakpoint", places, { logMessage: "x" });
    expect(markedSteps(debuggee, [logged])).toEqual([]);
  });

  it("sweeps on from another cotangent as the derivative says: linear in what was changed", () => {
    fc.assert(
      fc.property(randomGraph(), fc.nat(), fc.double({ min: -2, max: 2, noNaN: true }), (g, pick, value) => {
        const { trace } = sweep(definition(g));
        const truth = new Debuggee(trace);
        const reached = Array.from({ length: trace.nodes.n }, (_, v) => v).filter(
          (v) => truth.timeline.finalStep(v) >= 0,
        );
        const node = reached[pick % reached.length];
        const given = [{ node, element: null, value }];
        const other = new Debuggee(sweep(definition(g), { given }).trace);
        const change = value - truth.timeline.cotangent(node)!;
        for (const v of reached) {
          const expected =
            truth.timeline.cotangent(v)! + (v <= node ? change * derivative(truth, node, v) : 0);
          expect(other.timeline.cotangent(v)).toBeCloseTo(expected, 8);
        }
      }),
      { numRuns: 200 },
    );
  });

  it("evaluates arithmetic as JavaScript does", () => {
    const debuggee = new Debuggee(sweep(definition({ inputs: [1], steps: [], outputs: [] })).trace);
    const context = { debuggee, position: 0, focus: 0 };
    const expression = fc.letrec<{ e: string }>((tie) => ({
      e: fc.oneof(
        { maxDepth: 4 },
        fc.integer({ min: 0, max: 9 }).map(String),
        fc
          .tuple(tie("e"), fc.constantFrom("+", "-", "*", "/", "%", "<", ">=", "==", "&&", "||"), tie("e"))
          .map(([a, op, b]) => `(${a}) ${op} (${b})`),
        tie("e").map((a) => `-(${a})`),
        fc.tuple(tie("e"), tie("e"), tie("e")).map(([a, b, c]) => `(${a}) ? (${b}) : (${c})`),
        fc.tuple(tie("e"), tie("e")).map(([a, b]) => `max(${a}, ${b})`),
      ),
    })).e;
    fc.assert(
      fc.property(expression, (text) => {
        const js = new Function("max", `return (${text});`) as (max: typeof Math.max) => unknown;
        expect(Number(evaluateText(text, context))).toEqual(Number(js(Math.max)));
      }),
      { numRuns: 300 },
    );
  });

  it("reads nothing that is nested without end, and says where a mistake is", () => {
    expect(() => parseExpression(`${"(".repeat(1000)}1`)).toThrow(/nested too deeply \(column/);
    expect(() => parseExpression(`${"1?1:".repeat(900)}1`)).toThrow(/nested too deeply/);
    expect(() => parseExpression("a § b")).toThrow('"§" is not understood (column 3)');
    expect(() => parseExpression("x".repeat(5000))).toThrow(/longer than/);
  });

  it("reads hit counts as they are written in VS Code", () => {
    const hits = (text: string): number[] => [1, 2, 3, 4, 5, 6].filter(parseHitCount(text)!);
    expect([hits("3"), hits("= 3"), hits(">3"), hits(">= 3"), hits("<3"), hits("% 3")]).toEqual([
      [3],
      [3],
      [4, 5, 6],
      [3, 4, 5, 6],
      [1, 2],
      [3, 6],
    ]);
    expect(parseHitCount("many")).toBeNull();
    expect(hits("% 0")).toEqual([]);
  });
});

/** Products of local derivatives over all paths, by recursion over a small graph. */
function derivative({ trace }: Debuggee, of: number, at: number): number {
  if (of === at) return 1;
  let sum = 0;
  for (let e = 0; e < trace.edges.n; e++) {
    if (trace.edges.from[e] !== at || trace.edges.to[e] > of) continue;
    sum += trace.values.mean[trace.edges.local[e]] * derivative({ trace } as Debuggee, of, trace.edges.to[e]);
  }
  return sum;
}
