/** Reads what the graph function returned, and seeds the sweep with it. */
import type { Recorder } from "../ops/recorder.js";
import type { FlatTape } from "../sweep/flat.js";
import type { Seed } from "../sweep/reverse.js";
import { meanOf } from "../sweep/mixed.js";
import { filled, sameShape, shapeText, type NDArray } from "../tape/ndarray.js";
import { OP_INPUT } from "../tape/tape.js";
import { isTensor, Tensor } from "../tape/tensor.js";
import { isTraced, idOf, primal, tapeOf } from "../tape/traced.js";
import { BacksweepError } from "../trace/failure.js";
import type { OutputInfo } from "../trace/trace.js";
import type { NodeNames } from "./node-names.js";
import { describe, type GraphOptions } from "./definition.js";
import { arrayOf } from "./inputs.js";

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
    if (isTensor(value)) return tensorOutput(recorder, key, value, cotangent, entries.length, site);
    const seed = seedOf(cotangent, key, entries.length, site);
    if (isTraced(value)) {
      if (!recorder.owns(tapeOf(value))) {
        throw new BacksweepError(
          "definition",
          "the graph returned a traced number of another graph or an earlier run",
          site,
        );
      }
      return { key, node: idOf(value), value: primal(value), cotangent: seed };
    }
    if (typeof value === "number") return { key, node: -1, value, cotangent: seed };
    throw new BacksweepError("definition", wrongOutput(key, value), site);
  });
}

function wrongOutput(key: string | number | null, value: unknown): string {
  if (key === null)
    return `the graph returned ${describe(value)}: return a number, an array or a record of numbers`;
  const where = typeof key === "number" ? `[${key}]` : `"${key}"`;
  const instead = Array.isArray(value)
    ? "make a tensor of it with stack([...]), or an output of each of its numbers"
    : "return numbers and tensors";
  return `the graph's output ${where} is ${describe(value)}, not a number or a tensor: ${instead}`;
}

function entriesOf(result: unknown, site: number): [string | number | null, unknown][] {
  if (isTraced(result) || isTensor(result) || typeof result !== "object" || result === null)
    return [[null, result]];
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

/** An output that is an array: seeded with the option's array, or a number everywhere. */
function tensorOutput(
  recorder: Recorder,
  key: string | number | null,
  value: Tensor,
  cotangent: Cotangent,
  count: number,
  site: number,
): OutputInfo {
  const tape = Tensor.tape(value);
  if (tape !== null && !recorder.owns(tape)) {
    throw new BacksweepError(
      "definition",
      "the graph returned a traced tensor of another graph or an earlier run",
      site,
    );
  }
  const array = Tensor.value(value);
  if (array.shape.length === 0) {
    const seed = seedOf(cotangent, key, count, site);
    return { key, node: Tensor.id(value), value: array.data[0], cotangent: seed };
  }
  const seed = arraySeed(cotangent, key, count, array.shape, site);
  return {
    key,
    node: Tensor.id(value),
    value: meanOf(array),
    cotangent: meanOf(seed),
    array: { shape: array.shape, data: array.data.slice() },
    seed,
  };
}

function arraySeed(
  cotangent: Cotangent,
  key: string | number | null,
  count: number,
  shape: readonly number[],
  site: number,
): NDArray {
  const where = key === null ? "the output" : `output ${key}`;
  let given: unknown = cotangent;
  if (count > 1 || key !== null)
    given = typeof cotangent === "object" ? (cotangent as Record<string, unknown>)[key!] : undefined;
  if (cotangent === undefined) return filled(shape, 1);
  if (typeof given === "number") return filled(shape, given);
  if (given === undefined)
    throw new BacksweepError("option", `the option cotangent gives no array for ${where}`, site);
  const seed = arrayOf(given, "cotangent", site);
  if (!sameShape(seed.shape, shape)) {
    throw new BacksweepError(
      "option",
      `the option cotangent gives the shape ${shapeText(seed.shape)} for ${where}, whose shape is ${shapeText(shape)}`,
      site,
    );
  }
  return seed;
}

/** One seed a node: a node returned twice is seeded with the sum. */
export function mergeSeeds(outputs: readonly OutputInfo[]): Seed[] {
  const seeds = new Map<number, Seed>();
  for (const { node, cotangent, seed } of outputs) {
    if (node < 0) continue;
    const before = seeds.get(node);
    if (before === undefined)
      seeds.set(node, { node, cotangent, ...(seed === undefined ? {} : { array: seed }) });
    else if (seed === undefined) seeds.set(node, { node, cotangent: before.cotangent + cotangent });
    else {
      const data = seed.data.map((c, i) => before.array!.data[i] + c);
      const array = { shape: seed.shape, data };
      seeds.set(node, { node, cotangent: meanOf(array), array });
    }
  }
  return [...seeds.values()];
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
