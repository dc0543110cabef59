/** What arrived at a node, handed to the uses that have paid it. */
import { dueOf, near, type Arrivals, type Arrived, type Seen, type Told } from "./arrivals.js";
import type { AuditEdge } from "./graph.js";

interface Given {
  /** the cotangent the engine tells of a node, null where it does not */
  readonly told: Told;
  readonly standing: Seen["standing"];
}

/** Payments by the use that has paid them, in order. */
export type Handed = Map<AuditEdge, Arrived[]>;

/**
 * Hands what arrived in one element to the uses that have paid it: equal numbers first; what is left in order, where as
 * many uses as numbers are left. Null: who paid what cannot be told.
 */
function handed(
  edges: readonly AuditEdge[],
  { arrivals, element, told, standing }: Given & { readonly arrivals: Arrivals; readonly element: number },
): Handed | null {
  const { list } = arrivals;
  const due = (edge: AuditEdge): number | null => dueOf(edge, told);
  const out: Handed = new Map(edges.map((edge) => [edge, []]));
  const alone = edges.every(({ from }) => from === edges[0].from);
  if (list.length > edges.length && !arrivals.dead) {
    if (!alone || !inRounds(edges, list)) return null;
    list.forEach((payment, i) => out.get(edges[i % edges.length])!.push(payment));
    return out;
  }
  const timely = byTime(edges, list, standing);
  if (timely !== null) return timely;
  const free = new Set<Arrived>(list);
  let open = edges;
  // by the cotangents the engine tells first: a child that has a wrong one hands on what it has
  for (const owed of [due, (edge: AuditEdge) => edge.contribution[element]])
    open = open.filter((edge) => {
      const want = owed(edge);
      const same = [...free].find(({ value }) => want !== null && near(value, want));
      if (same === undefined) return true;
      out.get(edge)!.push(same);
      free.delete(same);
      return false;
    });
  // a use that the output does not depend on may have paid it; it has no edge
  const zeros = arrivals.dead ? [...free].filter(({ value }) => value === 0) : [];
  if (zeros.length > 0 && open.length > 0) return null;
  for (const zero of zeros) free.delete(zero);
  // one of two uses that owe the same has not paid: which, the numbers do not say
  const alike = (a: AuditEdge): boolean =>
    edges.some(
      (b) => b.from !== a.from && near(due(a) ?? a.contribution[element], due(b) ?? b.contribution[element]),
    );
  if (free.size === 0) return open.some(alike) ? null : out;
  if (free.size !== open.length || !(alone || free.size === 1)) return null;
  [...free].forEach((payment, i) => out.get(open[i])!.push(payment));
  return out;
}

/**
 * True of a child that pays all of its slots as often as it is passed on: each time what it has then, times the local
 * derivatives.
 */
function inRounds(edges: readonly AuditEdge[], list: readonly Arrived[]): boolean {
  if (list.length % edges.length !== 0) return false;
  if (edges.length === 1) return true;
  if (edges.some(({ local }) => local.length !== 1 || local[0] === 0)) return false;
  return list.every(({ value }, i) => {
    const first = i - (i % edges.length);
    return near(value / edges[i % edges.length].local[0], list[first].value / edges[0].local[0]);
  });
}

/**
 * By what each use had to hand on when the payment came: visited too early it has less than in the end. Null: some payment
 * is nobody's, some use has paid nothing, or there are two ways to tell it.
 */
function byTime(
  edges: readonly AuditEdge[],
  list: readonly Arrived[],
  standing: Seen["standing"],
): Handed | null {
  if (list.length !== edges.length) return null;
  const fits = edges.map(({ from, local, contribution }) =>
    list.flatMap((payment, i) => {
      if (local.length !== 1 || contribution.length !== 1) return [];
      const had = standing(from, payment.at);
      return had !== null && near(had * local[0], payment.value) ? [i] : [];
    }),
  );
  // whichever of them was this use's, it was the same
  const same = ({ value, kept }: Arrived, i: number): boolean =>
    near(list[i].value, value) && list[i].kept === kept;
  if (!fits.every(([first, ...more]) => first === undefined || more.every((i) => same(list[first], i))))
    return null;
  const whose: (number | undefined)[] = list.map(() => undefined);
  const place = (edge: number, tried: Set<number>): boolean =>
    fits[edge].some((i) => {
      if (tried.has(i)) return false;
      tried.add(i);
      const holder = whose[i];
      if (holder !== undefined && !place(holder, tried)) return false;
      whose[i] = edge;
      return true;
    });
  if (!edges.every((_, edge) => place(edge, new Set()))) return null;
  return new Map(whose.map((edge, i) => [edges[edge!], [list[i]]]));
}

/** The same for all elements; null too where they do not agree on how often each use has paid, and what stayed. */
export function handedOver(
  edges: readonly AuditEdge[],
  arrivals: readonly Arrivals[],
  given: Given,
): Handed[] | null {
  const all: Handed[] = [];
  const shapeOf = (payments: Handed): string =>
    edges
      .map((edge) =>
        payments
          .get(edge)!
          .map(({ kept }) => (kept ? "k" : "l"))
          .join(""),
      )
      .join(" ");
  for (const [element, list] of arrivals.entries()) {
    const payments = handed(edges, { arrivals: list, element, ...given });
    if (payments === null || (all.length > 0 && shapeOf(payments) !== shapeOf(all[0]))) return null;
    all.push(payments);
  }
  return all;
}
