/** Reads what the graph function returned, and seeds the sweep with it. */
import type { Recorder } from "../ops/recorder.js";
import type { FlatTape } from "../sweep/flat.js";
import type { Seed } from "../sweep/reverse.js";
import { OP_INPUT } from "../tape/tape.js";
import { isTraced, idOf, primal, tapeOf } from "../tape/traced.js";
import { BacksweepError } from "../trace/failure.js";
import type { OutputInfo } from "../trace/trace.js";
import type { NodeNames } from "./node-names.js";
import { describe, type GraphOptions } from "./definition.js";

type Cotangent = GraphOptions["cotangent"];

/** The outputs as nodes (or plain numbers) with their seeds. Throws `definition` for what is no output. */
export function readOutputs(
  recorder: Recorder,
  result: unknown,
  cotangent: Cotangent,
  site: number,
): OutputInfo[] {
  const entries = entriesOf(result, site);
  return entries.map(([key, value]) => {
    const seed = seedOf(cotangent, key, entries.length, site);
    if (isTraced(value)) {
      if (tapeOf(value) !== recorder.tape) {
        throw new BacksweepError(
          "definition",
          "the graph returned a traced number of another graph or an earlier run",
          site,
        );
      }
      return { key, node: idOf(value), value: primal(value), cotangent: seed };
    }
    if (typeof value === "number") return { key, node: -1, value, cotangent: seed };
    const where =
      key === null ? "the graph" : `the graph's output ${typeof key === "number" ? `[${key}]` : `"${key}"`}`;
    throw new BacksweepError(
      "definition",
      `${where} returned ${describe(value)}: return a number, an array or a record of numbers`,
      site,
    );
  });
}

function entriesOf(result: unknown, site: number): [string | number | null, unknown][] {
  if (isTraced(result) || typeof result !== "object" || result === null) return [[null, result]];
  const entries: [string | number, unknown][] = Array.isArray(result)
    ? Array.from(result, (value, i) => [i, value])
    : Object.entries(result as object);
  if (entries.length === 0) throw new BacksweepError("definition", "the graph returned no output", site);
  return entries;
}

function seedOf(cotangent: Cotangent, key: string | number | null, count: number, site: number): number {
  let seed: number | undefined;
  if (cotangent === undefined) seed = 1;
  else if (typeof cotangent === "number") seed = count === 1 ? cotangent : undefined;
  else if (key !== null) seed = (cotangent as Record<string, number>)[key];
  if (typeof seed !== "number") {
    const where = key === null ? "the output" : `output ${key}`;
    throw new BacksweepError("option", `the option cotangent gives no number for ${where}`, site);
  }
  return seed;
}

/** One seed a node: a node returned twice is seeded with the sum. */
export function mergeSeeds(outputs: readonly OutputInfo[]): Seed[] {
  const seeds = new Map<number, number>();
  for (const { node, cotangent } of outputs)
    if (node >= 0) seeds.set(node, (seeds.get(node) ?? 0) + cotangent);
  return Array.from(seeds, ([node, cotangent]) => ({ node, cotangent }));
}

/** Where last-writer-wins assigns: every intermediate, everything, or the nodes of one name. */
export function assignMask(
  flat: FlatTape,
  names: NodeNames,
  where: "intermediate" | "all" | { readonly name: string },
): Uint8Array {
  const mask = new Uint8Array(flat.n);
  if (typeof where === "object") {
    let found = false;
    for (let node = 0; node < flat.n; node++) {
      if (names.text(node) !== where.name) continue;
      mask[node] = 1;
      found = true;
    }
    if (!found) throw noSuchNode(flat, names, where.name);
    return mask;
  }
  for (let v = 0; v < flat.n; v++) mask[v] = where === "all" || flat.op[v] !== OP_INPUT ? 1 : 0;
  return mask;
}

/** Names the nodes that may have been meant: instances of the name, else the first few. */
function noSuchNode(flat: FlatTape, names: NodeNames, wanted: string): BacksweepError {
  const all: string[] = [];
  for (let v = 0; v < flat.n && all.length < 10_000; v++) {
    const name = names.text(v);
    if (name !== null) all.push(name);
  }
  const near = all.filter((name) => name.split(/[@[]/)[0] === wanted.split(/[@[]/)[0]);
  const shown = (near.length > 0 ? near : all).slice(0, 6).join(", ");
  return new BacksweepError(
    "option",
    `last-writer-wins:${wanted}: there is no node of that name; there are ${shown}${all.length > 6 ? ", ..." : ""}`,
  );
}
