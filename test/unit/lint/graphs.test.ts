import { describe, expect, it } from "vitest";
import { applyEdits, lintText } from "../../../engine/lint/lint.js";

const CLASS = "class V { constructor(x) { this.x = x; this.grad = 0; this.back = () => {}; } }";
const MUL =
  "export function mul(a, b) { const o = new V(a.x * b.x); o.back = () => { a.grad = o.grad * b.x; b.grad = o.grad * a.x; }; return o; }";
const SIN =
  "export function sin(a) { const o = new V(Math.sin(a.x)); o.back = () => { a.grad = o.grad * Math.cos(a.x); }; return o; }";

/** Lines of reports with what they rest on. */
const evidence = (...lines: readonly string[]): [number, string, string][] =>
  lintText([CLASS, MUL, SIN, ...lines].join("\n"), "engine.js").reports.map((report) => [
    report.line,
    report.evidence,
    report.severity,
  ]);

describe("a graph of the file", () => {
  it("proves a fault that a value with two uses reaches", () => {
    // `t` is paid twice by one multiplication, `sq` once
    expect(
      evidence("export function demo() { const t = new V(3); const sq = mul(t, t); return sin(sq); }"),
    ).toEqual([
      [2, "proven-graph", "error"],
      [2, "proven-graph", "error"],
      [3, "structural", "warning"],
    ]);
  });

  it("names the value and its uses", () => {
    const text = [
      CLASS,
      MUL,
      SIN,
      "const w = new V(2), x = new V(3);",
      "const y = mul(w, x);",
      "const z = sin(y);",
      "export const loss = mul(z, y);",
    ].join("\n");
    const [, , report] = lintText(text, "engine.js").reports;
    expect(report.message).toMatch(/ `y` is such a value \(lines 6 and 7\)\.$/);
    expect(report.related.map(({ line, message }) => [line, message])).toEqual([
      [6, "uses `y`, and its contribution replaces the other"],
      [7, "uses `y`, too"],
    ]);
    expect(report.fix).toBeNull();
  });

  it("proves nothing where every value has one use, or where the assigning operation is swept first", () => {
    const once = "const t = new V(3), u = new V(2); export const loss = sin(mul(t, u));";
    expect(evidence(once).map(([, by]) => by)).toEqual(["structural", "structural", "structural"]);
    // `sin(y)` comes last in the graph, so it is swept first: what `mul` pays replaces it
    const last = [
      "const y = new V(3), u = new V(2);",
      "const p = mul(y, u);",
      "export const loss = mul(p, sin(y));",
    ];
    expect(evidence(...last)).toEqual([
      [2, "proven-graph", "error"],
      [2, "structural", "warning"],
      [3, "structural", "warning"],
    ]);
  });

  it("is left out where a chain is taken for granted, and where siblings say more", () => {
    const demo =
      "export const loss = ((t) => mul(t, t))(new V(3)); const s = new V(1); export const q = mul(s, s);";
    const { reports } = lintText([CLASS, MUL, demo].join("\n"), "engine.js", { assumeChain: true });
    expect(reports.map((report) => report.evidence)).toEqual(["single-use", "single-use"]);
    const adds = MUL.replaceAll(".grad = o.grad *", ".grad += o.grad *");
    const siblings = lintText(
      [CLASS, adds, SIN, "const s = new V(1); export const q = mul(sin(s), s);"].join("\n"),
      "e.js",
    );
    expect(siblings.reports.map((report) => report.evidence)).toEqual(["proven-siblings"]);
  });
});

describe("a call of a function that assigns what it is handed", () => {
  const fixed = (text: string): string =>
    applyEdits(
      text,
      lintText(text, "engine.js").reports.flatMap(({ suggestions }) => suggestions[0]?.edits ?? []),
    );

  it("is mended by the sum, where there is no function that adds", () => {
    const text = [
      CLASS,
      "function setGrad(t, g) { t.grad = g; }",
      MUL.replaceAll(".grad = o.grad *", ".grad += o.grad *"),
      "export function neg(a) { const o = new V(-a.x); o.back = () => { setGrad(a, o.grad > 0 ? -o.grad : 0); }; return o; }",
    ].join("\n");
    const after = fixed(text);
    expect(after).toContain("a.grad += o.grad > 0 ? -o.grad : 0;");
    expect(lintText(after, "engine.js").reports).toEqual([]);
  });

  it("is mended element by element, where a buffer is copied into", () => {
    const text = [
      "class T { constructor(data) { this.data = data; this.grad = new Float64Array(data.length); this.back = () => {}; } }",
      "function copyInto(dst, src) { for (let i = 0; i < dst.length; i++) dst[i] = src[i]; }",
      "export function exp(a) { const o = new T(a.data.map(Math.exp)); copyInto(o.data, a.data);",
      "  o.back = () => { copyInto(a.grad, o.grad.map((g, i) => g * o.data[i])); }; return o; }",
    ].join("\n");
    const after = fixed(text);
    expect(after).toContain("a.grad[k] += c[k]");
    expect(lintText(after, "engine.js").reports).toEqual([]);
  });
});
