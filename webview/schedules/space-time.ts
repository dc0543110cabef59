/**
 * The space-time diagram: the chain to the right, time down, a row an action. Snapshots are upright bars for as long as
 * they are held, advances are arrows, recordings and reversals are boxes; a pebble that is taken away by running its step
 * again ends in a ring.
 */
import { HoldFlag, MarkKind, type SpaceTime } from "../../engine/report/space-time.js";
import { s, setAttribute } from "../dom.js";
import { arrow, axisX, dot, drawPlot, gridX, link, rect, type Drawn } from "../plot/plot.js";
import { countText } from "../plot/units.js";

const LEFT = 34;
const RIGHT = 14;
const TOP = 26;
const BOTTOM = 10;
const TALLEST_ROW = 14;
const LEAST_ROW = 2;
/** The whole diagram is in sight where its rows can be told apart. */
const TALLEST = 640;
const SHORTEST = 320;
/** what stands above and below it in the panel */
const AROUND = 330;

export interface Look {
  /** what was executed is dimmed below the present moment; a plan is not */
  readonly executed: boolean;
  /** states are pebbles */
  readonly pebbles: boolean;
}

export class SpaceTimePlot {
  private plot: Drawn | null = null;
  private diagram: SpaceTime | null = null;
  private line: SVGGElement | null = null;
  private veil: SVGRectElement | null = null;
  private bottom = 0;

  constructor(private readonly pick: (row: number) => void) {}

  draw(width: number, diagram: SpaceTime, look: Look, moment: number): SVGSVGElement {
    const tallest = Math.min(TALLEST, Math.max(SHORTEST, window.innerHeight - AROUND));
    const rowHeight = Math.min(TALLEST_ROW, Math.max(LEAST_ROW, tallest / Math.max(1, diagram.rows)));
    const height = TOP + BOTTOM + Math.max(60, diagram.rows * rowHeight);
    const plot = drawPlot({
      width,
      height,
      marginLeft: LEFT,
      marginRight: RIGHT,
      marginTop: TOP,
      marginBottom: BOTTOM,
      x: { domain: [0, diagram.steps], axis: null },
      y: { domain: [0, Math.max(1, diagram.rows)], range: [TOP, height - BOTTOM], axis: null },
      marks: marksOf(diagram, look, width, rowHeight),
    });
    this.plot = plot;
    this.diagram = diagram;
    this.bottom = height - BOTTOM;
    this.veil = s("rect", { x: 0, width, class: "veil", "data-not-saved": "" });
    this.line = s(
      "g",
      { class: "now-line", "data-not-saved": "" },
      s("line", { x1: LEFT - 8, x2: width - RIGHT }),
      s("path", { d: "M4 -5V5H9L14 0L9 -5Z" }),
      s("text", { x: 2, y: -8, "text-anchor": "start" }),
    );
    this.line.lastElementChild!.textContent = look.executed ? "now" : "here";
    if (look.executed) plot.append(this.veil);
    plot.append(this.line);
    this.now(moment);
    this.drag(plot);
    return plot;
  }

  /** Rows above `moment` have happened. */
  now(moment: number): void {
    if (this.plot === null || this.line === null || this.veil === null) return;
    const y = this.plot.scale("y")!.apply(moment) as number;
    setAttribute(this.line, "transform", `translate(0 ${y})`);
    setAttribute(this.veil, "y", y + 1);
    setAttribute(this.veil, "height", Math.max(0, this.bottom - y));
  }

  private drag(svg: SVGSVGElement): void {
    const to = (event: PointerEvent): void => {
      const { top, height } = svg.getBoundingClientRect();
      const y = ((event.clientY - top) * svg.viewBox.baseVal.height) / Math.max(1, height);
      const row = Math.round(Number(this.plot?.scale("y")?.invert?.(y) ?? 0));
      this.pick(Math.min(this.diagram?.rows ?? 0, Math.max(0, row)));
    };
    svg.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      svg.setPointerCapture(event.pointerId);
      to(event);
    });
    svg.addEventListener("pointermove", (event) => {
      if (svg.hasPointerCapture(event.pointerId)) to(event);
    });
  }
}

interface Run {
  readonly kind: MarkKind;
  readonly row: number;
  readonly from: number;
  readonly to: number;
}

interface Hold {
  readonly x: number;
  readonly state: number;
  readonly since: number;
  readonly until: number;
  readonly flags: number;
}

function marksOf({ marks, holds, steps }: SpaceTime, look: Look, width: number, rowHeight: number) {
  const runs: Run[] = Array.from({ length: marks.n }, (_, i) => ({
    kind: marks.kind[i] as MarkKind,
    row: marks.row[i],
    from: marks.from[i],
    to: marks.to[i],
  }));
  const held: Hold[] = Array.from({ length: holds.n }, (_, i) => ({
    // a tape belongs to its step, which lies between two states
    x: holds.state[i] + (holds.flags[i] & HoldFlag.tape ? 0.5 : 0),
    state: holds.state[i],
    since: holds.since[i],
    until: holds.until[i],
    flags: holds.flags[i],
  }));
  const of = (...kinds: MarkKind[]): Run[] => runs.filter(({ kind }) => kinds.includes(kind));
  const with_ = (flag: number, on: boolean): Hold[] =>
    held.filter(({ flags }) => ((flags & flag) !== 0) === on);
  const states = with_(HoldFlag.tape, false);
  const middle = ({ row }: Run): number => row + 0.5;
  const box = {
    x1: ({ from }: Run) => from,
    x2: ({ to }: Run) => to,
    y1: ({ row }: Run) => row + 0.14,
    y2: ({ row }: Run) => row + 0.86,
    insetLeft: 2.5,
    insetRight: 1,
    rx: Math.min(2.5, rowHeight / 4),
  };
  const runsOver = { x1: ({ from }: Run) => from, x2: ({ to }: Run) => to, y1: middle, y2: middle };
  const bar = { x1: "x", x2: "x", y1: "since", y2: "until" } as const;
  const head = Math.min(5, Math.max(2.5, rowHeight / 2.4));
  return [
    gridX({ ticks: Math.max(2, Math.floor(width / 90)), stroke: "var(--bs-card-line)", strokeOpacity: 0.55 }),
    axisX({
      anchor: "top",
      ticks: Math.max(2, Math.floor(width / 90)),
      tickSize: 0,
      label: null,
      tickFormat: (value: number) => (Number.isInteger(value) && value <= steps ? countText(value) : ""),
    }),
    link(heldTapes(runs), { ...bar, stroke: "var(--bs-sum)", strokeWidth: 4, strokeOpacity: 0.5 }),
    link(with_(HoldFlag.tape, true), { ...bar, stroke: "var(--bs-sum)", strokeWidth: 4, strokeOpacity: 0.5 }),
    link(
      states.filter(({ flags }) => (flags & HoldFlag.disk) === 0),
      { ...bar, stroke: "var(--bs-hold)", strokeWidth: 3 },
    ),
    link(
      states.filter(({ flags }) => (flags & HoldFlag.disk) !== 0),
      { ...bar, stroke: "var(--bs-hold)", strokeWidth: 3, strokeDasharray: "4 2" },
    ),
    rect(of(MarkKind.record), { ...box, fill: "var(--bs-bg)", stroke: "var(--bs-sum)", strokeWidth: 1.2 }),
    rect(of(MarkKind.reverse, MarkKind.recordAndReverse), { ...box, fill: "var(--bs-sum)" }),
    arrow(of(MarkKind.advance), {
      ...runsOver,
      stroke: "var(--bs-flow)",
      strokeWidth: 1.8,
      headLength: head,
    }),
    arrow(of(MarkKind.uncompute), {
      ...runsOver,
      stroke: "var(--bs-done)",
      strokeWidth: 1.8,
      strokeDasharray: "3 2",
      headLength: head,
    }),
    dot(of(MarkKind.restore), {
      x: "from",
      y: "row",
      r: Math.min(3, rowHeight / 3),
      fill: "var(--bs-bg)",
      stroke: "var(--bs-hold)",
    }),
    ...(look.pebbles
      ? [
          dot(states, { x: "state", y: "since", r: Math.min(5, rowHeight / 2), fill: "var(--bs-hold)" }),
          dot(
            states.filter(({ flags }) => (flags & HoldFlag.uncomputed) !== 0),
            {
              x: "state",
              y: "until",
              r: Math.min(5, rowHeight / 2),
              fill: "var(--bs-bg)",
              stroke: "var(--bs-hold)",
            },
          ),
        ]
      : []),
  ];
}

/** Tapes from their recording to their reversal, where other actions lie between. */
function heldTapes(runs: readonly Run[]): Pick<Hold, "x" | "since" | "until">[] {
  const recorded = new Map<number, number>();
  const out: Pick<Hold, "x" | "since" | "until">[] = [];
  for (const { kind, row, from } of runs) {
    if (kind === MarkKind.record) recorded.set(from, row);
    else if (kind === MarkKind.reverse) {
      const since = recorded.get(from);
      if (since !== undefined && row > since + 1)
        out.push({ x: from + 0.5, since: since + 0.86, until: row + 0.14 });
      recorded.delete(from);
    }
  }
  return out;
}
