/** Branches that look at a traced number as an object: found in a function's own text, and nothing else is. */
import { afterEach, describe, expect, it, vi } from "vitest";
import * as B from "../../../engine/index.js";
import type { Remark } from "../../../engine/index.js";
import { tokensOf } from "../../../engine/graph/function-text.js";
import { plainBranches } from "../../../engine/graph/plain-branches.js";

/** A function made of its text, as plain Node has it: this file's own are rewritten by the test runner. */
const made = (text: string): unknown => new Function("B", `return (${text});`)(B) as unknown;
const found = (text: string): string[] => plainBranches(made(text)).map((one) => one.text);

describe("found", () => {
  it.each([
    ["(x) => x === 0 ? 0 : B.div(B.sin(x), x)", ["x === 0"]],
    ["({ x, y }) => { if (x !== y) return B.mul(x, y); return x; }", ["x !== y"]],
    ["({ x: z }) => 0 === z ? z : B.neg(z)", ["0 === z"]],
    ["(p) => p.x === -1 ? p.y : p.x", ["p.x === -1"]],
    ["(w) => w[0] === w[1] ? w[0] : B.mul(w[0], w[1])", ["w[0] === w[1]"]],
    ["function f({ x }) { const t = B.mul(x, x); return t === 4 ? x : t; }", ["t === 4"]],
    ["({ x }) => B.round(x) === 2 ? x : B.neg(x)", ["B.round(x) === 2"]],
    [
      "({ x }) => { let s = 0; for (const t of x) { if (t === 0) continue; s = B.add(s, t); } return s; }",
      ["t === 0"],
    ],
    ["({ x }) => { switch (x) { case 0: return x; default: return B.mul(x, 2); } }", ["switch (x)"]],
    ["({ x }) => { if (x) return x; return B.exp(x); }", ["if (x)"]],
    ["({ x }) => { if (B.isTensor(x)) return x; if (x) return x; return B.exp(x); }", ["if (x)"]],
    ["({ x }) => { while (B.floor(x)) x = B.sub(x, 1); return x; }", ["while (B.floor(x))"]],
    ["({ x }) => (x ? B.log(x) : 0)", ["x ?"]],
    ["({ x }) => { return !x ? 0 : B.log(x); }", ["!x"]],
    ["({ x }) => x || 1", ["x ||"]],
    ["({ x }) => { const y = x && B.log(x); return y; }", ["x &&"]],
    ['({ x }) => typeof x === "number" ? B.mul(x, 2) : x', ['typeof x === "number"']],
    ["x => x === 0 ? x : B.exp(x)", ["x === 0"]],
    ["function ({ x = 1, y }) { return y === 2 ? x : y; }", ["y === 2"]],
    ["({ x }) => { const s = `${x === 1 ? 2 : 3}`; return B.mul(x, s.length); }", ["x === 1"]],
    ["({ x }) => B.scope(`${1} of ${2}`, () => x) === 2 ? x : B.neg(x)", [expect.stringContaining("=== 2")]],
    [
      "({ x }) => { /* x === 1 */ const r = /x === 1/; return x === 2 ? x : B.mul(x, r.source.length); }",
      ["x === 2"],
    ],
  ])("%s", (text, wanted) => {
    expect(found(text)).toEqual(wanted);
  });
});

describe("not found", () => {
  it.each([
    "({ x, y }) => B.add(B.mul(x, y), x)",
    "({ w }) => { let s = 0; for (let i = 0; i < w.length; i++) s = B.add(s, w[i]); return s; }",
    "({ w }) => w.length === 0 ? 0 : w[0]",
    "({ w }) => { const n = w.length; if (n === 1) return w[0]; return B.add(w[0], w[1]); }",
    "({ x }) => { const n = 3; let s = x; for (let i = 0; i !== n; i++) s = B.mul(s, x); return s; }",
    "({ x }) => { for (let i = 0; i < 3; i++) if (i === 1) return B.mul(x, i); return x; }",
    "({ W }) => W.rank === 2 ? W.sum() : W.size === 1 ? W.item() : W.mean()",
    "({ x, y }) => y === undefined ? x : B.mul(x, y)",
    "({ x, y }) => y === null || y === void 0 ? x : B.mul(x, y)",
    "({ x }) => { const label = 'x === 0'; return B.mul(x, label.length); }",
    "({ x }) => x ?? 1",
    "({ x }) => { const y = B.mul(x, 2); if (B.isTensor(y)) return y.sum(); return y; }",
    "({ x }) => (!B.isTensor(x) || Array.isArray(x) ? B.mul(x, 1) : x.sum())",
    "({ x }) => { const array = ArrayBuffer.isView(x) && x.length > 0; return array ? x[0] : x; }",
    "({ x }) => { const o = { x: 1 }; return o.x === 1 ? x : B.neg(x); }",
    "({ x }) => ({ kept: x, sum: B.add(x, 1) })",
    "({ x }) => { const flags = [true]; if (flags[0]) return x; return B.neg(x); }",
    "({ x }) => { const r = (a) => a / 2 / 1; return B.mul(x, r(4) === 2 ? 1 : 2); }",
    "() => 3",
    "Math.max",
    "class A { f(x) { return x === 1; } }",
  ])("%s", (text) => {
    expect(found(text)).toEqual([]);
  });

  it("in what cannot be read, and in what is no function", () => {
    expect(plainBranches(3)).toEqual([]);
    const endless = Object.assign(() => 1, {});
    vi.spyOn(Function.prototype, "toString").mockReturnValue("(x) => `${ x === ");
    expect(plainBranches(endless)).toEqual([]);
    vi.restoreAllMocks();
  });
});

describe("tokens", () => {
  it("join to the text without its blanks and comments", () => {
    const text =
      "(a) => { /* b */ return `x${ a ? `y${1}` : { z: 1 }.z }w` + a / 2 / /[/]/g.lastIndex; } // c";
    const joined = tokensOf(text)
      .map((token) => token.text)
      .join("");
    expect(joined).toBe("(a)=>{return`x${a?`y${1}`:{z:1}.z}w`+a/2//[/]/g.lastIndex;}");
    for (const { text: own, start, end } of tokensOf(text)) expect(text.slice(start, end)).toBe(own);
  });
});

describe("told", () => {
  const undo: (() => void)[] = [];
  afterEach(() => {
    for (const back of undo.splice(0)) back();
  });

  it("on the console once a function", () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    for (const f of [made("(x) => x === 0 ? 1 : x"), made("(x) => x === 0 ? 1 : x")] as ((
      x: number,
    ) => number)[])
      for (let i = 0; i < 3; i++) B.gradient(f, i + 1);
    expect(warn).toHaveBeenCalledTimes(2);
    vi.restoreAllMocks();
  });

  it("not of functions of ours", () => {
    const heard: Remark[] = [];
    undo.push(B.onWarning((warning) => heard.push(warning)));
    expect([B.relu, B.abs, B.sin].map((f) => B.gradient(f, 0.5))).toEqual([1, 1, Math.cos(0.5)]);
    expect(heard).toEqual([]);
  });

  it("by a definition and by a query, with what to do", () => {
    const heard: Remark[] = [];
    undo.push(B.onWarning((warning) => heard.push(warning)));
    const sinc = made("function sinc(x) { return x === 0 ? 1 : B.div(B.sin(x), x); }") as (
      x: number,
    ) => number;
    B.gradient(sinc, 1);
    B.graph({ x: 1 }, made("({ x }) => (x ? B.log(x) : 0)") as never);
    expect(heard.map(({ code, message }) => [code, message])).toEqual([
      [
        "identity",
        "x === 0 in the function sinc that was not loaded by Backsweep looks at the traced number as an object: " +
          "objects are compared, so it is always false. Load the file with `node --import backsweep/register`, " +
          "or choose with where(c, a, b), max, min and clip",
      ],
      ["identity", expect.stringContaining("x ? in a function that was not loaded by Backsweep") as string],
    ]);
  });

  it("and refused where the listener throws", () => {
    undo.push(
      B.onWarning(({ message }) => {
        throw new Error(message);
      }),
    );
    const f = made("(x) => x === 0 ? 1 : x") as (x: number) => number;
    for (let i = 0; i < 3; i++) expect(() => B.gradient(f, 1)).toThrow("x === 0");
  });
});
