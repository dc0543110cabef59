import { describe, expect, it } from "vitest";
import { resolveOptions } from "../../../engine/graph/options.js";
import { record } from "../../../engine/graph/record.js";
import { graph, type GraphDefinition } from "../../../engine/index.js";
import { flatten } from "../../../engine/sweep/flat.js";
import { mixedJacobian, portsSize, type Port } from "../../../engine/sweep/jacobian-mixed.js";
import { jvpSweep } from "../../../engine/sweep/jvp.js";
import { activeNodes, sweepOrder } from "../../../engine/sweep/order.js";

const definition = graph({ v: Float64Array.of(1, 2), x: 3 }, ({ v, x }) => {
  const scaled = v.mul(x);
  return [scaled, v.sum(), scaled, 7];
}) as unknown as GraphDefinition;
const settings = resolveOptions(definition, {});
const { recorder, inputs, outputs } = record({
  definition,
  settings,
  context: { name: "g", graphs: ["g"], root: "", limitBytes: Infinity },
});
const flat = flatten(recorder.tape);
const ports: Port[] = inputs.map(({ first, shape }) => ({ node: first, shape }));
const results: Port[] = outputs.map(({ node, array }) => ({ node, shape: array?.shape ?? [] }));

describe("a Jacobian over arrays", () => {
  it.each(["forward", "reverse"] as const)("has a row an element of the outputs, %s", (orientation) => {
    const nodes = outputs.map(({ node }) => node).filter((node) => node >= 0);
    const { entries, sweeps } = mixedJacobian(flat, ports, results, orientation, {
      order: sweepOrder(flat, activeNodes(flat, nodes), nodes, "breadth", String),
      round: null,
      accumulation: { kind: "kahan" },
      customRules: recorder.customRules,
    });
    expect(portsSize(ports)).toBe(3);
    expect(Array.from(entries)).toEqual([
      ...[3, 0, 1, 0, 3, 2], // v x
      ...[1, 1, 0], // sum v
      ...[3, 0, 1, 0, 3, 2], // the same node again
      ...[0, 0, 0], // a plain number
    ]);
    expect(sweeps).toBe(3);
  });
});

describe("the forward sweep of scalars", () => {
  it("refuses a tape with arrays, whose tangents it would take for 0", () => {
    expect(() => jvpSweep(flat, new Map([[0, 1]]), recorder.customRules)).toThrow(
      "no room for those of arrays",
    );
  });
});
