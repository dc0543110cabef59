/**
 * A tape given as (value, parents with local derivatives), the form in which reverse accumulation is usually taught. The
 * last node is the output.
 */
import { activeRecorder } from "../ops/recorder.js";
import { call } from "../tape/callsite.js";
import type { TracedNumber } from "../tape/traced.js";
import { BacksweepError } from "../trace/failure.js";
import { describe } from "./describe.js";
import { isMapped, noMore, notMapped, onlyOptions } from "./arguments.js";
import { definedOrWrong, type GraphDefinition } from "./definition.js";

export type Parent = readonly [index: number, local: number];

export interface TapeNode {
  readonly value: number;
  readonly parents?: readonly Parent[];
  /** shown in the view; default v0, v1, ... */
  readonly name?: string;
}

/** `[value, parents]` pairs are accepted too. */
export type TapeEntry = TapeNode | readonly [value: number, parents?: readonly Parent[]];

function readNodes(entries: readonly TapeEntry[], site: number): TapeNode[] {
  if (!Array.isArray(entries) || entries.length === 0) {
    throw new BacksweepError("definition", "tape([...]): give at least one node", site);
  }
  return entries.map((entry: TapeEntry, i) => {
    const node: TapeNode = Array.isArray(entry)
      ? { value: entry[0], parents: entry[1] ?? [] }
      : (entry as TapeNode);
    if (!Array.isArray(entry))
      onlyOptions(`tape: node ${i}`, ["value", "parents", "name"], node, "{ value: 6, parents: [[0, 3]] }");
    if (typeof node?.value !== "number")
      throw new BacksweepError("definition", `tape: node ${i} has no value`, site);
    for (const parent of node.parents ?? []) {
      const [index, local] = parent;
      if (!Number.isInteger(index) || index < 0 || index >= i) {
        throw new BacksweepError(
          "definition",
          `tape: node ${i} names parent ${index}; parents come before their child (0 to ${i - 1})`,
          site,
        );
      }
      if (typeof local !== "number")
        throw new BacksweepError(
          "definition",
          `tape: node ${i} gives no local derivative for parent ${index}`,
          site,
        );
    }
    return node;
  });
}

/**
 * A graph definition from a recorded tape: nodes without parents are the inputs, the last node is the output.
 *
 * @throws BacksweepError `definition` for a parent that does not come before its child
 */
export function tape(entries: readonly TapeEntry[], ...surplus: never[]): GraphDefinition {
  if (!isMapped([entries, ...surplus])) noMore("tape(entries)", surplus);
  const { site } = call;
  return definedOrWrong(site, () => tapeGraph(entries, site));
}

function tapeGraph(entries: readonly TapeEntry[], site: number): GraphDefinition {
  const nodes = readNodes(entries, site);
  const nameOf = (i: number): string => nodes[i].name ?? `v${i}`;
  const inputs: Record<string, number> = {};
  nodes.forEach((node, i) => {
    if ((node.parents ?? []).length === 0) inputs[nameOf(i)] = node.value;
  });
  return Object.freeze({
    kind: "backsweep.graph" as const,
    inputs,
    options: {},
    site,
    given: true as const,
    fn: (given: Record<string, unknown>) => {
      const recorder = activeRecorder()!;
      const made: TracedNumber[] = [];
      nodes.forEach((node, i) => {
        const parents = node.parents ?? [];
        if (parents.length === 0) {
          made.push(given[nameOf(i)] as TracedNumber);
          return;
        }
        const traced = recorder.given(
          node.value,
          parents.map(([index, local]) => [made[index], local] as const),
          site,
        );
        recorder.name(traced, nameOf(i), 0, -1);
        made.push(traced);
      });
      return made[made.length - 1] as unknown as number;
    },
  });
}

/**
 * Cotangent of every node of a tape, by additive reverse accumulation in reverse order of recording.
 *
 * @param seed cotangent of the last node, default 1
 */
export function reverseAccumulate(entries: readonly TapeEntry[], seed = 1, ...surplus: never[]): number[] {
  notMapped("reverseAccumulate(entries, seed)", [entries, seed, ...surplus]);
  if (typeof seed !== "number")
    throw new BacksweepError(
      "definition",
      `reverseAccumulate(entries, seed): the seed is a number, not ${describe(seed)}`,
      call.site,
    );
  const nodes = readNodes(entries, -1);
  const cotangents = nodes.map(() => 0);
  cotangents[nodes.length - 1] = seed;
  for (let i = nodes.length - 1; i >= 0; i--) {
    for (const [index, local] of nodes[i].parents ?? []) cotangents[index] += cotangents[i] * local;
  }
  return cotangents;
}
