import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonMistake } from "../../../runner/json-place.js";

describe("jsonMistake", () => {
  it("finds none in what JSON.stringify writes", () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.constantFrom(undefined, 1, "\t"),
        (value, space) => jsonMistake(JSON.stringify(value, null, space)) === null,
      ),
    );
  });

  it("agrees with JSON.parse on damaged texts", () => {
    const damaged = fc
      .tuple(
        fc.jsonValue(),
        fc.nat(200),
        fc.constantFrom("", ",", "]", "}", '"', "x", "1", "\\", "[", "{", ":"),
      )
      .map(([value, at, sign]) => {
        const text = JSON.stringify(value);
        const place = at % (text.length + 1);
        return text.slice(0, place) + sign + text.slice(place + 1);
      });
    fc.assert(
      fc.property(damaged, (text) => {
        let valid = true;
        try {
          JSON.parse(text);
        } catch {
          valid = false;
        }
        return (jsonMistake(text) === null) === valid;
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ['{ "a": ]}', 7],
    ["[1, 2", 5],
    ["[1,]", 3],
    ['{"a" 1}', 5],
    ["", 0],
    ["1 2", 2],
  ])("%s goes wrong at %i", (text, at) => {
    expect(jsonMistake(text)).toBe(at);
  });

  it("goes as deep as the text", () => {
    expect(jsonMistake("[".repeat(1e6) + "]".repeat(1e6))).toBe(null);
  });
});
