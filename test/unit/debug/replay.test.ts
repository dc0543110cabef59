/** A segment that is replayed: advance, record and replay are seen as they happen, with the slots. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Debuggee } from "../../../engine/debug/debuggee.js";
import { nextWords } from "../../../engine/debug/words.js";
import { Event } from "../../../engine/trace/events.js";
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

  it("knows that running a step backwards empties the slot of its state, and says so", async () => {
    const recorded = await bench.record(bench.path("chain.graph.ts"), { schedule: "bennett" });
    if (!recorded.ok) throw new Error(recorded.message);
    const debuggee = new Debuggee(recorded.trace);
    const { slots, timeline } = debuggee;
    const { kind, b } = recorded.trace.events;
    let emptied = 0;
    for (let step = 1; step <= timeline.steps; step++) {
      const row = timeline.rowAt(step);
      if (kind[row] !== Event.uncompute || b![row] < 0) continue;
      emptied++;
      expect(slots.at(b![row], step - 1)).toBeDefined();
      expect(slots.at(b![row], step)).toBeUndefined();
      expect(slots.stepsOf(b![row])).toContain(step);
      expect(nextWords(debuggee, step - 1)).toContain(`${slots.title(b![row])} is free`);
    }
    expect(emptied).toBeGreaterThan(0);
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
