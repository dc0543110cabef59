import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { linesOf } from "./fixtures.js";

/** Engines put together at random: style, names, operations, and which of them assigns. */
interface Made {
  readonly text: string;
  readonly faults: readonly number[];
}

const OPS = [
  { name: "add", value: "A + B", parts: ["G", "G"] },
  { name: "mul", value: "A * B", parts: ["G * B", "G * A"] },
  { name: "sub", value: "A - B", parts: ["G", "-G"] },
  { name: "div", value: "A / B", parts: ["G / B", "-G * A / (B * B)"] },
] as const;

function make(style: number, slot: string, back: string, wrong: readonly boolean[]): Made {
  const lines: string[] = [];
  const faults: number[] = [];
  const push = (line: string, fault = false): void => {
    lines.push(line);
    if (fault) faults.push(lines.length);
  };
  if (style === 0) {
    push("class N {");
    push(`  ${slot} = 0; ${back} = () => {};`);
    push("  constructor(v, ins = []) { this.v = v; this.ins = ins; }");
    OPS.forEach(({ name, value, parts }, i) => {
      const fill = (text: string): string =>
        text.replace(/A/g, "this.v").replace(/B/g, "o.v").replace(/G/g, `out.${slot}`);
      push(`  ${name}(o) {`);
      push(`    const out = new N(${fill(value)}, [this, o]);`);
      push(`    out.${back} = () => {`);
      push(`      this.${slot} ${wrong[i] ? "" : "+"}= ${fill(parts[0])};`, wrong[i]);
      push(`      o.${slot} ${wrong[i] ? "" : "+"}= ${fill(parts[1])};`, wrong[i]);
      push("    };");
      push("    return out;");
      push("  }");
    });
    push("}");
  } else {
    push("export function sweep(tape) {");
    push(`  const ${slot} = new Float64Array(tape.length);`);
    push(`  ${slot}[tape.length - 1] = 1;`);
    push("  for (let i = tape.length - 1; i >= 0; i--) {");
    push("    const { op, a, b } = tape[i];");
    push("    switch (op) {");
    OPS.forEach(({ name, parts }, i) => {
      const fill = (text: string): string =>
        text.replace(/A/g, "tape[a].v").replace(/B/g, "tape[b].v").replace(/G/g, `${slot}[i]`);
      push(`      case "${name}":`);
      push(`        ${slot}[a] ${wrong[i] ? "" : "+"}= ${fill(parts[0])};`, wrong[i]);
      push(`        ${slot}[b] ${wrong[i] ? "" : "+"}= ${fill(parts[1])};`, wrong[i]);
      push("        break;");
    });
    push("    }");
    push("  }");
    push("}");
  }
  return { text: lines.join("\n"), faults };
}

describe("engines put together at random", () => {
  it("are reported at the lines that assign, and nowhere else", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(0, 1),
        fc.constantFrom("grad", "_grad", "adj", "cotangent", "bar", "gradient", "derivative", "dx", "delta"),
        fc.constantFrom("_backward", "back", "run", "fn", "pull"),
        fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
        (style, slot, back, wrong) => {
          const { text, faults } = make(style, slot, back, wrong);
          expect(linesOf(text, "a.js", "overwriting-accumulation")).toEqual(faults);
        },
      ),
      { numRuns: 200 },
    );
  });
});
