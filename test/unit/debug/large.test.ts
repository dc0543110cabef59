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

  it("shows the same on the way back as on the way there, with every view open; prints what a step costs", async () => {
    const program = bench.path("large.graph.ts");
    const client = bench.client();
    client.quiet = true;
    await client.launch({ program, stopOnEntry: "sweep" });
    /** Asks everything the editor asks after a stop; gives what does not depend on the direction one came from. */
    const look = async (): Promise<string> => {
      const seen: [string, string][] = [];
      for (const [scope, { variablesReference, indexedVariables }] of await client.scopes()) {
        const page = indexedVariables === undefined ? {} : { filter: "indexed", start: 0, count: 100 };
        const rows = await client.variables(variablesReference, page);
        // the node in focus is the one paid last, or the one taken back
        if (!scope.startsWith("Contributions")) for (const { name, value } of rows) seen.push([name, value]);
      }
      for (const text of ["bar(x)", "bar(s)", "t", "arrived(x)"]) await client.evaluate(text);
      await client.request("inlineValues", { path: program, line: 1, endLine: 9 });
      return JSON.stringify(seen);
    };
    const spent: number[] = [];
    const step = async (command: string): Promise<string> => {
      const began = process.cpuUsage();
      await client.move(command);
      const seen = await look();
      const { user, system } = process.cpuUsage(began);
      spent.push((user + system) / 1000);
      return seen;
    };
    const there: string[] = [await look()];
    for (let i = 0; i < 150; i++) there.push(await step("next"));
    const back: string[] = [there.at(-1)!];
    for (let i = 0; i < 150; i++) back.push(await step("stepBack"));
    expect(back.reverse()).toEqual(there);
    spent.sort((a, b) => a - b);
    const [median, most] = [spent[spent.length >> 1], spent.at(-1)!];
    console.log(`a step with every view open: median ${median.toFixed(1)} ms, most ${most.toFixed(1)} ms`);
    await client.request("disconnect");
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
