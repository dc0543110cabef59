import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as B from "../../../../engine/index.js";
import { run } from "../../../../engine/graph/complete.js";
import type { GraphDefinition, GraphOptions } from "../../../../engine/graph/definition.js";
import type { RunOutcome } from "../../../../engine/graph/run.js";
import { chainSchedules } from "./schedules-for-tests.js";

const define = (
  inputs: Record<string, unknown>,
  fn: (inputs: never) => unknown,
  options: GraphOptions = {},
): GraphDefinition => B.graph(inputs as never, fn as never, options) as unknown as GraphDefinition;

const under = (graph: GraphDefinition, schedule: string, order: "breadth" | "tape" = "breadth"): RunOutcome =>
  run(graph, { schedule, order });

/** The columns that must be the same to the bit under any schedule. */
const same = (a: RunOutcome, b: RunOutcome): void => {
  expect(b.report.gradient).toEqual(a.report.gradient);
  expect(b.report.lastWriterWins).toEqual(a.report.lastWriterWins);
  expect(b.trace.values.mean).toEqual(a.trace.values.mean);
  expect(b.trace.arrays).toEqual(a.trace.arrays);
  expect(b.trace.nodes).toEqual(a.trace.nodes);
  expect(b.trace.edges).toEqual(a.trace.edges);
  expect(b.trace.segments).toEqual(a.trace.segments);
  expect(b.trace.strings).toEqual(a.trace.strings);
  expect(b.report.notes).toEqual(a.report.notes);
  expect(b.report.flops).toEqual(a.report.flops);
};

const graphs: Record<string, GraphDefinition> = {
  "scalars with closures": define({ x: 0.7, w: 1.3 }, ({ x, w }: { x: number; w: number }) => {
    const y = B.mul(x, 2);
    const z = B.chain(9, y, (u, i) => B.add(B.mul(B.tanh(u), w), B.mul(i, x)));
    return B.mul(z, B.sin(x));
  }),
  "several components, one of them passed on, one constant": define(
    { x: 0.3, y: 2 },
    ({ x, y }: { x: number; y: number }) => {
      const end = B.chain(7, { u: [x, y], p: y, t: 0 }, ({ u, p, t }) => ({
        u: [B.sin(B.mul(u[1]!, p)), B.add(u[0]!, t)],
        p,
        t: t + 0.25,
      }));
      return B.add(B.mul(end.u[0]!, end.p), B.add(end.u[1]!, end.t));
    },
  ),
  arrays: define({ w: Float64Array.of(0.1, -0.4, 0.7), s: 0.9 }, ({ w, s }: { w: B.Tensor; s: number }) => {
    const force = B.tensor([0.1, 0.2, 0.3]);
    const end = B.chain(8, w, (u, i) => B.tanh(u).mul(s).add(u.mul(w)).add(force.mul(i)));
    return end.mul(end).sum() as unknown as number;
  }),
  "two chains and a checkpoint": define({ x: 0.5, y: 1.5 }, ({ x, y }: { x: number; y: number }) => {
    const block = B.checkpoint((a: number, b: number) => [B.sin(B.mul(a, b)), B.exp(B.neg(a))]);
    const first = B.chain(5, x, (u) => B.mul(B.cos(u), y));
    const [p, q] = block(first, y);
    const second = B.chain(6, [p!, q!], ([u, v]) => [B.add(u!, B.mul(v!, 0.1)), B.mul(B.sin(u!), v!)]);
    return B.add(second[0]!, B.mul(second[1]!, first));
  }),
  "a chain within a step, a checkpoint within a step": define({ x: 0.5 }, ({ x }: { x: number }) =>
    B.chain(4, x, (u) => {
      const inner = B.chain(3, u, (v) => B.mul(B.sin(v), x));
      return B.checkpoint((v: number) => B.add(B.exp(v), u))(inner);
    }),
  ),
  "random draws": define({ x: 0.5 }, ({ x }: { x: number }) =>
    B.chain(6, x, (u) => B.add(B.dropout(B.mul(u, 1.25), 0.3), B.mul(B.normal(), x))),
  ),
  "a gradient within a step": define({ x: 0.4 }, ({ x }: { x: number }) =>
    B.chain(4, x, (u) =>
      B.add(
        u,
        B.mul(
          0.1,
          B.gradient((v: number) => B.mul(B.sin(v), v), u),
        ),
      ),
    ),
  ),
  "a rule of one's own": define({ x: 0.4 }, ({ x }: { x: number }) => {
    const square = B.custom({ forward: (a) => a * a, vjp: (g, _y, a) => [2 * g * a] });
    return B.chain(5, x, (u) => B.add(square(u), x));
  }),
  "steps that record nothing, and a constant end": define({ x: 0.4 }, ({ x }: { x: number }) =>
    B.add(
      x,
      B.chain(5, x, (u, i) => (i === 2 ? 1 : u)),
    ),
  ),
  "a NaN on the way": define({ x: 0.4 }, ({ x }: { x: number }) =>
    B.chain(5, x, (u) => B.sqrt(B.sub(u, 0.3))),
  ),
};

describe("a chain under a schedule is the chain with everything kept, to the bit", () => {
  for (const [what, graph] of Object.entries(graphs)) {
    it(what, () => {
      for (const options of [{}, { dtype: "f32" }] as GraphOptions[]) {
        const chosen = { ...graph, options };
        const all = under(chosen, "store-all");
        for (const schedule of chainSchedules) same(all, under(chosen, schedule));
      }
      same(under(graph, "store-all", "tape"), under(graph, "revolve:2", "tape"));
      const kahan = { ...graph, options: { accumulate: "kahan" } };
      same(under(kahan, "store-all"), under(kahan, "revolve:2"));
    });
  }
});

const operations = {
  sin: (a: number) => B.sin(a),
  tanh: (a: number) => B.tanh(a),
  add: (a: number, b: number) => B.add(a, b),
  mul: (a: number, b: number) => B.mul(a, b),
  sub: (a: number, b: number) => B.sub(a, b),
} as Record<string, (a: number, b: number) => number>;

it("random chains: every schedule gives the gradient of everything kept", () => {
  const program = fc.array(
    fc.record({ op: fc.constantFrom(...Object.keys(operations)), a: fc.nat(9), b: fc.nat(9) }),
    { minLength: 1, maxLength: 6 },
  );
  const chosen = fc.record({
    program,
    width: fc.integer({ min: 1, max: 3 }),
    length: fc.integer({ min: 1, max: 14 }),
    schedule: fc.constantFrom(...chainSchedules),
    accumulate: fc.constantFrom("sum", "pairwise", "last-writer-wins:all"),
  });
  fc.assert(
    fc.property(chosen, ({ program: steps, width, length, schedule, accumulate }) => {
      const inputs = { x: [0.3, -0.8, 1.1], w: 0.6 };
      const graph = define(
        inputs,
        ({ x, w }: { x: number[]; w: number }) => {
          const end = B.chain(length, x.slice(0, width), (state, i) => {
            const known = [...state, w, B.mul(w, 0.1 * i)];
            for (const { op, a, b } of steps)
              known.push(operations[op]!(known[a % known.length]!, known[b % known.length]!));
            return known.slice(-width);
          });
          return [...end];
        },
        { accumulate },
      );
      same(under(graph, "store-all"), under(graph, schedule));
    }),
    { numRuns: 60 },
  );
});
