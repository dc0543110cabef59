/** Which contribution a faulty sweep lost: from the writes where they were seen, else from the numbers alone. */
import type { Foreign } from "./engine.js";
import type { AuditEdge } from "./graph.js";
import type { Judged } from "./judge.js";
import type { AuditValue, SmallestContribution } from "./result.js";
import { afterOf, nodeFinder } from "./slots.js";
import type { Write } from "./outcome.js";

export interface LostContribution {
  /** node into whose sum it belongs, and the element of an array */
  readonly node: number;
  readonly element: number;
  /** the use that paid it; null where several are lost together */
  readonly from: number | null;
  readonly value: number;
  /** what the sum consists of instead */
  readonly stayed: number | null;
  readonly stayedFrom: number | null;
}

interface Overwrite extends LostContribution {
  readonly write: Write;
}

const near = (a: number, b: number): boolean =>
  Math.abs(a - b) <= 1e-5 * Math.max(Math.abs(a), Math.abs(b)) + 1e-12;

function into(edges: readonly AuditEdge[], node: number): AuditEdge[] {
  return edges.filter((edge) => edge.to === node);
}

/** The edges, four at most, whose contributions make up a sum; null for none. */
function subset(
  edges: readonly AuditEdge[],
  element: number,
  sum: number,
  most = edges.length,
): AuditEdge[] | null {
  const few = edges.slice(0, 8);
  let best: AuditEdge[] | null = null;
  for (let mask = 1; mask < 1 << few.length; mask++) {
    const chosen = few.filter((_, k) => (mask >> k) & 1);
    if (chosen.length > most || (best !== null && chosen.length >= best.length)) continue;
    if (
      near(
        chosen.reduce((total, edge) => total + edge.contribution[element], 0),
        sum,
      )
    )
      best = chosen;
  }
  return best;
}

/** A write that put one contribution where others stood, at a node whose gradient is wrong for it. */
export function overwriteIn(foreign: Foreign, { truth, outcome }: Judged): Overwrite | null {
  const find = nodeFinder(outcome, foreign.form);
  let found: Overwrite | null = null;
  for (const write of outcome.writes) {
    if (write.phase === "forward" || write.object === null) continue;
    if (!["=", "set", "with", "spread"].includes(write.operator)) continue;
    const { before } = write;
    const after = afterOf(write);
    if (typeof before !== "number" || before === 0 || !Number.isFinite(after)) continue;
    const known = find(write);
    const nodes = known === null ? truth.nodes.map((_, v) => v) : [known];
    for (const v of nodes) {
      const edges = into(truth.edges, v);
      if (edges.length < 2) continue;
      for (let i = 0; i < truth.cotangent[v].length; i++) {
        const stood = subset(edges, i, before);
        if (stood === null) continue;
        const rest = edges.filter((edge) => !stood.includes(edge));
        const came = rest.find((edge) => near(edge.contribution[i], after));
        // a use that the output does not depend on pays nothing, over what others have paid
        const nothing = came === undefined && after === 0 && write.value === 0;
        if (!nothing && (came === undefined || near(after, before + came.contribution[i]))) continue;
        const single = stood.length === 1 ? stood[0] : null;
        found = {
          write,
          node: v,
          element: i,
          from: single?.from ?? null,
          value: before,
          stayed: after,
          stayedFrom: came?.from ?? null,
        };
        // the write to the node the symptom is at says most
        if (known !== null) return found;
      }
    }
  }
  return found;
}

/**
 * What is missing at the first wrong input, where the numbers say it: contributions that never arrived, or less of them.
 * @param seen what each use was seen to pay: it counts before what the numbers alone would allow
 */
export function missingAt(
  { truth, outcome, symptom, graph }: Judged,
  seen: readonly SmallestContribution[] = [],
): LostContribution | null {
  if (symptom === null || symptom.kind !== "gradient") return null;
  const lostAt = (node: number, element: number): LostContribution | null => {
    const got = outcome.gradient[node]?.[element] ?? Number.NaN;
    const want = truth.cotangent[node][element];
    const uses = seen.filter(({ to }) => to === node);
    return asSeen(uses, { node, element, got, want }) ?? gap(truth.edges, { node, element, got, want });
  };
  // an intermediate whose own sum is wrong comes first: that is where the contribution was lost
  for (let v = graph.output - 1; v > symptom.node; v--) {
    const told = outcome.gradient[v];
    if (told === null || told === undefined || !truth.active[v]) continue;
    for (let i = 0; i < told.length; i++) {
      if (near(told[i], truth.cotangent[v][i])) continue;
      const lost = lostAt(v, i);
      if (lost !== null) return lost;
    }
  }
  return lostAt(symptom.node, symptom.element);
}

/** A sum that is wrong. */
interface Off {
  readonly node: number;
  readonly element: number;
  readonly got: number;
  readonly want: number;
}

/** The one node all of these come from, or null. */
function oneFrom(uses: readonly { readonly from: number }[]): number | null {
  const [first] = uses;
  return first !== undefined && uses.every(({ from }) => from === first.from) ? first.from : null;
}

const flat = (value: readonly unknown[]): number[] => value.flat(Infinity) as number[];

/** By what each use was seen to pay: which have paid less than was due. Null where that was not seen of all of them. */
function asSeen(
  uses: readonly SmallestContribution[],
  { node, element, got, want }: Off,
): LostContribution | null {
  if (uses.length === 0 || uses.some(({ state }) => state === "unknown")) return null;
  const at = (value: AuditValue | null): number =>
    typeof value === "number" ? value : value === null ? 0 : flat(value)[element];
  const stays = ({ state, foreign }: SmallestContribution): number => (state === "kept" ? at(foreign) : 0);
  const short = uses.filter((use) => !near(stays(use), at(use.right)));
  const missing = short.reduce((sum, use) => sum + at(use.right) - stays(use), 0);
  if (short.length === 0 || !near(missing, want - got)) return null;
  const paid = uses.filter((use) => stays(use) !== 0);
  return { node, element, from: oneFrom(short), value: missing, stayed: got, stayedFrom: oneFrom(paid) };
}

/** By the numbers alone: whole contributions that make up what is missing. Whose they are is said where only one choice does. */
function gap(edges: readonly AuditEdge[], { node, element, got, want }: Off): LostContribution | null {
  const own = into(edges, node);
  const lost = subset(own, element, want - got);
  if (lost === null) return null;
  const amount = (edge: AuditEdge): number => edge.contribution[element];
  // another use that pays the same may be the one that has not
  const sure = lost.every((edge) =>
    own.every(
      (other) => other.from === edge.from || lost.includes(other) || !near(amount(other), amount(edge)),
    ),
  );
  const kept = own.filter((edge) => !lost.includes(edge));
  return {
    node,
    element,
    from: sure ? oneFrom(lost) : null,
    value: want - got,
    stayed: got,
    stayedFrom: sure && kept.length === 1 ? kept[0].from : null,
  };
}

/** How many whole contributions the first wrong input has too few or too many, or null. */
export function remainder({ truth, outcome, symptom }: Judged): { missing: boolean; count: number } | null {
  if (symptom === null || symptom.kind !== "gradient") return null;
  const { node, element } = symptom;
  const off = (outcome.gradient[node]?.[element] ?? Number.NaN) - truth.cotangent[node][element];
  const own = into(truth.edges, node);
  // a gradient of nothing at all says no more than that it is wrong
  const lost = subset(own, element, -off, own.length - 1);
  if (lost !== null) return { missing: true, count: lost.length };
  const extra = subset(own, element, off);
  return extra === null ? null : { missing: false, count: extra.length };
}
