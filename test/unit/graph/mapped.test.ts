/** What `Array.map` hands over beside an element is not taken for an argument that has a default. */
import { describe, expect, it } from "vitest";
import * as B from "../../../engine/index.js";

const library = B as unknown as Readonly<Record<string, (...given: unknown[]) => unknown>>;

/** What is thrown, with its kind. */
function refusal(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    if (!(error instanceof B.BacksweepError)) throw error;
    return `${error.kind}: ${error.message}`;
  }
  return "nothing was refused";
}

/** `map` hands its function an index and the list as well: the index must not be taken for an argument that has a default. */
describe("functions given to map", () => {
  const xs = [-2, -1, 3];
  const given = (name: string, list: readonly unknown[] | Float64Array = xs): string =>
    refusal(() => (list as unknown[]).map(library[name]));

  it.each([
    ["leakyRelu", "slope", "list.map((x) => leakyRelu(x))"],
    ["elu", "alpha", "list.map((x) => elu(x))"],
    ["normal", "deviation", "list.map((mean) => normal(mean))"],
    ["clip", "the index and the list", "clip(x, low, high)"],
    ["where", "the index and the list", "where(condition, a, b)"],
  ])("%s is refused, and told what to write", (name, what, written) => {
    for (const list of [xs, [5], Float64Array.from(xs)]) {
      expect(given(name, list)).toMatch(/^definition: /);
      expect(given(name, list)).toContain(what);
      expect(given(name, list)).toContain(written);
    }
  });

  it("traced numbers too", () => {
    const g = B.graph({ x: 3, y: -1 }, ({ x, y }) => {
      const [a, b] = [x, y].map(library.leakyRelu) as number[];
      return B.add(a, b);
    });
    expect(refusal(() => B.gradient(g))).toContain("write list.map((x) => leakyRelu(x))");
    const right = B.graph({ x: 3, y: -1 }, ({ x, y }) => {
      const [a, b] = [x, y].map((z) => B.leakyRelu(z));
      return B.add(a, b);
    });
    expect(B.gradient(right)).toEqual({ x: 1, y: 0.01 });
  });

  it("a list of tapes has no seeds", () => {
    const tapes = [[{ value: 1 }], [{ value: 2 }]];
    expect(refusal(() => tapes.map(library.reverseAccumulate))).toContain("it would be the seed");
    expect(tapes.map(library.tape)).toHaveLength(2);
  });

  /** Every exported function that takes the index for something gives other numbers than one by one, or says no. */
  it("no function of one argument gives other numbers than one by one", () => {
    const one = (name: string, x: unknown): unknown => {
      try {
        return library[name](x);
      } catch {
        return "refused";
      }
    };
    const silent: string[] = [];
    let compared = 0;
    for (const name of Object.keys(library)) {
      if (typeof library[name] !== "function" || name === "Tensor") continue;
      // a draw differs from call to call; it belongs to a graph, and is refused here
      const list = [0.5, 0.25, 0.75];
      const wanted = list.map((x) => one(name, x));
      if (!wanted.every((x) => typeof x === "number")) continue;
      compared++;
      let got: unknown;
      try {
        got = list.map(library[name]);
      } catch {
        continue;
      }
      if (JSON.stringify(got) !== JSON.stringify(wanted)) silent.push(name);
    }
    expect(silent).toEqual([]);
    expect(compared).toBeGreaterThan(40);
  });

  it("reduce hands over the running value first, which is right for functions of two", () => {
    expect(xs.reduce(library.add as never)).toBe(0);
    expect(xs.reduce(library.max as never)).toBe(3);
  });

  it("what asks for nothing takes an index", () => {
    const g = B.graph({ x: 3 }, ({ x }) => {
      const draws = Array.from({ length: 3 }, library.random as () => number);
      const stopped = [x, x].map(library.stopGradient) as number[];
      return B.mul(x, B.add(draws[2], stopped[1]));
    });
    const alone = B.graph({ x: 3 }, ({ x }) => {
      const draws = [B.random(), B.random(), B.random()];
      return B.mul(x, B.add(draws[2], B.stopGradient(x)));
    });
    expect(B.gradient(g)).toEqual(B.gradient(alone));
  });
});
