/** What is said of engines is what was seen of them: whose line it is, who has paid what, which value it has, and whose fault. */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { auditPage } from "../../../cli/audit-page.js";
import { plainStyle } from "../../../cli/style.js";
import type { AuditResult } from "../../../engine/audit/result.js";
import type { Runner } from "../../../runner/client.js";
import { buildForTest, folderOf, quietRunner } from "../runner/built.js";

let runner: Runner;
beforeAll(async () => {
  runner = quietRunner(await buildForTest(), { spare: false });
});
afterAll(() => {
  runner?.dispose();
});

/** The results by name, in the order of the answer, and the line that each marks. */
async function audited(text: string): Promise<Map<string, AuditResult & { readonly marked: string | null }>> {
  const folder = folderOf({ "e.audit.ts": text });
  try {
    const answer = await runner.audit({
      file: join(folder.path, "e.audit.ts"),
      root: folder.path,
      options: {},
      timeoutMs: 120_000,
      memoryBytes: 2 ** 30,
      allowImports: false,
      layout: false,
      audit: { cases: 200, seed: 0 },
    });
    if (!answer.ok) throw new Error(answer.failure.message);
    return new Map(
      answer.audited.map((one) => {
        if (one.failure !== null) throw new Error(one.failure.message);
        const { place } = one.result;
        const marked = place === null ? null : text.split("\n")[place.line - 1];
        return [one.engine, { ...one.result, marked }];
      }),
    );
  } finally {
    folder.dispose();
  }
}

const page = (result: AuditResult): string => Array.from(auditPage(result, plainStyle)).join("");

const scalars = `
  import { audit, auditSweep } from "backsweep";
  class V { g = 0; back = () => {}; constructor(public x: number, public of: V[] = []) {} }
  const node = (x: number, of: V[], back: (o: V) => void) => { const o = new V(x, of); o.back = () => back(o); return o; };
  const plus = (a: V, b: V) => node(a.x + b.x, [a, b], (o) => { a.g += o.g; b.g += o.g; });
  const times = (a: V, b: V) => node(a.x * b.x, [a, b], (o) => { a.g += b.x * o.g; b.g += a.x * o.g; });
  const order = (r: V) => { const l: V[] = [], s = new Set<V>(); const go = (n: V) => { if (s.has(n)) return; s.add(n); n.of.forEach(go); l.push(n); }; go(r); return l; };
  const sweep = (r: V) => { r.g = 1; for (const n of order(r).reverse()) n.back(); };
  const two = { add: plus, mul: times };
  const base = { leaf: (x: number) => new V(x), operations: two, backward: sweep, gradient: (n: V) => n.g };
`;

describe("whose line it is", () => {
  const arrays = `
  import { audit } from "backsweep";
  type M = number[][];
  class T { g: M; back = () => {}; constructor(public d: M, public of: T[] = []) { this.g = d.map((r) => r.map(() => 0)); } }
  const at = (m: M, i: number, j: number) => m[m.length === 1 ? 0 : i][m[0].length === 1 ? 0 : j];
  const over = (a: T, b: T): M => (a.d.length * a.d[0].length >= b.d.length * b.d[0].length ? a.d : b.d);
  const product = (a: T, b: T) => {
    const o = new T(over(a, b).map((r, i) => r.map((_, j) => at(a.d, i, j) * at(b.d, i, j))), [a, b]);
    o.back = () => {
      a.g.forEach((r, i) => r.forEach((_, j) => { a.g[i][j] += o.g[i][j] * at(b.d, i, j); })); // fault
      b.g.forEach((r, i) => r.forEach((_, j) => { b.g[i][j] += o.g[i][j] * at(a.d, i, j); })); // fault
    };
    return o;
  };
  const total = (a: T) => {
    const o = new T([[a.d.flat().reduce((p, q) => p + q, 0)]], [a]);
    o.back = () => a.g.forEach((r) => r.forEach((_, j) => { r[j] += o.g[0][0]; })); // right
    return o;
  };
  const backward = (r: T) => { const l: T[] = [], s = new Set<T>(); const go = (n: T) => { if (s.has(n)) return; s.add(n); n.of.forEach(go); l.push(n); }; go(r); r.g = r.d.map((q) => q.map(() => 1)); for (const n of l.reverse()) n.back(); };
  const base = { mode: "array" as const, leaf: (v: any) => new T(typeof v === "number" ? [[v]] : v), backward, gradient: (n: T) => n.g };
  export const alsoSums = audit({ ...base, shapes: [[2, 3], [1, 3]], operations: { mul: product, sum: total } });
  export const alone = audit({ ...base, shapes: [[2, 3], [1, 3]], operations: { mul: product } });`;

  it("an operation's own, where another one pays the same node", async () => {
    for (const [engine, { fault, marked }] of await audited(arrays)) {
      expect(fault!.detail, engine).toMatch(
        /^mul: the contribution of a broadcast operand is not summed back/,
      );
      expect(marked, engine).toMatch(/\/\/ fault/);
    }
  });

  const tape = (sweep: string, operations: string): string => `
  import { audit } from "backsweep";
  let vals: number[] = [], ins: number[][] = [], ds: number[][] = [], g: number[] = [];
  const make = (v: number, i: number[] = [], d: number[] = []) => { vals.push(v); ins.push(i); ds.push(d); return vals.length - 1; };
  const ops = {
    add: (a: number, b: number) => make(vals[a] + vals[b], [a, b], [1, 1]),
    mul: (a: number, b: number) => make(vals[a] * vals[b], [a, b], [vals[b], vals[a]]), // right
    div: (a: number, b: number) => make(vals[a] / vals[b], [a, b], [1 / vals[b], -vals[a] / vals[b] ** 2]), // right
    sin: (a: number) => make(Math.sin(vals[a]), [a], [Math.cos(vals[a])]),
  };
  const { add, mul, div, sin } = ops;
  export const e = audit({
    begin: () => { vals = []; ins = []; ds = []; }, leaf: (v) => make(v), operations: { ${operations} },
    gradient: (n) => g[n], backward: (o) => { g = vals.map(() => 0); g[o] = 1; ${sweep} } });`;
  const swap = `for (let i = o; i >= 0; i--) ins[i].forEach((p, k) => {
      g[p] += g[i] * ds[i][ds[i].length - 1 - k]; // fault
    });`;

  it("the sweep's, where all operations that can show it do", async () => {
    const { fault, marked } = (await audited(tape(swap, "add, mul, div, sin"))).get("e")!;
    expect(fault).toMatchObject({
      operations: null,
      detail: "the derivatives of two operands are swapped, in mul, div",
    });
    expect(marked).toMatch(/\/\/ fault/);
  });

  it("nobody's, where only one operation can show it", async () => {
    const { fault, marked, notes } = (await audited(tape(swap, "add, mul, sin"))).get("e")!;
    expect(marked).toBeNull();
    expect(fault!.detail).toMatch(
      /^mul has .* swapped; e\.audit\.ts:7 or the sweep, which adds it at e\.audit\.ts:15/,
    );
    expect(notes).toEqual([]);
  });

  it("not an operation's that the smallest graph does not have", async () => {
    const skipped = "for (let i = o; i > 1; i--) ins[i].forEach((p, k) => { g[p] += g[i] * ds[i][k]; });";
    const result = (await audited(tape(skipped, "add, mul, div, sin"))).get("e")!;
    expect(result.fault).toMatchObject({ class: "unclassified", operations: null });
    expect(page(result)).toMatch(
      /- the cotangent of L is right, that of x is not\n.*- no payment of L \(add\) into x was seen/,
    );
    expect(page(result)).toMatch(/- wrong by itself, in a graph of that one operation: sin/);
  });

  it("the sweep's, though one operation shows it", async () => {
    const larger = `for (let i = o; i >= 0; i--) ins[i].forEach((p, k) => {
      const c = g[i] * ds[i][k];
      if (Math.abs(c) > Math.abs(g[p])) g[p] = c; // fault
    });`;
    const { fault, marked } = (await audited(tape(larger, "add, mul, sin"))).get("e")!;
    expect(fault).toMatchObject({ class: "overwrite", operations: null });
    expect(marked).toMatch(/\/\/ fault/);
  });

  it("names the operand by its place in the call", async () => {
    const text = `${scalars}
      const less = (a: V, b: V) => node(a.x - b.x, [a, b], (o) => { a.g += o.g; b.g += o.g; });
      export const e = audit({ ...base, operations: { sub: less } });`;
    expect((await audited(text)).get("e")!.fault!.detail).toMatch(
      /^sub, in its second operand: 1 instead of -1/,
    );
  });
});

describe("who has paid what", () => {
  it("visited too early a node pays what it has then", async () => {
    const text = `${scalars}
      export const early = audit({ ...base, backward: (r) => { r.g = 1; for (const n of order(r)) n.back(); } });
      export const breadth = audit({ ...base, backward: (r) => {
        r.g = 1; const q = [r], s = new Set(q);
        for (const n of q) { n.back(); for (const p of n.of) if (!s.has(p)) { s.add(p); q.push(p); } }
      } });`;
    const results = await audited(text);
    const { lost, contributions, nodes } = results.get("early")!.smallest!;
    expect(lost).toEqual({ node: "x", from: "a", value: 2, stayed: 1, stayedFrom: "L" });
    const into = contributions
      .filter(({ to }) => to === 0)
      .map(({ from, foreign }) => [nodes[from].name, foreign]);
    expect(into).toEqual([
      ["L", 1],
      ["a", 0],
      ["a", 0],
    ]);
    for (const result of results.values())
      expect(result.smallest!.contributions.map(({ state }) => state)).not.toContain("unknown");
  });

  it("whose of two like contributions is missing is not said", async () => {
    const text = `
      import { auditSweep } from "backsweep";
      export const e = auditSweep((tape, seed) => {
        const bar = tape.map(() => 0), done = new Set<string>();
        bar[tape.length - 1] = seed;
        for (let i = tape.length - 1; i >= 0; i--) tape[i].parents.forEach(([p, d]) => {
          const c = bar[i] * d;
          if (done.has(p + ":" + c)) return;
          done.add(p + ":" + c); bar[p] += c;
        });
        return bar;
      });`;
    const { smallest } = (await audited(text)).get("e")!;
    const { lost, contributions, nodes } = smallest!;
    const users = new Set(
      contributions.filter(({ to }) => nodes[to].name === lost!.node).map(({ from }) => from),
    );
    expect(lost!.from === null || users.size === 1).toBe(true);
  });
});

describe("which value it has", () => {
  it("beside the right one, where it is another", async () => {
    const text = `${scalars}
      const inPlace = (a: V) => { a.x = -a.x; return node(a.x, [a], (o) => { a.g -= o.g; }); };
      const wrong = (a: V) => node(Math.cos(a.x), [a], (o) => { a.g += Math.cos(a.x) * o.g; }); // makes it
      export const changed = audit({ ...base, value: (n) => n.x, operations: { ...two, neg: inPlace } });
      export const cosine = audit({ ...base, value: (n) => n.x, operations: { ...two, sin: wrong } });`;
    const results = await audited(text);
    const values = (engine: string): unknown[] =>
      results.get(engine)!.smallest!.nodes.map(({ gotValue }) => gotValue);
    expect(values("changed")).toEqual([-3, null, -6]);
    expect(values("cosine")).toEqual([null, Math.cos(3)]);
    expect(page(results.get("changed")!)).toMatch(
      /right value +engine's +right cotangent +engine's\n +x +input +3 +-3 +2 +2\n/,
    );
    const { fault, marked } = results.get("cosine")!;
    expect(fault!.detail).toBe("of sin: -0.989992 instead of 0.14112; the function marked makes that node");
    expect(marked).toMatch(/\/\/ makes it/);
  });
});

describe("whose fault it is", () => {
  it("an engine with several: what its smallest graph shows", async () => {
    const text = `${scalars}
      const e = (a: V) => node(Math.exp(a.x), [a], (o) => {
        a.g += o.x; // drops o.g
      });
      const half = (a: V, b: V) => node(a.x * b.x, [a, b], (o) => { a.g += b.x * o.g; b.g = a.x * o.g; });
      export const three = audit({ ...base, operations: { add: plus, mul: half, exp: e }, backward: (r) => { r.g = 1; for (const n of order(r)) n.back(); } });`;
    const { fault, marked } = (await audited(text)).get("three")!;
    expect(fault).toMatchObject({ class: "wrong local derivative", operations: ["exp"] });
    expect(fault!.detail).toMatch(/stored without the cotangent of the node above/);
    expect(marked).toMatch(/drops o\.g/);
  });

  it("the adapter's: a list that does not fit, or holds no numbers; a result that is no node", async () => {
    const text = `${scalars}
      const swept = (tape: any[], seed: number) => { const bar = tape.map(() => 0); bar[tape.length - 1] = seed; for (let i = tape.length - 1; i >= 0; i--) for (const [p, d] of tape[i].parents) bar[p] += bar[i] * d; return bar; };
      export const short = auditSweep((tape, seed) => [seed]);
      export const shifted = auditSweep((tape, seed) => [0, ...swept(tape, seed)]);
      export const empty = auditSweep((tape, seed) => ({ bar: swept(tape, seed) }) as any);
      export const strings = auditSweep((tape, seed) => swept(tape, seed).map(String) as any);
      export const zero = auditSweep((tape) => tape.map(() => 0));
      export const number = audit({ ...base, operations: { ...two, sin: () => 3 as any } });
      export const spare = auditSweep((tape, seed) => [...swept(tape, seed), 0]);`;
    const results = await audited(text);
    const told: Readonly<Record<string, RegExp>> = {
      short:
        /^the sweep returned a list of 1 for a tape of \d+ entries: there must be one cotangent an entry/,
      shifted: /^the sweep returned a list of (\d+) for a tape of \d+ entries/,
      empty: /^the sweep returned an object without a single number by index/,
      strings: /^the cotangent of entry \d+ is a string, not a number/,
      zero: /^every cotangent that the sweep returns is 0 or missing/,
      number: /^sin\(a\) returned 3, which is no node: leaf\(value\) returns an object/,
    };
    for (const [engine, message] of Object.entries(told)) {
      expect(results.get(engine)!.verdict, engine).toBe("unusable");
      expect(results.get(engine)!.message).toMatch(message);
    }
    // what is right is right
    expect(results.get("spare")!.verdict).toBe("clean");
  });

  it("engines that a helper makes stand in the order of the text", async () => {
    const text = `${scalars}
      const make = () => audit(base);
      export const second = make();
      export const first = make();`;
    expect([...(await audited(text)).keys()]).toEqual(["second", "first"]);
  });
});
