/** A big sweep in pieces is the same sweep; a cut recording is a recording. */
import { describe, expect, it } from "vitest";
import { layoutTrace } from "../../../engine/layout/layout.js";
import type { HostMessage, SweepView } from "../../../engine/protocol.js";
import { Timeline } from "../../../engine/timeline/timeline.js";
import { nodeExpression, nodeName, primalOf } from "../../../engine/trace/read.js";
import { cutRecording } from "../../../extension/partial.js";
import { parcels } from "../../../extension/parcels.js";
import { Unpacker, type Packed } from "../../../engine/trace/columns.js";
import { changedNodes } from "../../../webview/model/changes.js";
import { factsOf } from "../../../engine/report/facts.js";
import { stoppedText } from "../../../webview/text/stopped.js";
import { randomDag } from "../../e2e/webview/samples.js";
import { views } from "../../e2e/webview/views.js";

function sweepMessage(name: string): HostMessage & { readonly type: "sweep" } {
  return { type: "sweep", sweep: views[name](), step: 7 };
}

describe("parcels", () => {
  it("leaves small messages as they are", () => {
    const message = sweepMessage("fanOut");
    expect(Array.from(parcels(message))).toEqual([message]);
    expect(Array.from(parcels({ type: "stale", stale: true }))).toHaveLength(1);
  });

  it("puts a big one together again, from pieces of at most a mebibyte", () => {
    const trace = randomDag(9_000).trace();
    const sweep: SweepView = { ...views["fanOut"](), trace, positions: null };
    const message = { type: "sweep", sweep, step: 7 } as const;
    const [head, ...rest] = Array.from(parcels(message));
    expect(head.type).toBe("begin");
    expect(rest.length).toBeGreaterThan(1);
    const unpacker = new Unpacker((head as { packed: Packed }).packed);
    for (const part of rest) {
      expect(unpacker.complete).toBe(false);
      const { bytes } = part as { bytes: Uint8Array };
      expect(bytes.byteLength).toBeLessThanOrEqual(1024 * 1024);
      expect(bytes.buffer.byteLength).toBe(bytes.byteLength);
      expect(unpacker.take(bytes)).toBe(bytes.length);
    }
    expect(unpacker.complete).toBe(true);
    expect(unpacker.value()).toEqual(message);
  });
});

describe("numbers JSON has no word for", () => {
  it("reach the view as they are: VS Code writes a message as JSON, all but its typed arrays", () => {
    const small = sweepMessage("fanOut");
    const report = small.sweep.report!;
    const correctGradient = { x: NaN, y: -Infinity, w: [1, Infinity, -0], W: [[2, NaN]] };
    const sweep: SweepView = { ...small.sweep, report: { ...report, correctGradient } };
    const [head, ...rest] = Array.from(parcels({ ...small, sweep }));
    const { packed } = JSON.parse(JSON.stringify(head)) as { packed: Packed };
    const unpacker = new Unpacker(packed);
    for (const part of rest) unpacker.take((part as { bytes: Uint8Array }).bytes);
    expect(unpacker.complete).toBe(true);
    expect(unpacker.value()).toEqual({ ...small, sweep });
  });
});

describe("a stopped recording", () => {
  const whole = views["stopped5000"]().trace;

  it("is cut to its first nodes, with their values, operands and steps", () => {
    const cut = cutRecording(whole, 50);
    expect(cut.nodes.n).toBe(50);
    for (let node = 0; node < 50; node++) {
      expect(primalOf(cut, node)).toBe(primalOf(whole, node));
      expect(nodeName(cut, node)).toBe(nodeName(whole, node));
      expect(nodeExpression(cut, node)).toBe(nodeExpression(whole, node));
    }
    for (let e = 0; e < cut.edges.n; e++) {
      expect(cut.edges.to[e]).toBeLessThan(50);
      expect(cut.values.mean[cut.edges.local[e]]).toBe(whole.values.mean[whole.edges.local[e]]);
    }
    const timeline = new Timeline(cut);
    expect(timeline.steps).toBe(48);
    expect(timeline.forwardSteps).toBe(48);
    expect(factsOf(timeline, 49, 48).status).toBe("unswept");
    expect(factsOf(timeline, 49, 47).status).toBe("unevaluated");
    expect(layoutTrace(cut).shown).toHaveLength(50);
  });

  it("says how much of it is shown", () => {
    expect(stoppedText(whole)).toBe(
      "The run stopped after 5,000 operations (5,002 nodes with the inputs); the first 2,000 nodes are kept, not swept.",
    );
    expect(stoppedText(views["stopped3"]().trace)).toBe(
      "The run stopped after 3 operations (5 nodes with the inputs); all are kept, not swept.",
    );
    // more inputs than nodes are kept: they are not taken for operations
    const [{ first }] = whole.header.inputs;
    const inputs = [{ name: "w", first, count: 4000, shape: [4000] }];
    const cut = stoppedText({ ...whole, header: { ...whole.header, inputs } });
    expect(cut).toContain("after 1,002 operations (5,002 nodes");
  });
});

describe("changedNodes", () => {
  it("names every node whose facts differ between two positions", () => {
    const timeline = new Timeline(randomDag(120).trace());
    for (let from = 0; from <= timeline.steps; from += 3) {
      for (const to of [from + 1, from - 1, from + 7, from - 20]) {
        if (to < 0 || to > timeline.steps) continue;
        const changed = changedNodes(timeline, from, to);
        for (let node = 0; node < timeline.trace.nodes.n; node++) {
          if (changed === null || changed.has(node)) continue;
          expect(factsOf(timeline, node, to)).toEqual(factsOf(timeline, node, from));
        }
      }
    }
  });
});
