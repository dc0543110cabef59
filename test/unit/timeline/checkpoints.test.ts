import { describe, expect, it } from "vitest";
import * as B from "../../../engine/index.js";
import { run } from "../../../engine/graph/complete.js";
import type { GraphDefinition } from "../../../engine/graph/definition.js";
import { eventKinds, isStep } from "../../../engine/trace/events.js";

const graph = B.graph({ x: 0.7 }, ({ x }) =>
  B.chain(4, x, (u) => B.sin(B.mul(u, 2))),
) as unknown as GraphDefinition;
const { trace } = run(graph, { schedule: "revolve:2" });
const timeline = new B.Timeline(trace);
const states = new B.CheckpointStates(timeline);

/** The steps of the sweep as words: nodes are 0 (x), then 1 2, 3 4, 5 6, 7 8. */
function words(): string[] {
  const { events } = trace;
  const out: string[] = [];
  for (let row = 0; row < events.n; row++) {
    const kind = eventKinds[events.kind[row]!]!;
    if (isStep[events.kind[row]!] === 0 && kind !== "free" && kind !== "drop") continue;
    const node = events.node[row]!;
    const where =
      node >= 0 ? ` ${node}` : ` ${events.a![row]}${events.b![row]! >= 0 ? ` in ${events.b![row]}` : ""}`;
    out.push(kind + where);
  }
  return out;
}

describe("storage events of a chain of four steps under revolve:2", () => {
  it("stand in true order", () => {
    expect(words()).toEqual(
      `snapshot 0 in 0
advance 1
eval 1
eval 2
drop 1
snapshot 1 in 1
advance 2
eval 3
eval 4
drop 3
advance 3
eval 5
eval 6
drop 5
record 4
eval 7
eval 8
reverse 4
contribute 7
contribute 6
free 7
restore 1 in 1
advance 2
drop 3
record 3
replay 5
replay 6
reverse 3
contribute 5
contribute 4
free 5
restore 1 in 1
free 1 in 1
record 2
replay 3
replay 4
reverse 2
contribute 3
contribute 2
free 3
free 2
restore 0 in 0
free 0 in 0
record 1
replay 1
replay 2
reverse 1
contribute 1
contribute 0
free 1`.split("\n"),
    );
  });

  it("say where each primal is at every position", () => {
    // while its step runs it is there
    const first = 1;
    const seen: string[] = [];
    for (let position = 0; position <= timeline.steps; position++) {
      const state = states.stateAt(first, position);
      if (seen[seen.length - 1] !== state) seen.push(state);
    }
    expect(seen).toEqual(["not-yet", "stored", "dropped", "replayed", "freed"]);
    expect(states.replaysOf(first, timeline.steps)).toBe(1);
    expect(states.replaysOf(7, timeline.steps)).toBe(0);
  });

  it("say what lies in the slots, and what a step does", () => {
    const { slots } = trace;
    expect(slots!.n).toBe(2);
    const most = Math.max(
      ...Array.from({ length: timeline.steps + 1 }, (_, position) => states.slotsAt(position).length),
    );
    expect(most).toBe(2);
    expect(states.slotsAt(timeline.steps)).toEqual([]);
    expect(states.slotsAt(1)).toEqual([
      { row: 0, slot: 0, level: "ram", region: 0, state: 0, what: "state", storedAtStep: 1 },
    ]);
    expect(states.actionAt(1)).toEqual({ kind: "snapshot", segment: -1, state: 0, what: "state", slot: 0 });
    expect(states.actionAt(2)).toMatchObject({ kind: "advance", segment: 1 });
    expect(states.actionAt(3)).toBeNull();
  });

  it("leave fewer primals in the memory bands than everything kept", () => {
    const all = run(graph, {}).report.memory.primalStates.peakCount;
    expect(run(graph, { schedule: "revolve:2" }).report.memory.primalStates.peakCount).toBeLessThan(all);
  });
});
