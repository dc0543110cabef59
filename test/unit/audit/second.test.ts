/** What an audit asks beyond one sweep of one graph: a second output, and the same draws every time. */
import { describe, expect, it } from "vitest";
import { runAudit } from "../../../engine/audit/audit.js";
import { audit, auditSweep, type AuditDefinition, type SweepTape } from "../../../engine/audit/definition.js";

interface Node {
  v: number;
  g: number;
  kept: number | null;
  seen: Node | null;
  of: [Node, number][];
  uses: [Node, number][];
}

const node = (v: number, of: [Node, number][] = []): Node => {
  const made: Node = { v, g: 0, kept: null, seen: null, of, uses: [] };
  for (const [p, slope] of of) p.uses.push([made, slope]);
  return made;
};
const operations = {
  add: (a: Node, b: Node) => node(a.v + b.v, [[a, 1], [b, 1]]), // prettier-ignore
  mul: (a: Node, b: Node) => node(a.v * b.v, [[a, b.v], [b, a.v]]), // prettier-ignore
};

/** Asks for sensitivities; `forget`: what is kept belongs to the output it was worked out for. */
function pulling(forget: boolean, reset: boolean): AuditDefinition {
  let output: Node | null = null;
  const ask = (n: Node): number => {
    if (n.kept === null || (forget && n.seen !== output)) {
      n.kept = n.uses.reduce((sum, [by, slope]) => sum + ask(by) * slope, n === output ? 1 : 0);
      n.seen = output;
    }
    return n.kept;
  };
  return audit<Node>({
    leaf: (x) => node(x),
    operations,
    backward: (n) => void (output = n),
    gradient: ask,
    ...(reset ? { reset: () => undefined } : {}),
  });
}

/** Pushes in the order of a depth-first search. */
function pushing(clear: "reached" | "between" | "nothing" | "once"): AuditDefinition {
  let swept = false;
  return audit<Node>({
    begin: () => void (swept = false),
    leaf: (x) => node(x),
    operations,
    backward: (output) => {
      const order: Node[] = [];
      const visit = (n: Node): void => {
        if (order.includes(n)) return;
        for (const [p] of n.of) visit(p);
        order.push(n);
      };
      visit(output);
      if (clear === "reached") for (const n of order) n.g = 0;
      if (clear === "between") for (const n of order) if (n.of.length > 0) n.g = 0;
      output.g = 1;
      // what was recorded is used up
      if (clear === "once" && swept) return;
      swept = true;
      for (const n of order.toReversed()) for (const [p, slope] of n.of) p.g += n.g * slope;
    },
    gradient: (n) => n.g,
  });
}

describe("a second sweep, from another node", () => {
  it.each([false, true])("what is kept for ever on the nodes is found; reset given: %s", (reset) => {
    for (const seed of [0, 1, 2]) {
      const { verdict, fault, smallest, cases } = runAudit("e", pulling(false, reset), { seed });
      expect([verdict, fault?.class]).toEqual(["faulty", "stale gradients"]);
      expect(fault?.detail).toMatch(/from L after one from \w+, gives the gradients of the first$/);
      expect(cases).toBeLessThanOrEqual(6);
      expect(smallest!.nodes.length).toBeLessThanOrEqual(3);
      // the right numbers are those of the second output, which the printed graph returns
      expect(smallest!.secondSweep).toBe(true);
      expect(smallest!.nodes[smallest!.output].right).toBe(1);
      expect(smallest!.gradient.got).not.toEqual(smallest!.gradient.right);
      expect(smallest!.lost).toBeNull();
    }
  });

  it("what is kept for one output is right", () => {
    for (const reset of [false, true])
      expect(runAudit("e", pulling(true, reset), { cases: 300 }).verdict).toBe("clean");
  });

  it.each(["reached", "between"] as const)(
    "sweeps that clear what is %s, and leaves that add up, are right",
    (clear) => {
      const { verdict, notes } = runAudit("e", pushing(clear), { cases: 300 });
      expect([verdict, notes.filter((note) => note.includes("second sweep"))]).toEqual(["clean", []]);
    },
  );

  it("leftovers in between, and a recording that is used up, are notes", () => {
    const left = runAudit("e", pushing("nothing"), { cases: 60 });
    expect([left.verdict, left.notes.join()]).toEqual([
      "clean",
      expect.stringContaining("adds to what the first"),
    ]);
    const once = runAudit("e", pushing("once"), { cases: 60 });
    expect([once.verdict, once.notes.join()]).toEqual(["clean", expect.stringContaining("changes nothing")]);
  });

  it("a bare sweep that remembers entries is found", () => {
    const kept = new WeakMap<object, number>();
    const sweep = (tape: SweepTape, seed: number): number[] => {
      const bar = tape.map(() => 0);
      bar[tape.length - 1] = seed;
      for (let i = tape.length - 1; i >= 0; i--) {
        const mine = kept.get(tape[i]) ?? bar[i];
        kept.set(tape[i], mine);
        for (const [p, local] of tape[i].parents) bar[p] += mine * local;
        bar[i] = mine;
      }
      return bar;
    };
    const { fault, smallest } = runAudit("e", auditSweep(sweep), {});
    expect([fault?.class, smallest!.nodes.length]).toEqual(["stale gradients", 3]);
  });
});

describe("an engine that draws", () => {
  it("fails alike every time, and leaves Math.random as it was", () => {
    const drawing = (): AuditDefinition =>
      auditSweep((tape, seed) => {
        const bar = tape.map(() => 0);
        bar[tape.length - 1] = seed;
        for (let i = tape.length - 1; i >= 0; i--)
          for (const [p, local] of tape[i].parents) if (Math.random() < 0.97) bar[p] += bar[i] * local;
        return bar;
      });
    const own = Math.random;
    const results = [0, 1].map(() => {
      const { elapsedMs, ...told } = runAudit("e", drawing(), { seed: 5 });
      expect(elapsedMs).toBeGreaterThan(0);
      return told;
    });
    expect(results[0].fault?.class).toBe("replay with new randomness or another branch");
    expect(results[1]).toEqual(results[0]);
    expect(runAudit("e", drawing(), { seed: 6 }).smallest).not.toEqual(results[0].smallest);
    expect(Math.random).toBe(own);
  });
});

describe("what is said of a fault", () => {
  const result = (rule: (x: number) => number): ReturnType<typeof runAudit> =>
    runAudit(
      "e",
      audit<Node>({
        leaf: (x) => node(x),
        operations: { ...operations, tanh: (a: Node) => node(Math.tanh(a.v), [[a, rule(a.v)]]) }, // prettier-ignore
        backward: (output) => {
          const order = [output];
          for (const n of order) for (const [p] of n.of) order.push(p);
          // the last place of each: after all of its uses
          const last = order.filter((n, i) => order.lastIndexOf(n) === i);
          output.g = 1;
          for (const n of last) for (const [p, slope] of n.of) p.g += n.g * slope;
        },
        gradient: (n) => n.g,
        allowExponential: true,
      }),
      { seed: 1 },
    );

  it("a wrong rule's numbers are those of the graph beside them, with the point", () => {
    const { fault, smallest } = result((x) => 1 - Math.tanh(x));
    const [x] = smallest!.nodes;
    expect(fault!.class).toBe("wrong local derivative");
    const show = (value: unknown): string => String(Number((value as number).toPrecision(6)));
    expect(fault!.detail).toBe(
      `tanh, in its operand: ${show(x.got)} instead of ${show(x.right)}, at ${show(x.value)}`,
    );
    expect(smallest!.lost).toBeNull();
  });
});
