/** Adapters and sweeps that cannot be audited, or fail otherwise than by a wrong number: one clear message. */
import { describe, expect, it } from "vitest";
import { runAudit } from "../../../engine/audit/audit.js";
import { audit, auditSweep, type ScalarEngine, type SweepTape } from "../../../engine/audit/definition.js";

interface Node {
  readonly v: number;
  g: number;
  readonly of: readonly (readonly [Node, number])[];
}
const node = (v: number, ...of: (readonly [Node, number])[]): Node => ({ v, g: 0, of });

const right = {
  leaf: (value: number) => node(value),
  operations: {
    add: (a: Node, b: Node) => node(a.v + b.v, [a, 1], [b, 1]),
    mul: (a: Node, b: Node) => node(a.v * b.v, [a, b.v], [b, a.v]),
  },
  backward(output: Node) {
    const seen = new Set<Node>();
    const order: Node[] = [];
    const visit = (n: Node): void => {
      if (seen.has(n)) return;
      seen.add(n);
      n.of.forEach(([p]) => visit(p));
      order.push(n);
    };
    visit(output);
    output.g = 1;
    for (const n of order.reverse()) for (const [p, d] of n.of) p.g += n.g * d;
  },
  gradient: (n: Node): number | null | undefined => n.g,
};

const swept = (tape: SweepTape, seed: number): number[] => {
  const bar = tape.map(() => 0);
  bar[tape.length - 1] = seed;
  for (let i = tape.length - 1; i >= 0; i--) for (const [p, d] of tape[i].parents) bar[p] += bar[i] * d;
  return bar;
};

describe("definitions that cannot be", () => {
  const message = (make: () => unknown): string => {
    try {
      make();
    } catch (error) {
      return (error as Error).message;
    }
    throw new Error("nothing was thrown");
  };

  it("say what is missing", () => {
    expect(message(() => audit({ ...right, backward: undefined as never }))).toBe(
      "audit: backward must be a function",
    );
    expect(message(() => audit({ ...right, operations: {} }))).toMatch(/name at least one operation/);
    expect(message(() => audit({ ...right, gradients: 1 } as never))).toMatch(
      /there is no option "gradients"/,
    );
    expect(message(() => audit({ ...right, tolerance: 7 }))).toMatch(
      /tolerance must be a number between 0 and 1/,
    );
    expect(message(() => auditSweep(3 as never))).toMatch(/the argument must be a function/);
  });

  it("name an operation that the table does not have", () => {
    const wrong = audit({ ...right, operations: { multiply: right.operations.mul } });
    expect(message(() => runAudit("e", wrong))).toMatch(
      /"multiply" is no primitive of the table.*apply, value, locals/,
    );
    const near = audit({ ...right, operations: { Mul: right.operations.mul } });
    expect(message(() => runAudit("e", near))).toMatch(/did you mean "mul"\?/);
    const short = audit({ ...right, operations: { twice: { apply: (a: Node) => a, locals: () => [] } } });
    expect(message(() => runAudit("e", short))).toMatch(/locals must give 1 number/);
  });

  it("refuse counts that are none", () => {
    expect(message(() => runAudit("e", audit(right), { cases: 0 }))).toMatch(/cases must be a whole number/);
    expect(message(() => runAudit("e", audit(right), { seed: 0.5 }))).toMatch(/seed must be an integer/);
  });
});

describe("engines that give no gradient", () => {
  const cases: readonly (readonly [string, ScalarEngine<Node>, string, RegExp])[] = [
    [
      "a promise",
      { ...right, backward: () => Promise.resolve() },
      "unusable",
      /backward\(output\) returned a promise/,
    ],
    [
      "text for a gradient",
      { ...right, gradient: () => "1" as never },
      "unusable",
      /gradient\(node\) is a string, not a number/,
    ],
    [
      "an operation that throws",
      {
        ...right,
        operations: {
          add: () => {
            throw new TypeError("a.plus is not a function");
          },
        },
      },
      "unusable",
      /add\(a, b\) threw TypeError: a\.plus is not a function/,
    ],
    [
      "a sweep that throws",
      {
        ...right,
        backward: () => {
          throw new Error("not yet");
        },
      },
      "faulty",
      /backward\(output\) threw Error: not yet/,
    ],
    [
      "a leaf that is nothing",
      { ...right, leaf: () => undefined as never },
      "unusable",
      /leaf\(value\) returned nothing/,
    ],
    [
      "an operation that gives nothing",
      { ...right, operations: { add: () => null as never } },
      "unusable",
      /add\(a, b\) returned null/,
    ],
    [
      "a sweep that does its work later",
      { ...right, backward: (o) => void Promise.resolve().then(() => right.backward(o)) },
      "unusable",
      /every gradient is 0 or missing in every graph/,
    ],
    ["NaN", { ...right, gradient: () => Number.NaN }, "faulty", /NaN instead of/],
  ];
  for (const [what, engine, verdict, message] of cases) {
    it(what, () => {
      const result = runAudit("e", audit(engine));
      expect(result.verdict).toBe(verdict);
      expect(result.message).toMatch(message);
    });
  }

  it("bare sweeps: nothing, a promise, an exception", () => {
    expect(
      runAudit(
        "s",
        auditSweep(() => undefined as never),
      ).message,
    ).toMatch(/the sweep returned nothing/);
    expect(runAudit("s", auditSweep((async () => []) as never)).message).toMatch(
      /the sweep returned a promise/,
    );
    const throws = auditSweep((tape, seed) => {
      if (tape.length > 3) throw new Error("too long");
      return swept(tape, seed);
    });
    const result = runAudit("s", throws);
    expect([result.verdict, result.fault?.class, result.smallest?.nodes.length]).toEqual([
      "faulty",
      "throws",
      4,
    ]);
  });

  it("a recursion that overflows the stack on a short chain is a fault, on a very long one a note", () => {
    const shallow = {
      ...right,
      backward(output: Node) {
        const dive = (depth: number): number => (depth === 0 ? 0 : 1 + dive(depth - 1));
        let depth = 0;
        for (let at: Node | undefined = output; at !== undefined; at = at.of[0]?.[0]) depth++;
        dive(depth * 50);
        right.backward(output);
      },
    };
    expect(runAudit("e", audit(shallow)).fault?.class).toBe("stack overflow");
  });
});

describe("what is right is left alone", () => {
  it("adapters with undefined gradients of unreached leaves, pairs, Maps, one parameter", () => {
    const lazy = { ...right, gradient: (n: Node) => (n.g === 0 ? undefined : n.g) };
    expect(runAudit("e", audit(lazy)).verdict).toBe("clean");
    const pairs = auditSweep(
      (tape, seed) => {
        const entries = tape as unknown as [number, [number, number][]][];
        return swept(
          entries.map(([value, parents]) => ({ value, parents })),
          seed,
        );
      },
      { form: "pairs" },
    );
    expect(runAudit("s", pairs).verdict).toBe("clean");
    expect(
      runAudit(
        "s",
        auditSweep((tape, seed) => new Map(swept(tape, seed).entries())),
      ).verdict,
    ).toBe("clean");
    expect(
      runAudit(
        "s",
        auditSweep((tape) => swept(tape, 1)),
      ).verdict,
    ).toBe("clean");
  });

  it("sweeps that use up their list", () => {
    const used = auditSweep((tape, seed) => swept(tape.splice(0), seed));
    expect(runAudit("s", used).verdict).toBe("clean");
    const turned = auditSweep((tape, seed) => {
      const bar = swept(tape, seed);
      tape.reverse();
      return bar;
    });
    expect(runAudit("s", turned).verdict).toBe("clean");
  });

  it("derivatives that cancel where they are small", () => {
    const tanh = (a: Node): Node => {
      const t = Math.tanh(a.v);
      return node(t, [a, 1 - t * t]);
    };
    const engine = audit({ ...right, operations: { ...right.operations, tanh } });
    expect(runAudit("e", engine, { cases: 5_000, seed: 3 }).message).toBe("every gradient is right");
  });

  it("every path walked, where that is meant", () => {
    const everyPath = (tape: SweepTape, seed: number): number[] => {
      const bar = tape.map(() => 0);
      const receive = (i: number, part: number): void => {
        bar[i] += part;
        for (const [p, d] of tape[i].parents) receive(p, part * d);
      };
      receive(tape.length - 1, seed);
      return bar;
    };
    expect(runAudit("s", auditSweep(everyPath)).fault?.class).toBe("exponential revisits");
    expect(runAudit("s", auditSweep(everyPath, { allowExponential: true })).verdict).toBe("clean");
  });

  it("leaves that add up over sweeps; leftovers in intermediate nodes are a note", () => {
    const result = runAudit("e", audit(right));
    expect(result.verdict).toBe("clean");
    expect(result.notes.join()).toMatch(/a second sweep over the same graph adds to what the first has left/);
  });
});

describe("an adapter that reads NaN from every node", () => {
  it("is not told to be the adapter's where no write was seen", () => {
    // writes are observed in a runner only: lines.test.ts; here none is seen, so that the engine may have made it
    const result = runAudit("nan", audit({ ...right, gradient: () => NaN }));
    expect(result.verdict).toBe("faulty");
  });
});
