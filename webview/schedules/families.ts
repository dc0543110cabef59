/** How the schedules of a family are drawn: by shape as well as by colour. */
export interface FamilyLook {
  readonly symbol:
    "circle" | "square" | "triangle" | "diamond" | "cross" | "star" | "wye" | "times" | "plus" | "hexagon";
  readonly colour: string;
  readonly filled: boolean;
}

const looks: Readonly<Record<string, FamilyLook>> = {
  revolve: { symbol: "circle", colour: "var(--bs-hold)", filled: true },
  mixed: { symbol: "circle", colour: "var(--bs-done)", filled: true },
  uniform: { symbol: "square", colour: "var(--bs-flow)", filled: true },
  "uniform-tapes": { symbol: "square", colour: "var(--bs-flow)", filled: false },
  "store-all": { symbol: "triangle", colour: "var(--bs-done)", filled: true },
  none: { symbol: "times", colour: "var(--bs-bad)", filled: false },
  sqrt: { symbol: "diamond", colour: "var(--bs-flow)", filled: true },
  bisection: { symbol: "diamond", colour: "var(--bs-bad)", filled: false },
  online: { symbol: "plus", colour: "var(--bs-hold)", filled: false },
  treeverse: { symbol: "wye", colour: "var(--bs-hold)", filled: true },
  bennett: { symbol: "hexagon", colour: "var(--bs-bad)", filled: true },
  pebble: { symbol: "hexagon", colour: "var(--bs-bad)", filled: false },
  reversible: { symbol: "star", colour: "var(--bs-done)", filled: false },
};

const other: FamilyLook = { symbol: "cross", colour: "var(--bs-fg)", filled: false };

export const lookOf = (family: string): FamilyLook => looks[family] ?? other;

/** Schedules that play the reversible pebble game (Bennett 1989): what they put down they take away by running a step back. */
export function isPebbling(schedule: string): boolean {
  return schedule === "bennett" || schedule.startsWith("pebble");
}
