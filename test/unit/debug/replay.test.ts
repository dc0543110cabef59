/** A segment that is replayed: advance, record and replay are seen as they happen, with the slots. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Bench, golden } from "./bench.js";

const CHAIN = `import { chain, graph } from "backsweep";

export const long = graph({ x: 0.5, k: 1.5 }, ({ x, k }) =>
  chain(6, x, (h) => {
    const s = Math.sin(h);
    return s * k;
  }),
);
`;

let bench: Bench;

beforeAll(async () => {
  bench = await Bench.open({ "chain.graph.ts": CHAIN });
});
afterAll(() => bench?.close());

describe("a sweep under a schedule", () => {
  it("steps into the replay, action by action, with the checkpoint slots beside it", async () => {
    const program = bench.path("chain.graph.ts");
    const client = bench.client();
    await client.launch({ program, schedule: "revolve:2", stopOnEntry: "sweep" });
    const words: string[] = [];
    let replay = "";
    // steps pass over replays; a step in goes through them
    for (let i = 0; i < 45; i++) {
      const stop = await client.move("stepIn");
      words.push(stop.description!);
      if (stop.threadId !== 2) {
        await client.move("stepOut");
        words.push((await client.move("next")).description!);
      }
      if (replay === "" && /is replayed/.test(stop.description!)) {
        replay = stop.description!;
        const checkpoints = (await client.scopes()).get("Checkpoints")!;
        const rows = await client.variables(checkpoints.variablesReference);
        expect(rows.map(({ name }) => name)).toContain("slots");
        const slots = await client.variables(rows.find(({ name }) => name === "slots")!.variablesReference);
        expect(slots.some(({ value }) => /^state \d+, stored at step \d+$/.test(value))).toBe(true);
      }
    }
    expect(replay).not.toBe("");
    expect(words.some((text) => /is restored from slot/.test(text))).toBe(true);
    expect(words.some((text) => /is recorded: it is run/.test(text))).toBe(true);
    await golden(client, "replayed-segment");
  });

  it("breaks on a checkpoint slot, both ways, and finds no mismatch", async () => {
    const client = bench.client();
    await client.launch({ program: bench.path("chain.graph.ts"), schedule: "revolve:2" }, async () => {
      await client.request("setExceptionBreakpoints", { filters: ["mismatch", "lost", "nonfinite"] });
      await client.request("setDataBreakpoints", {
        breakpoints: [{ dataId: "slot(0)" }, { dataId: "slot(9)" }],
      });
    });
    const reasons: string[] = [];
    for (;;) {
      const stop = await client.move("continue");
      reasons.push(stop.reason);
      if (stop.reason !== "data breakpoint") break;
    }
    expect(reasons.length).toBeGreaterThan(2);
    expect(reasons.at(-1)).toBe("step");
    const back: string[] = [];
    for (;;) {
      const stop = await client.move("reverseContinue");
      back.push(stop.reason);
      if (stop.reason !== "data breakpoint") break;
    }
    expect(back).toHaveLength(reasons.length);
  });
});
