/** A tape of 100,000 nodes: variables come in pages, and no request looks at all of it. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Bench, golden } from "./bench.js";

const LARGE = `import { graph } from "backsweep";

export const large = graph({ x: 0.5, k: 0.999 }, ({ x, k }) => {
  let s = x;
  for (let i = 0; i < 50000; i++) {
    const t = s * k;
    s = t + x;
  }
  return s;
});
`;

let bench: Bench;

beforeAll(async () => {
  bench = await Bench.open({ "large.graph.ts": LARGE });
});
afterAll(() => bench?.close());

describe("a tape of 100,000 nodes", () => {
  it("is paged: scopes know their length, and a page is what is asked for", async () => {
    const program = bench.path("large.graph.ts");
    const client = bench.client();
    await client.launch({ program, stopOnEntry: "sweep" }, async () => {
      await client.request("setBreakpoints", {
        source: { path: program },
        breakpoints: [{ line: 6, condition: "iteration == 25000" }],
      });
    });
    expect((await client.move("continue")).description).toMatch(/^t@25000 is final/);
    const scopes = await client.scopes();
    const primals = scopes.get("Primal values")!;
    expect(primals.indexedVariables).toBe(100_002);
    const page = await client.variables(primals.variablesReference, {
      filter: "indexed",
      start: 50_000,
      count: 3,
    });
    expect(page).toHaveLength(3);
    expect(page[1].name).toMatch(/^[st]@\d+$/);
    expect(await client.variables(primals.variablesReference, { filter: "named" })).toEqual([]);
    const before = scopes.get("Cotangents")!.indexedVariables!;
    await client.move("stepBack");
    const after = (await client.scopes()).get("Cotangents")!.indexedVariables!;
    expect(before - after).toBeGreaterThanOrEqual(0);
    // x has 50,001 uses: its contributions are paged like everything else
    const goal = await client.request<{ targets: { id: number }[] }>("gotoTargets", {
      source: { path: program },
      line: 3,
    });
    expect(goal.targets.length).toBeGreaterThan(0);
    await client.move("continue");
    expect((await client.move("continue")).description).toMatch(/The sweep is over/);
    expect(await client.evaluate("arrived(x)")).toBe("50001");
    expect(await client.evaluate("bar(x)")).toBe(await client.evaluate("d(#100001, x)"));
    await golden(client, "large");
  });

  it("can be paused while it looks for a place whose condition never holds", async () => {
    const program = bench.path("large.graph.ts");
    const client = bench.client();
    await client.launch({ program }, async () => {
      await client.request("setBreakpoints", {
        source: { path: program },
        breakpoints: [{ line: 6, condition: "bar(t) > 1e300" }],
      });
    });
    await client.request("continue", { threadId: 1 });
    const stop = await client.move("pause");
    expect(stop.reason).toBe("pause");
    const step = Number(await client.evaluate("step"));
    expect(step).toBeGreaterThan(0);
    expect(step).toBeLessThan(Number(await client.evaluate("steps")));
    await client.request("disconnect");
  });
});
