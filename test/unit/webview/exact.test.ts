/** Where there is no error to draw, it is said: a logarithmic axis has no place for nothing. */
import { expect, it } from "vitest";
import { mul, add, graph, spread } from "../../../engine/index.js";
import { exactSums, exactWords } from "../../../webview/text/exact.js";

type SpreadFormat = Parameters<typeof exactSums>[0];
type SchemeAnswer = Parameters<typeof exactWords>[0];

function scheme(errors: readonly (number | null)[]): SchemeAnswer {
  const rows = errors.map((error, i) => ({ step: 2 ** -i, error, truncation: null, cancellation: null }));
  return { rows } as SchemeAnswer;
}

it.each([
  [[0.1, 0.2], false, ""],
  [[0, 0, 0], true, "No rounding error was found: at each of 3 steps"],
  [[0, null], true, "at each of 1 step the"],
  [[0, 0.5, 0, null], false, "At 2 of 3 steps no rounding error was found"],
  [[null, null], true, "No difference quotient could be taken at any step."],
  [[], true, "No difference quotient could be taken at any step."],
])("of errors %j: instead of a drawing %j, %j", (errors, all, text) => {
  const words = exactWords(scheme(errors));
  expect(words.all).toBe(all);
  expect(words.text).toContain(text);
  expect(words.text === "").toBe(text === "");
});

it("sums that every order gets right are said to be exact, others are not", () => {
  const fanOut = graph({ x: 2, y: 3 }, ({ x, y }) => {
    const a = mul(x, y);
    return mul(add(a, x), mul(a, y));
  });
  const table = spread(fanOut, "x") as unknown as { formats: SpreadFormat[] };
  for (const format of table.formats)
    expect(exactSums(format)).toMatch(/every order gives the exact sum, 144,/);
  const off = table.formats.map(({ modes, ...rest }) => ({
    ...rest,
    modes: modes.map((mode, i) => (i > 0 ? mode : { ...mode, all: { ...mode.all, worstUlps: 1 } })),
  }));
  for (const format of off) expect(exactSums(format as SpreadFormat)).toBe("");
});
