/** Where the user is, from run to run of the same graph. */
import { describe, expect, it } from "vitest";
import "../../../engine/index.js";
import { sweep } from "../../../engine/graph/queries.js";
import type { Mode, SweepView } from "../../../engine/protocol.js";
import { Standing } from "../../../extension/standing.js";
import { definition } from "../random-graph.js";

const graph = { inputs: [2], steps: [{ op: "mul", a: 0, b: 0, constant: null }], outputs: [] };

function view(accumulate: string, name = "g"): SweepView {
  const { trace, counterpart, report } = sweep(definition(graph), { accumulate });
  const head = { id: 1, graph: name, graphs: [name], fileLabel: "g.graph.ts", uri: "file:///g.graph.ts" };
  return { ...head, trace, counterpart, report, positions: null };
}

function standing(): Standing {
  return new Standing(null, (error) => {
    throw error;
  });
}

const sum = view("sum");
const wrong = view("last-writer-wins");

/** The mode after the next run, of a user who was at step 1 in this one. */
function after(before: SweepView, mode: Mode, now: SweepView): Mode {
  const where = standing();
  where.put(before, { step: 1, mode, selected: 0 });
  where.follow(before, now);
  return where.orStart(now).mode;
}

describe("where the user is", () => {
  it("begins in the sweep that was run", () => {
    expect(standing().orStart(sum)).toEqual({ step: 0, mode: "sum", selected: -1 });
    expect(standing().orStart(wrong).mode).toBe("last-writer-wins");
    expect(standing().in(sum)).toBeNull();
  });

  it("goes with the way a graph is run, and keeps what was chosen against it", () => {
    expect(after(wrong, "last-writer-wins", sum)).toBe("sum");
    expect(after(sum, "sum", wrong)).toBe("last-writer-wins");
    expect(after(sum, "last-writer-wins", sum)).toBe("last-writer-wins");
    expect(after(sum, "last-writer-wins", wrong)).toBe("last-writer-wins");
    const where = standing();
    where.put(view("sum", "other"), { step: 1, mode: "last-writer-wins", selected: 0 });
    where.follow(wrong, view("sum", "other"));
    expect(where.in(view("sum", "other"))?.mode).toBe("last-writer-wins");
  });

  it("is forgotten in a recording that stopped, once another is on screen", () => {
    const where = standing();
    const stopped = { ...sum, trace: { ...sum.trace, header: { ...sum.trace.header, complete: false } } };
    where.put(stopped, { step: 1, mode: "sum", selected: 0 });
    expect(where.in(stopped)?.step).toBe(1);
    expect(where.in(sum)).toBeNull();
    where.leave();
    expect(where.in(stopped)).toBeNull();
  });
});
