import { describe, expect, it } from "vitest";
import { lintText, SIZE_LIMIT } from "../../../engine/lint/lint.js";

const engine = (comment = "", line = "      this.grad = out.grad * k;"): string =>
  [
    "class V {",
    "  grad = 0; back = () => {};",
    "  constructor(v, ins = []) { this.v = v; this.ins = ins; }",
    "  scale(k) {",
    "    const out = new V(this.v * k, [this]);",
    "    out.back = () => {",
    comment,
    line,
    "    };",
    "    return out;",
    "  }",
    "}",
  ].join("\n");

const counts = (text: string): number[] => {
  const { reports, suppressed, notes } = lintText(text, "a.js");
  return [reports.length, suppressed.length, notes.length];
};

describe("suppression comments", () => {
  it("silence the next line, the line, a stretch, one rule or all", () => {
    expect(counts(engine())).toEqual([1, 0, 0]);
    expect(counts(engine("// backsweep-disable-next-line overwriting-accumulation -- one use"))).toEqual([
      0, 1, 0,
    ]);
    expect(counts(engine("// backsweep-disable-next-line"))).toEqual([0, 1, 0]);
    expect(counts(engine("", "this.grad = out.grad * k; // backsweep-disable-line"))).toEqual([0, 1, 0]);
    expect(counts(`/* backsweep-disable */\n${engine()}\n/* backsweep-enable */`)).toEqual([0, 1, 0]);
  });

  it("that silence nothing are told of", () => {
    expect(counts(engine("// backsweep-disable-next-line same-operand"))).toEqual([1, 0, 1]);
    expect(counts(`/* backsweep-disable */\n/* backsweep-enable */\n${engine()}`)).toEqual([1, 0, 1]);
    const { notes } = lintText("// backsweep-disable-line overwriting-accumulation\nlet x = 1;", "a.js");
    expect(notes).toMatchObject([{ kind: "unused-suppression", line: 1, column: 1 }]);
  });

  it("say of a rule that is none that there is none", () => {
    const text = "// backsweep-disable-next-line overwriting-acumulation\nlet a = 1;\n";
    expect(lintText(text, "a.js").notes[0].message).toBe(
      "this comment silences nothing: there is no rule overwriting-acumulation",
    );
  });
});

describe("files that are not read", () => {
  it("are told of in one note each, and never throw", () => {
    expect(lintText(`// grad\n${"x".repeat(SIZE_LIMIT)}`, "a.js").notes[0].kind).toBe("skipped");
    expect(lintText(`const grad = ${"[\n".repeat(1500)}${"]".repeat(1500)};`, "a.js").notes[0].kind).toBe(
      "skipped",
    );
    expect(lintText(`const grad = ${"(\n".repeat(100000)}`, "a.js").notes).toHaveLength(1);
    const broken = lintText("const grad = ;;; class {{{", "a.ts");
    expect(broken.notes[0]).toMatchObject({ kind: "syntax", line: 1 });
    expect(lintText("", "a.ts")).toEqual({ reports: [], suppressed: [], notes: [] });
  });

  it("are given up with a note where every name is made of all others", () => {
    const names = 600;
    const lines = ["export function backward(out, grad) {"];
    for (let i = 0; i < names; i++) lines.push(`let v${i} = grad * ${i};`);
    for (let i = 0; i < names; i++)
      for (const k of [1, 2, 3])
        lines.push(`v${i} = v${(7 * i + k) % names} + v${(i + 13 * k) % names} * grad;`);
    for (let i = 0; i < names; i++) lines.push(`out.left${i}.grad = v${i};`);
    const { reports, notes } = lintText([...lines, "}"].join("\n"), "a.js");
    expect(reports).toEqual([]);
    expect(notes).toMatchObject([{ kind: "skipped", message: "too entangled to be followed: not linted" }]);
  });

  it("with an error that can be stepped over are linted all the same", () => {
    expect(lintText(`${engine()}\nlet a; let a;`, "a.js").reports).toHaveLength(1);
  });

  it("are read as JavaScript, JSX, TypeScript or TSX by their ending", () => {
    expect(lintText(`${engine()}\nconst view = <p>{1}</p>;`, "a.jsx").reports).toHaveLength(1);
    expect(lintText(`${engine()}\nconst view = <p>{1}</p>;`, "a.js").reports).toHaveLength(1);
    expect(lintText(`${engine()}\nconst n = <number>1;`, "a.ts").reports).toHaveLength(1);
    expect(lintText(`${engine()}\nconst n: number = 1; const v = <b>x</b>;`, "a.tsx").reports).toHaveLength(
      1,
    );
  });
});

describe("what a minifier wrote", () => {
  // `d` and `g` are gradients in an engine that a person wrote
  const short = engine("", "      this.d = out.d * k;").replace("grad = 0", "d = 0").replace(/\n\s*/g, " ");

  it("says nothing by short names, whether it is one line or many long ones", () => {
    const spread = short.replace(/; /g, ";\n");
    expect(lintText(spread, "a.js").reports).toHaveLength(1);
    expect(lintText(`${spread}\n${"f(x);".repeat(700)}`, "a.js").reports).toEqual([]);
    expect(
      lintText([short, ...Array<string>(20).fill(`var k = "${"x".repeat(300)}";`)].join("\n"), "a.js")
        .reports,
    ).toEqual([]);
  });
});
