/** The look at the text: what passes it is parsed, and no engine may be left out for the sake of speed. */
import { describe, expect, test } from "vitest";
import { looksMinified, mayHoldReverseMode } from "../../../engine/lint/gate.js";
import { lintText } from "../../../engine/lint/lint.js";

/** Lines such as a minifier writes, above the length at which a text counts as minified. */
const minified = (body: string): string => `${body}${"var q=function(a){return a};".repeat(200)}`;

describe("texts of other subjects are left out", () => {
  test.each([
    ["steps on the screen", "const dx = b.x - a.x, dy = b.y - a.y; move(dx * 2, dy * 2);"],
    ["compatibility", "// backwards compatible with version 2\nexport const f = (a) => a * 2;"],
    [
      "a field that is copied",
      "set(options) { this.now = options.now; this.go = () => 1; this.size = n * 2; }",
    ],
    ["a field made of itself", "tick() { this.time = Math.floor(this.time * 1000); }"],
    ["a name that ends in b and is added to", "step(nb) { nb = nb + 1; this.sum = nb; } // function"],
    ["colour ramps of a minifier", minified("c.fillStyle=c.createLinearGradient(0,0,1,1);a.gradient=b*2;")],
    ["short names of a minifier", minified("t.dx=e.dx*n.d;t.delta=e.delta*2;")],
  ])("%s", (_, text) => expect(mayHoldReverseMode(text)).toBe(false));
});

describe("engines pass it", () => {
  test.each([
    ["a field under any name, scaled", "mul() { out.run = () => { this.q = o.v * out.q; }; }"],
    [
      "a field that is handed on by a function",
      "mul() { out.run = () => { this.q += times(o.v, out.q); } } // *",
    ],
    ["entries of fields", "f(y) { y.run = () => y.v.forEach((e, i) => { x.q[i] += e * y.q[i]; }); }"],
    ["an assignment that a formatter broke", "mul() { out.run = () => {\n  this.q =\n    o.v * out.q; }; }"],
    ["entries of a table", "for (const s of steps.toReversed()) q[s.a] = s.w * q[s.out]; // function"],
    ["a map", "const go = (s) => sums.set(s.a, s.w * sums.get(s.out));"],
    ["a short word as a field", "n.dx += w * o.dx;"],
    ["a short word as an array", "dw[i][j] = a[i] * e[j];"],
    ["a short word with an index in its index", "_bar[t.args[k]] += c;"],
    ["a short word as a parameter of a pullback", "export const sq = (x) => [x * x, (bar) => 2 * x * bar];"],
    ["a short word as a key", "return { dx: g * w, dw: g * x };"],
    ["a loop that counts down in its condition", "for (let i = n; i--; ) a[p[i]] += b[i] * c[i];"],
    ["names of adjoints", "export const back = (x, y, zb) => { let yb = 0; yb = yb + x * zb; return yb; };"],
    ["a function that is named as an adjoint", "function polar_b(x, fb) { return 2 * x * fb; }"],
    ["a short slot that is walked", "y.g.forEach((e, i) => { s.g[i] += e * x.v[i]; });"],
    ["fields of a minifier that say gradient", minified("t.grad+=e.data*n.grad;")],
  ])("%s", (_, text) => expect(mayHoldReverseMode(text)).toBe(true));

  test("names of the settings", () => {
    expect(mayHoldReverseMode("x.kraft = 1;")).toBe(false);
    expect(mayHoldReverseMode("x.kraft = 1;", ["kraft"])).toBe(true);
    expect(mayHoldReverseMode("x.kraft = 1;", ["/^kr/"])).toBe(true);
  });
});

test("a minified engine is reported on", () => {
  const text = minified(
    "class V{constructor(t,e=[]){this.data=t,this.grad=0,this.prev=e,this.back=()=>{}}" +
      "add(t){const e=new V(this.data+t.data,[this,t]);return e.back=()=>{this.grad+=e.grad,t.grad+=e.grad},e}" +
      "mul(t){const e=new V(this.data*t.data,[this,t]);return e.back=()=>{this.grad=t.data*e.grad,t.grad=this.data*e.grad},e}}",
  );
  expect(lintText(text, "engine.min.js").reports.map(({ rule }) => rule)).toEqual([
    "overwriting-accumulation",
    "overwriting-accumulation",
  ]);
});

test("one line of data does not make an engine a minified text", () => {
  const weights = `const weights = [${"0.25,-0.5,".repeat(1000)}0];`;
  const engine = `${weights}
    const grads = new Map();
    export const mul = (a, b) => tape.push(() => {
      const g = grads.get(out);
      grads.set(a, b.v * g);
      grads.set(b, (grads.get(b) ?? 0) + a.v * g);
    });
    export const backward = () => { for (const step of tape.reverse()) step(); };`;
  expect(looksMinified(engine)).toBe(false);
  expect(looksMinified(minified("a=1;"))).toBe(true);
  expect(lintText(engine, "engine.js").reports.map(({ line }) => line)).toEqual([5]);
});
