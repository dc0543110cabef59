/** The grammar of derivative texts: precedence, choices, definitions, and what is said of a text that is none. */
import { describe, expect, it } from "vitest";
import { evaluate } from "../../../engine/expr/evaluate.js";
import { parse } from "../../../engine/expr/parse.js";

const value = (text: string, a = 0, b = 0, y = 0): number => evaluate(parse(text, ["a", "b"]), [a, b], y);

describe("a text", () => {
  it.each([
    ["1 + 2 * 3", 7],
    ["(1 + 2) * 3", 9],
    ["10 - 4 - 3", 3],
    ["16 / 4 / 2", 2],
    ["2 ** 3 ** 2", 512],
    ["-2 ** 2", -4],
    ["2 ** -2", 0.25],
    ["2 * -3", -6],
    ["--2", 2],
    ["-a * a", -9],
    ["7 % 4 * 2", 6],
    ["1e2 + .5 + 2. + 3e-1", 102.8],
    ["PI - LN2 / LN10", Math.PI - Math.LN2 / Math.LN10],
    ["max(a, b) + hypot(a, b + 4)", 8],
    ["a", 3],
    ["y", 11],
  ])("%s is %d", (text, want) => {
    expect(value(text, 3, 0, 11)).toBe(want);
  });

  it("chooses like JavaScript, and evaluates only what was chosen", () => {
    const ways: [string, (a: number, b: number) => number][] = [
      ["a < b ? 1 : a == b ? 2 : 3", (a, b) => (a < b ? 1 : a === b ? 2 : 3)],
      ["a <= b && b >= 0 ? 1 : 0", (a, b) => (a <= b && b >= 0 ? 1 : 0)],
      ["a > 0 || b != 0 && a ? 1 : 0", (a, b) => (a > 0 || (b !== 0 && a) ? 1 : 0)],
      ["(a > 0 ? a : -a) * (b ? 2 : 1)", (a, b) => (a > 0 ? a : -a) * (b ? 2 : 1)],
      ["(a > 0 || b > 0) && a < b ? 1 : 0", (a, b) => ((a > 0 || b > 0) && a < b ? 1 : 0)],
    ];
    const points = [-1, 0, 2, NaN, Infinity];
    for (const [text, want] of ways)
      for (const a of points)
        for (const b of points) expect(value(text, a, b), `${text} ${a} ${b}`).toBe(want(a, b));
  });

  it("has definitions behind it, each using operands and later ones", () => {
    expect(value("w * w + v, w = v + a, v = 2 * b", 1, 3)).toBe(55);
    expect(value("max(w, v), w = min(a, b), v = 1", 4, 5)).toBe(4);
    // the definition is one object wherever it is used
    const tree = parse("w * w, w = a + b", ["a", "b"]);
    expect(tree.kind === "apply" && tree.args[0] === tree.args[1]).toBe(true);
  });

  it("may name an operand like a constant", () => {
    expect(evaluate(parse("PI", ["PI"]), [2], 0)).toBe(2);
  });

  it.each([
    ["1 +", 'a number, a name or a parenthesis expected at 3, not "the end"'],
    ["1 2", 'the end expected at 2, not "2"'],
    ["(a", '")" expected'],
    ["a < b", "a number expected"],
    ["1 + (a < b)", "a number expected"],
    ["(a < b) < 1", "a number expected"],
    ["a ? 1", '":" expected'],
    ["sine(a)", 'there is no primitive "sine"'],
    ["toString(a)", 'there is no primitive "toString"'],
    ["sin(a, b)", "sin takes 1 operands, 2 given"],
    ["sin()", "a number, a name or a parenthesis expected"],
    ["c", '"c" is no operand, no constant and not defined'],
    ["constructor", '"constructor" is no operand'],
    ["v, w = 1", '"v" is no operand'],
    ["w, w = w", '"w" is no operand'],
    ["w, w = v, v = w", '"w" is no operand'],
    ["a, w b", '"=" expected'],
    ["a, 1 = b", '"1" is no name'],
    ["a b, w = 1", "the end expected"],
    ["a # b", 'unexpected "#" at 2'],
    ["σ(a)", 'there is no primitive "σ"'],
    ["", "a number, a name or a parenthesis expected"],
  ])("%s is refused", (text, message) => {
    expect(() => parse(text, ["a", "b"])).toThrow(message);
  });
});
