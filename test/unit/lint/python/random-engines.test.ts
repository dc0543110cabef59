import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reported } from "./engines.js";

/** Engines put together at random: style, names, operations, and which of them assigns. */
interface Made {
  readonly text: string;
  readonly faults: readonly string[];
}

const OPS = [
  { name: "__add__", value: "A + B", parts: ["G", "G"] },
  { name: "__mul__", value: "A * B", parts: ["G * B", "G * A"] },
  { name: "__sub__", value: "A - B", parts: ["G", "-G"] },
  { name: "__truediv__", value: "A / B", parts: ["G / B", "-G * A / B ** 2"] },
] as const;

function make(style: number, slot: string, back: string, wrong: readonly boolean[]): Made {
  const lines: string[] = [];
  const faults: string[] = [];
  const push = (line: string, fault = false): void => {
    lines.push(line);
    if (fault) faults.push(`${lines.length} overwriting-accumulation`);
  };
  const sign = (i: number): string => (wrong[i] ? "=" : "+=");
  if (style === 0) {
    push("class N:");
    push("    def __init__(self, v, ins=()):");
    push(`        self.v, self.ins, self.${slot}, self.${back} = v, ins, 0.0, None`);
    OPS.forEach(({ name, value, parts }, i) => {
      const fill = (text: string): string =>
        text.replace(/A/g, "self.v").replace(/B/g, "o.v").replace(/G/g, `out.${slot}`);
      push(`    def ${name}(self, o):`);
      push(`        out = N(${fill(value)}, (self, o))`);
      push(`        def ${back}():`);
      push(`            self.${slot} ${sign(i)} ${fill(parts[0])}`, wrong[i]);
      push(`            o.${slot} ${sign(i)} ${fill(parts[1])}`, wrong[i]);
      push(`        out.${back} = ${back}`);
      push("        return out");
    });
  } else {
    const holder = style === 1 ? "[0.0] * len(tape)" : "{}";
    push("def sweep(tape):");
    push(`    ${slot} = ${holder}`);
    push(`    ${slot}[tape[-1].out] = 1.0`);
    push("    for e in reversed(tape):");
    push("        a, b = e.inputs");
    OPS.forEach(({ name, parts }, i) => {
      const fill = (text: string): string =>
        text.replace(/A/g, "e.x").replace(/B/g, "e.y").replace(/G/g, `${slot}[e.out]`);
      const value = (key: string, text: string): string =>
        style === 2 && !wrong[i] ? `= ${slot}.get(${key}, 0.0) + ${fill(text)}` : `${sign(i)} ${fill(text)}`;
      push(`        ${i === 0 ? "if" : "elif"} e.op == "${name}":`);
      push(`            ${slot}[a] ${value("a", parts[0])}`, wrong[i]);
      push(`            ${slot}[b] ${value("b", parts[1])}`, wrong[i]);
    });
    push(`    return ${slot}`);
  }
  return { text: lines.join("\n"), faults };
}

describe("Python engines put together at random", () => {
  it("are reported at the lines that assign, and nowhere else", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(0, 1, 2),
        fc.constantFrom("grad", "_grad", "adj", "cotangent", "bar", "gradient", "derivative", "dx", "delta"),
        fc.constantFrom("_backward", "back", "run", "fn", "pull"),
        fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
        (style, slot, back, wrong) => {
          const { text, faults } = make(style, slot, back, wrong);
          expect(reported(text), text).toEqual(faults);
        },
      ),
      { numRuns: 150 },
    );
  });
});
