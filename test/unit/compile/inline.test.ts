/** Operations on plain numbers stay in place: what they read twice, and loops that rarely look for a stop. */
import { afterEach, describe, expect, it } from "vitest";
import { connectMonitor, StopRequest } from "../../../engine/compile/runtime/index.js";
import { load } from "./harness.js";

afterEach(() => connectMonitor(new Int32Array(8)));

/** The same in the rewritten program and in the plain one. */
async function both(body: string): Promise<[unknown, unknown]> {
  const files = { "main.ts": `export function run() {\n${body}\n}` };
  const results = [];
  for (const mode of ["rewritten", "stripped"] as const) {
    const { namespace } = await load(files, mode);
    results.push((namespace.run as () => unknown)());
  }
  return results as [unknown, unknown];
}

describe("operands that are read twice", () => {
  for (const [what, body] of Object.entries({
    "a variable that the right side assigns to":
      "let a = 1; const b = a + (a = 5) * (a += 2); return [a, b];",
    "a variable that a call on the right assigns to":
      "let a = 2; const f = () => (a = 10); return a * f() - a;",
    "an accessor, once":
      "let n = 0; const o = { get x() { return ++n; } }; return [o.x * o.x, o.x - 1, -o.x, n];",
    "an accessor of the global object, once":
      "let n = 0; Object.defineProperty(globalThis, 'counted', { get: () => ++n, configurable: true }); const r = [counted * 2, n]; delete globalThis.counted; return r;",
    "an accessor of the global object that is counted up, added to and stored, once each":
      "let n = 0; const seen = []; Object.defineProperty(globalThis, 'counted', { get: () => ++n, set: (x) => seen.push(x), configurable: true }); const r = [counted++, ++counted, counted += 1, counted -= n, --counted, n, seen]; delete globalThis.counted; return r;",
    "an element's array that the value assigns to":
      "let a = [1, 2], b = a, i = 0; a[i] = ((a = [5]), i = 1, 7) * 2; a[i++] += i * 3; return [a, b, i];",
    "elements of a typed array":
      "const a = new Uint8Array(3); let i = 0; a[i++] = 257 + i; a[i] = '7'; a[i] -= 9; a[2] = a[0] * 200; return [[...a], i];",
    "arguments of a function of the module, in order":
      "const log = []; function f(x, y = log.push('default')) { log.push(x); return y; } const r = [f(f(1, 2), (log.push('last'), 3)), f(log.push('one')), f(...[4, 5])]; return [r, log];",
    "a function of the module that is assigned to, shadowed or a parameter":
      "function f(x) { return x + 1; } function g(x) { return x + 2; } const h = (g) => g(1) + f(1); f = (x) => x * 10; { function f(x) { return -x; } return [f(3), h((x) => x * 7)]; }",
    "a default that calls its function":
      "const f = (n, x = n * (n > 0 ? f(n - 1) : 1) + n) => x; return f(5);",
    "a field whose initialiser makes another":
      "let n = 4; class C { d = n--; x = this.d * (n > 0 ? new C().x : 1) - this.d; } return new C().x;",
    "a static block":
      "let s = 0; class C { static { for (let i = 0; i < 3; i++) s = s * 2 + i; } } return s;",
    "a generator that is left in between":
      "function* g(k) { return k * (yield) - k * (yield); } const [a, b] = [g(2), g(3)]; a.next(); b.next(); a.next(5); b.next(7); return [a.next(1).value, b.next(1).value];",
    "a compound assignment":
      "let x = 3; x += x++ * 2; x **= 2; x -= -x; const o = { y: 2 }; o.y *= (o.y = 5); return [x, o.y];",
    "other kinds of value":
      "const s = 'a'; let t = s + 1; t += 2; const u = 3n * 2n; return [t, String(u), null + 1, [1] + 1, true - 1];",
    comparisons:
      "const f = (a, b) => [a < b, a <= b, a > b, a >= b, a == b, a != b, a === b, a !== b]; return [f(1, 2), f('b', 'a'), f(NaN, NaN), f(2n, 2), f(null, 0)];",
  })) {
    it(what, async () => {
      const [rewritten, plain] = await both(body);
      expect(rewritten).toEqual(plain);
    });
  }

  it("a variable that is not initialised yet", async () => {
    for (const body of ["return a * 2; let a = 1;", "return 2 - a; let a = 1;", "a += 1; let a = 1;"]) {
      const { namespace } = await load({ "main.ts": `export function run() { ${body} }` }, "rewritten");
      expect(namespace.run as () => unknown).toThrow("Cannot access 'a' before initialization");
    }
  });
});

describe("short loops", () => {
  for (const body of [
    "let i = 0; for (;;) i++;",
    "let s = 1; while (true) { s = s * 0.5 + 1; if (s < 0) continue; }",
    "let s = 0; do s += 1; while (s > 0);",
    "for (;;) { try { [].x.y; } catch { } }",
  ]) {
    it(`are stopped: ${body}`, async () => {
      const { namespace } = await load({ "main.ts": `export function run() { ${body} }` }, "rewritten");
      const monitor = new Int32Array(8);
      monitor[1] = 1;
      connectMonitor(monitor);
      expect(namespace.run as () => unknown).toThrow(StopRequest);
    });
  }

  it("are stopped while they turn", async () => {
    const monitor = new Int32Array(8);
    const { namespace } = await load(
      {
        "main.ts":
          "export function run(w: Int32Array) { for (let i = 0; ; i++) if (i === 100000) w[1] = 1; }",
      },
      "rewritten",
    );
    connectMonitor(monitor);
    expect(() => (namespace.run as (w: Int32Array) => void)(monitor)).toThrow(StopRequest);
  });
});
