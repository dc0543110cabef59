/** Random programs over numbers, strings, bigints, null and objects: the rewritten one does what the plain one does. */
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { installRealm } from "../../../../engine/compile/runtime/index.js";
import { load } from "../harness.js";

const literal = fc.constantFrom(
  "0",
  "-0",
  "1",
  "2.5",
  "-3",
  "NaN",
  "Infinity",
  '""',
  '"7"',
  '"abc"',
  "true",
  "null",
  "undefined",
  "3n",
  "-2n",
  "[]",
  "[4]",
  "({})",
  'box("m", 6)',
  'box("s", "9")',
  'box("b", 5n)',
  "sym",
  "new Date(5)",
);
const target = fc.constantFrom(
  "a",
  "b",
  "o.p",
  "o.g",
  'o["p"]',
  "o[k()]",
  "xs[i]",
  "xs[i++]",
  "f().p",
  "f()[k()]",
  "c.v",
  "c.twice",
  // an accessor of the global object that nobody declares, and elements that convert what they are given
  "counted",
  "bytes[i]",
  "bytes[k2()]",
);
const binary = fc.constantFrom(
  "+",
  "-",
  "*",
  "/",
  "%",
  "**",
  "<",
  "<=",
  ">",
  ">=",
  "==",
  "!=",
  "===",
  "!==",
  "&",
  "|",
  "^",
  "<<",
  ">>",
  ">>>",
  "&&",
  "||",
);
const assign = fc.constantFrom(
  "=",
  "+=",
  "-=",
  "*=",
  "/=",
  "%=",
  "**=",
  "&=",
  "|=",
  "<<=",
  ">>>=",
  "&&=",
  "||=",
  "??=",
);

const { expression } = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { depthSize: "medium", withCrossShrink: true },
    literal,
    target,
    fc.tuple(tie("expression"), binary, tie("expression")).map(([l, op, r]) => `((${l}) ${op} (${r}))`),
    fc
      .tuple(fc.constantFrom("-", "+", "!", "~", "typeof ", "void "), tie("expression"))
      .map(([op, x]) => `(${op}(${x}))`),
    fc.tuple(target, assign, tie("expression")).map(([x, op, y]) => `(${x} ${op} ${y})`),
    fc.tuple(fc.constantFrom("++", "--"), target).map(([op, x]) => `(${op}${x})`),
    fc.tuple(target, fc.constantFrom("++", "--")).map(([x, op]) => `(${x}${op})`),
    fc
      .tuple(tie("expression"), tie("expression"), tie("expression"))
      .map(([x, y, z]) => `(${x} ? ${y} : ${z})`),
    fc.tuple(tie("expression"), tie("expression")).map(([x, y]) => `call(${x}, ${y})`),
    fc.tuple(tie("expression"), tie("expression")).map(([x, y]) => `own(${x}, ${y})`),
    tie("expression").map((x) => `own(${x})[0]`),
    fc.tuple(tie("expression"), tie("expression")).map(([x, y]) => `((${x}) ?? (${y}))`),
    fc.tuple(tie("expression"), tie("expression")).map(([x, y]) => `(${x}, ${y})`),
    tie("expression").map((x) => `\`<\${${x}}>\``),
    tie("expression").map((x) => `o?.p?.[${x}]`),
    tie("expression").map((x) => `((v) => v + ${x})(1)`),
    tie("expression").map(
      (x) => `(() => { switch (${x}) { case 1: return "one"; case a: return "a"; default: return "d"; } })()`,
    ),
    tie("expression").map((x) => `((n = 0) => { while (n++ < 3) if (${x}) break; return n; })()`),
  ),
}));

const prelude = `
const log = []; const note = (x) => { log.push(typeof x === "symbol" ? "sym" : String(x)); return x; };
const sym = Symbol("s"); const box = (n, v) => ({ valueOf() { note("valueOf " + n); return v; }, toString() { note("toString " + n); return n; } });
let a = 1, b = "x", i = 0; const xs = [1, 2n, "3"]; const o = { p: 4, get g() { note("get g"); return 5; }, set g(v) { note("set g"); } };
const k = () => { note("k"); return "p"; }; const f = () => { note("f"); return o; }; const call = (...v) => { note("call"); return v[0]; };
class C { #v = 2; get v() { return this.#v; } set v(x) { note("set v"); this.#v = x; } get twice() { return this.#v * 2; } } const c = new C();
let n = 0; Object.defineProperty(globalThis, "counted", { get() { note("get counted"); return n; }, set(v) { note("set counted"); n = v; }, configurable: true });
const bytes = new Uint8Array([3, 4, 5]); const k2 = () => { note("k2"); return 2; };
function own(x, y = note("default")) { note("own " + typeof x + " " + typeof y); return [x, y]; }
const safe = (g) => { try { return g(); } catch (e) { return e instanceof Error ? e.name + ": " + e.message : e; } };
const text = (v) => (typeof v === "object" && v !== null ? "object" : Object.is(v, -0) ? "-0" : typeof v + " " + String(v));
`;

describe("random expressions", () => {
  const uninstall = installRealm(globalThis);
  afterAll(uninstall);
  it("mean the same", async () => {
    const programs = fc.sample(expression, { seed: 20261129, numRuns: 1500 });
    const body = programs.map((p, n) => `note("#${n}"); note(text(safe(() => ${p})));`).join("\n");
    const state =
      "note(text(a)); note(text(b)); note(i); note(text(o.p)); note(text(c.v)); note(xs.map(text).join()); note(bytes.join()); note(text(n)); delete globalThis.counted;";
    const source = `${prelude}\n${body}\n${state}\nexport { log };`;
    uninstall();
    const plain = (await load({ "main.js": source }, "stripped")).namespace.log as string[];
    const restore = installRealm(globalThis);
    const rewritten = (await load({ "main.js": source }, "rewritten")).namespace.log as string[];
    restore();
    expect(plain.length).toBeGreaterThan(1500);
    const first = plain.findIndex((line, n) => line !== rewritten[n]);
    if (first >= 0) {
      const marker = plain.slice(0, first).findLast((line) => line.startsWith("#"))!;
      const from = plain.lastIndexOf(marker);
      const shown = [
        programs[Number(marker.slice(1))],
        plain.slice(from, first + 1),
        rewritten.slice(from, first + 1),
      ];
      expect.fail(JSON.stringify(shown, null, 1));
    }
    expect(rewritten).toEqual(plain);
  });
});
