/**
 * What arrived in the sums of an engine that was watched: its writes to gradient slots as payments, in order, each with
 * whether it stayed. They are believed only where one write goes on where the one before it has ended, and where they
 * come to the cotangent the engine tells. What cannot be believed is not told: a view would show it as the engine's doing.
 */
import type { Foreign } from "./engine.js";
import type { AuditEdge } from "./graph.js";
import type { Judged } from "./judge.js";
import type { Write } from "./outcome.js";
import { afterOf, slotFinder } from "./slots.js";

export interface Arrived {
  readonly value: number;
  /** false: something else was written in its place */
  readonly kept: boolean;
  /** when: its place among all writes */
  readonly at: number;
}

/** The payments into one element of a node. */
export interface Arrivals {
  readonly list: readonly Arrived[];
  /** what stood there before the first, and still does */
  readonly leftover: number;
  /** something stood there before the first: then what is not in the list may have been paid unseen */
  readonly begun: boolean;
  /** there are uses that the output does not depend on: they may pay nothing by a write */
  readonly dead: boolean;
}

export const near = (a: number, b: number): boolean =>
  Object.is(a, b) || Math.abs(a - b) <= 1e-6 * Math.max(Math.abs(a), Math.abs(b)) + 1e-12;

/** One write as numbers. */
interface Change {
  readonly site: number;
  readonly at: number;
  readonly adds: boolean;
  readonly before: number;
  readonly after: number;
}

/** Writes of one slot, by node and element. */
type Chains = Map<number, Map<number, Change[] | null>>;

const assigning = new Set(["=", "set", "with", "spread"]);

function changeOf(write: Write, at: number): Change | null {
  const { operator, before } = write;
  const after = afterOf(write);
  const adds = operator === "+=" || operator === "-=";
  if (!Number.isFinite(after) || !(adds || assigning.has(operator))) return null;
  // what is no number yet is a slot that nothing was written to
  const from = typeof before === "number" ? before : before === undefined || before === null ? 0 : NaN;
  return Number.isNaN(from) ? null : { site: write.site, at, adds, before: from, after };
}

/** The chains of every slot that is written to; a null chain has a break, or a write that is no payment. */
function chainsOf(foreign: Foreign, { outcome, symptom }: Judged): Map<unknown, Chains> {
  const find = slotFinder(outcome, foreign.form);
  const phase = symptom?.kind === "second sweep" ? "again" : "backward";
  const slots = new Map<unknown, Chains>();
  for (const [at, write] of outcome.writes.entries()) {
    if (write.phase !== phase) continue;
    const place = find(write);
    if (place === null) continue;
    let chains = slots.get(place.slot);
    if (chains === undefined) slots.set(place.slot, (chains = new Map()));
    let elements = chains.get(place.node);
    if (elements === undefined) chains.set(place.node, (elements = new Map()));
    const change = changeOf(write, at);
    const chain = elements.get(place.element);
    const broken =
      change === null ||
      chain === null ||
      (chain !== undefined && !Object.is(chain[chain.length - 1].after + 0, change.before + 0));
    elements.set(place.element, broken ? null : [...(chain ?? []), change]);
  }
  return slots;
}

/** The cotangent an engine tells of a node, null where it does not. */
export type Told = (node: number) => Float64Array | null;

/** What a use owes by the cotangent the engine tells of it; null where that is not told, and of arrays. */
export function dueOf({ contribution, from, local }: AuditEdge, told: Told): number | null {
  const bar = told(from);
  return contribution.length === 1 && local.length === 1 && bar !== null && bar.length === 1
    ? bar[0] * local[0]
    : null;
}

/** Operand slots that hold a node, whether the output depends on them or not. */
function usesOf({ graph }: Judged, node: number): number {
  return graph.steps.reduce((n, { operands }) => n + operands.filter((v) => v === node).length, 0);
}

/** What an element of a node can be paid, by our sweep and by the cotangents the engine tells. */
function candidates(judged: Judged, edges: readonly AuditEdge[], told: Told, element: number): number[] {
  const out: number[] = [];
  for (const edge of edges) {
    out.push(edge.contribution[element]);
    const owed = dueOf(edge, told);
    if (owed !== null) out.push(owed);
  }
  // uses that the output does not depend on pay nothing, and may do so by a write
  if (edges.length > 0 && usesOf(judged, edges[0].to) > edges.length) out.push(0);
  return out;
}

/** What assignments of one statement do over what stands there, as far as their numbers tell. */
interface Habit {
  adds: boolean;
  overwrites: boolean;
}

const isOf = (known: readonly number[], x: number): boolean => known.some((c) => near(c, x));

/** A statement adds where each of its differences is a contribution, overwrites where each of its values is one, or none. */
function habitsOf(
  chains: Chains,
  known: (node: number, element: number) => readonly number[],
): Map<number, Habit> {
  const habits = new Map<number, Habit>();
  for (const [node, elements] of chains)
    for (const [element, chain] of elements)
      for (const { site, adds, before, after } of chain ?? []) {
        if (adds || before === 0) continue;
        const habit = habits.get(site) ?? { adds: true, overwrites: true };
        habits.set(site, habit);
        const can = known(node, element);
        habit.adds &&= isOf(can, after - before);
        habit.overwrites &&= after === 0 || isOf(can, after);
      }
  return habits;
}

/** A chain read as payments; where a statement may do both, `doubt` decides. Null: it does neither. */
function read(
  chain: readonly Change[],
  { known, habits, dead }: { known: readonly number[]; habits: Map<number, Habit>; dead: boolean },
  doubt: keyof Habit,
): Arrivals | null {
  let list: Arrived[] = [];
  let leftover = chain[0]?.before ?? 0;
  for (const { site, at, adds, before, after } of chain) {
    if (adds) list.push({ value: after - before, kept: true, at });
    else if (before === 0) {
      if (after !== 0 || isOf(known, 0)) list.push({ value: after, kept: true, at });
    } else {
      const habit = habits.get(site)!;
      if (!habit.adds && !habit.overwrites) return null;
      const over = habit.overwrites && (!habit.adds || doubt === "overwrites");
      if (over) {
        list = list.map((one) => ({ ...one, kept: false }));
        leftover = 0;
      }
      // a slot that is cleared is paid nothing
      if (!over) list.push({ value: after - before, kept: true, at });
      else if (after !== 0 || isOf(known, 0)) list.push({ value: after, kept: true, at });
    }
  }
  return { list, leftover, begun: chain[0].before !== 0, dead };
}

/** How many payments are contributions that were due, each once. */
function due({ list }: Arrivals, edges: readonly AuditEdge[], element: number): number {
  const open = edges.map(({ contribution }) => contribution[element]);
  let count = 0;
  for (const { value } of list) {
    const at = open.findIndex((c) => near(c, value));
    if (at < 0) continue;
    open.splice(at, 1);
    count++;
  }
  return count;
}

/** Of two readings the one in which more was due; null where that does not tell them apart. */
function likelier(adding: Arrivals, over: Arrivals, due: (arrivals: Arrivals) => number): Arrivals | null {
  if (JSON.stringify(adding) === JSON.stringify(over)) return adding;
  const [a, b] = [due(adding), due(over)];
  return a === b ? null : a > b ? adding : over;
}

/** What was seen of an engine's sums. */
export interface Seen {
  /** payments into a node, one list an element; null where nothing that can be believed was seen */
  readonly into: (node: number) => readonly Arrivals[] | null;
  /** what stood in a number's sum just before a write, null where that was not seen */
  readonly standing: (node: number, at: number) => number | null;
}

/** @param told the cotangent the engine tells of a node, null where it does not */
export function arrivalsOf(foreign: Foreign, judged: Judged, told: Told): Seen {
  const edgesInto = (node: number): AuditEdge[] => judged.truth.edges.filter(({ to }) => to === node);
  const chains = gradientSlot(chainsOf(foreign, judged), told);
  const known = (node: number, element: number): number[] =>
    candidates(judged, edgesInto(node), told, element);
  const habits = habitsOf(chains, known);
  const standing: Seen["standing"] = (node, at) => {
    const chain = chains.get(node)?.get(0);
    if (chain === null || chain === undefined) return null;
    return chain.findLast((change) => change.at < at)?.after ?? chain[0].before;
  };
  const into: Seen["into"] = (node) => {
    const edges = edgesInto(node);
    const got = told(node);
    const out: Arrivals[] = [];
    for (let element = 0; element < judged.truth.cotangent[node].length; element++) {
      const chain = chains.get(node)?.get(element);
      if (chain === null || chain === undefined) return null;
      if (got !== null && !near(chain[chain.length - 1].after, got[element])) return null;
      const given = { known: known(node, element), habits, dead: usesOf(judged, node) > edges.length };
      const adding = read(chain, given, "adds");
      const over = read(chain, given, "overwrites");
      if (adding === null || over === null) return null;
      const chosen = likelier(adding, over, (arrivals) => due(arrivals, edges, element));
      if (chosen === null) return null;
      out.push(chosen);
    }
    return out;
  };
  return { into, standing };
}

/** Nodes have other fields that are counted up and down; the gradient's is the one that ends as the engine tells. */
function gradientSlot(slots: Map<unknown, Chains>, told: Told): Chains {
  let best: Chains = new Map();
  let most = 0;
  for (const chains of slots.values()) {
    let fits = 0;
    for (const [node, elements] of chains)
      for (const [element, chain] of elements) {
        const got = told(node)?.[element];
        if (chain !== null && got !== undefined && near(chain[chain.length - 1].after, got)) fits++;
      }
    if (fits > most) [best, most] = [chains, fits];
  }
  return best;
}
