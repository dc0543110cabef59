import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { gradient, jvp, sweep, vjp } from "../../../engine/graph/queries.js";
import { Timeline } from "../../../engine/timeline/timeline.js";
import { definition, evaluate, randomGraph, referenceGradient } from "../random-graph.js";

const close = (a: number, b: number, tolerance: number): boolean =>
  Math.abs(a - b) <= tolerance * Math.max(1, Math.abs(a), Math.abs(b));

const flatGradient = (g: ReturnType<typeof definition>): number[] => Object.values(gradient(g)).map(Number);

describe("reverse sweep on random graphs", () => {
  it("equals the slow reference sweep", () => {
    fc.assert(
      fc.property(randomGraph(), (g) => {
        const expected = referenceGradient(g);
        flatGradient(definition(g)).forEach((x, i) =>
          expect(close(x, expected[i], 1e-12), `${x} ${expected[i]}`).toBe(true),
        );
      }),
      { numRuns: 1500 },
    );
  });

  it("equals central finite differences of the plain program", () => {
    fc.assert(
      fc.property(randomGraph(14), (g) => {
        const ours = flatGradient(definition(g));
        const h = 1e-5;
        ours.forEach((x, i) => {
          const at = (d: number): number => {
            const moved = g.inputs.map((v, k) => (k === i ? v + d : v));
            return evaluate(g, moved).reduce((s, v) => s + v, 0);
          };
          const slope = (at(h) - at(-h)) / (2 * h);
          // the third derivative of such a program can be large: only a relative match is asked for
          expect(Math.abs(x - slope)).toBeLessThanOrEqual(1e-3 * (1 + Math.abs(x)) + 1e-4 * Math.abs(at(0)));
        });
      }),
      { numRuns: 400 },
    );
  });

  it("agrees with the forward sweep: <u, J v> both ways", () => {
    fc.assert(
      fc.property(
        randomGraph(),
        fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 8, maxLength: 8 }),
        (g, w) => {
          const def = definition(g);
          const n = g.outputs.length + 1;
          const u = w.slice(0, n);
          const v = g.inputs.map((_, i) => w[(i + n) % 8]);
          const forward = jvp(def, Object.fromEntries(v.map((t, i) => [`x${i}`, t])));
          const back = vjp(def, u);
          const left = forward.tangents.reduce((s, t, i) => s + t * u[i], 0);
          const right = v.reduce((s, t, i) => s + t * (back[`x${i}`] as number), 0);
          const scale = forward.tangents.reduce((s, t, i) => s + Math.abs(t * u[i]), 0);
          expect(close(left, right, 1e-11 * (1 + scale))).toBe(true);
        },
      ),
      { numRuns: 800 },
    );
  });

  it("gives the same gradient in every valid order, to rounding", () => {
    fc.assert(
      fc.property(randomGraph(), fc.infiniteStream(fc.nat(1000)), (g, choices) => {
        const def = definition(g);
        const base = sweep(def);
        const { trace } = base;
        const timeline = new Timeline(trace);
        const active = Array.from({ length: trace.nodes.n }, (_, v) => v).filter(
          (v) => timeline.finalStep(v) >= 0,
        );
        // a random reverse topological order
        const pending = new Map(active.map((v) => [v, timeline.slots(v)]));
        const ready = active.filter((v) => pending.get(v) === 0);
        const order: number[] = [];
        while (ready.length > 0) {
          const v = ready.splice(choices.next().value! % ready.length, 1)[0];
          order.push(v);
          for (let e = 0; e < trace.edges.n; e++) {
            if (trace.edges.to[e] !== v) continue;
            const from = trace.edges.from[e];
            pending.set(from, pending.get(from)! - 1);
            if (pending.get(from) === 0) ready.push(from);
          }
        }
        const other = sweep(def, { order }).report.gradient;
        const tape = sweep(def, { order: "tape" }).report.gradient;
        for (const [name, value] of Object.entries(base.report.gradient)) {
          expect(close(value as number, other[name] as number, 1e-11)).toBe(true);
          expect(close(value as number, tape[name] as number, 1e-11)).toBe(true);
        }
      }),
      { numRuns: 400 },
    );
  });

  it("keeps the bookkeeping: every active slot pays once, running sums end at the cotangent bit for bit", () => {
    fc.assert(
      fc.property(randomGraph(), (g) => {
        const { trace } = sweep(definition(g));
        const timeline = new Timeline(trace);
        for (let v = 0; v < trace.nodes.n; v++) {
          const final = timeline.finalStep(v);
          if (final < 0) {
            expect(timeline.slots(v)).toBe(0);
            continue;
          }
          let sum = timeline.seed(v) ?? 0;
          for (const arrival of timeline.arrivals(v)) sum += arrival.value;
          expect(Object.is(sum, timeline.cotangent(v))).toBe(true);
          expect(timeline.arrived(v, final)).toBe(timeline.slots(v));
          for (const { child } of timeline.arrivals(v))
            expect(timeline.finalStep(child)).toBeLessThan(Math.max(1, final));
        }
      }),
      { numRuns: 400 },
    );
  });

  it("keeps Baur and Strassen's bound for + - * /", () => {
    fc.assert(
      fc.property(randomGraph(), (g) => {
        const { flops } = sweep(definition(g)).report;
        expect(flops.ratio).toBeLessThanOrEqual(5);
      }),
    );
  });
});
