/** Whether an engine computes in binary32: its numbers say so, or it cannot tell apart what binary32 cannot. */
import type { Foreign } from "./engine.js";
import { randomAuditGraph, type Limits } from "./generate.js";
import { isTameGraph, truthOf, type AuditGraph } from "./graph.js";
import { CaseStream } from "./stream.js";

type Reading = readonly (Float64Array | null | undefined)[];

const isSingle = (x: number): boolean => Object.is(x, Math.fround(x));

/** Every number that can be read is a binary32 number. */
export function allBinary32(reading: Reading): boolean {
  return reading.every((data) => data === null || data === undefined || data.every(isSingle));
}

/** Graphs tried on two inputs that are one in binary32, and how far apart these are. */
const PAIRS = 24;
const APART = 1 + 2 ** -32;
/** Change of a derivative that no engine in doubles rounds away. */
const VISIBLE = 1e-11;
const ITEM = 0x60000000;

const known = new WeakMap<Foreign, boolean>();

/**
 * True where values are kept in binary32, though gradients may be doubles: on inputs a little apart some gradient that
 * should change stays the same to the last bit. Found out once an engine, when a gradient is off by little.
 */
export function computesInBinary32(foreign: Foreign): boolean {
  let single = known.get(foreign);
  // what is asked for on the way must not ask again
  if (single === undefined) {
    known.set(foreign, false);
    known.set(foreign, (single = findOut(foreign)));
  }
  return single;
}

function findOut(foreign: Foreign): boolean {
  const only = foreign.operations.flatMap(({ kind, value }, i) =>
    kind === "elementwise" && value !== null ? [i] : [],
  );
  if (only.length === 0 || foreign.form === "sweep") return false;
  const limits: Limits = {
    operations: foreign.operations,
    only,
    shapes: [foreign.shape],
    lastIsOutput: true,
    seeds: [1],
  };
  for (let item = 0; item < PAIRS; item++) {
    const graph = randomAuditGraph(new CaseStream(0, ITEM + item), item, limits);
    const beside: AuditGraph = {
      ...graph,
      inputs: graph.inputs.map(({ shape, data }) => ({ shape, data: data.map((x) => x * APART) })),
    };
    if (!isTameGraph(beside, foreign.operations)) continue;
    const [a, b] = [foreign.run(graph), foreign.run(beside)];
    if (a.trouble !== null || b.trouble !== null) continue;
    const [here, there] = [truthOf(graph, foreign.operations), truthOf(beside, foreign.operations)];
    for (let v = 0; v < graph.inputs.length; v++) {
      const [x, y] = [a.gradient[v], b.gradient[v]];
      if (x === null || y === null) continue;
      for (let i = 0; i < x.length; i++) {
        const change = Math.abs(here.cotangent[v][i] - there.cotangent[v][i]);
        if (change > VISIBLE * here.scale[v][i] && x[i] !== 0 && x[i] === y[i]) return true;
      }
    }
  }
  return false;
}
