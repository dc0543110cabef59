/** What-ifs in a session: each a run with all the changes so far, beside the true sweep. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Bench, FAN_OUT, golden } from "./bench.js";

const BRANCHING = `import { graph } from "backsweep";

export const branching = graph({ x: 2, y: 3 }, ({ x, y }) => {
  if (x > 0) {
    const a = x * y;
    return a * a;
  }
  const b = x + y;
  return b * b;
});
`;

let bench: Bench;

beforeAll(async () => {
  bench = await Bench.open({ "fan-out.graph.ts": FAN_OUT, "branching.graph.ts": BRANCHING });
});
afterAll(() => bench?.close());

describe("a what-if", () => {
  it("changes an input, a seed, a cotangent, one on top of the other, until restart", async () => {
    const program = bench.path("fan-out.graph.ts");
    const moves: number[] = [];
    const client = bench.client(moves);
    await client.launch({ program, stopOnEntry: "sweep" });
    for (let i = 0; i < 5; i++) await client.move("next");
    const scope = (await client.scopes()).get("Cotangents")!;
    await client.variables(scope.variablesReference);
    const changed = await client.request<{ value: string }>("setVariable", {
      variablesReference: scope.variablesReference,
      name: "a",
      value: "2 * 21.5",
    });
    expect(changed.value).toBe("43");
    await client.event("stopped");
    // bar(x) = 18 + 43 * 3, bar(y) = 48 + 43 * 2
    await client.move("continue");
    expect(await client.rows("What-if beside the true sweep")).toMatchObject({
      "what if": "bar(a) = 43",
      "bar(x)": "147, true 144, difference 3",
      "bar(y)": "134, true 132, difference 2",
      "changed cotangents": "3",
    });
    await client.request("evaluate", { expression: "x = 3", context: "repl" });
    await client.event("stopped");
    const difference = await client.rows("What-if beside the true sweep");
    expect(difference.L).toBe("324, true 144, difference 180");
    const refused = await client.ask("evaluate", { expression: "b = 3", context: "repl" });
    expect(refused.message).toMatch(/only an input or, with bar/);
    await client.request("evaluate", { expression: "bar(L) = 2", context: "repl" });
    await client.event("stopped");
    expect(await client.rows("What-if beside the true sweep")).toMatchObject({
      "what if": "bar(a) = 43 and x = 3 and bar(L) = 2",
    });
    await client.request("restart");
    expect((await client.event<{ description: string }>("stopped")).description).toMatch(/^The sweep starts/);
    expect((await client.scopes()).has("What-if beside the true sweep")).toBe(false);
    await golden(client, "what-if");
  });

  it("forgets a cotangent that was given where another input leads the program elsewhere", async () => {
    const client = bench.client();
    await client.launch({ program: bench.path("branching.graph.ts"), stopOnEntry: "sweep" }, async () => {
      await client.request("setExceptionBreakpoints", { filters: ["lost", "nonfinite"] });
    });
    await client.move("continue");
    const set = async (expression: string): Promise<string> => {
      await client.request("evaluate", { expression, context: "repl" });
      await client.event("stopped");
      return (await client.rows("What-if beside the true sweep"))["what if"];
    };
    expect(await set("bar(a) = 1")).toBe("bar(a) = 1");
    expect(await client.evaluate("bar(x)")).toBe("3");
    // a given cotangent is no lost contribution: nothing stops on the way
    await client.move("reverseContinue");
    expect((await client.move("continue")).reason).toBe("step");
    expect(await set("x = -1")).toBe("x = -1");
    expect(await client.evaluate("bar(x)")).toBe("4");
    expect(await client.evaluate("b")).toBe("2");
  });
});
