/** The space-time figure with its board: of what a sweep executed, following its steps, or of a plan. */
import { MarkKind, type SpaceTime } from "../../engine/report/space-time.js";
import { h, s } from "../dom.js";
import { Figure } from "../plot/figure.js";
import { countText } from "../plot/units.js";
import type { Services } from "../tabs.js";
import { boardElement } from "./board.js";
import { isPebbling } from "./families.js";
import { SpaceTimePlot } from "./space-time.js";

const kinds: Readonly<Record<MarkKind, string>> = {
  [MarkKind.advance]: "advance",
  [MarkKind.record]: "record",
  [MarkKind.reverse]: "reverse",
  [MarkKind.recordAndReverse]: "record and reverse",
  [MarkKind.uncompute]: "uncompute",
  [MarkKind.restore]: "restore",
};

export interface Shown {
  readonly schedule: string;
  readonly diagram: SpaceTime;
  readonly executed: boolean;
}

export class Diagram {
  readonly element: HTMLElement;
  private readonly figure: Figure;
  private readonly plot = new SpaceTimePlot((row) => this.pick(row));
  private readonly board = h("div", { class: "board-place" });
  private shown: Shown | null = null;
  private moment = 0;
  private step = 0;
  private lastPosition = 0;

  constructor(private readonly services: Services) {
    this.figure = new Figure(services, { name: "space-time", title: "Space-time diagram" });
    this.element = h("div", { class: "diagram" }, this.figure.element, legend(), this.board);
  }

  /** `lastPosition`: of the timeline, where the diagram was executed. */
  show(shown: Shown, step: number, lastPosition: number): void {
    const { schedule, diagram, executed } = shown;
    if (this.shown?.diagram !== diagram && !executed) this.moment = 0;
    this.shown = shown;
    this.lastPosition = lastPosition;
    this.step = step;
    if (executed) this.moment = momentAt(diagram, step, lastPosition);
    this.figure.name(`${schedule}, ${executed ? "as executed" : "planned"}`);
    const cut = diagram.cut ? `; the first ${countText(diagram.rows)} actions` : "";
    this.figure.say(
      `time runs down, the chain of ${countText(diagram.steps)} ${diagram.steps === 1 ? "step" : "steps"} runs right${cut}; click to go to a moment`,
    );
    const { marks, holds } = diagram;
    this.figure.show({
      description:
        `Space-time diagram of ${schedule} over ${diagram.steps} steps: ${marks.n} actions, ` +
        `${holds.n} states and tapes held for a while.`,
      draw: (width) =>
        this.plot.draw(width, diagram, { executed, pebbles: isPebbling(schedule) }, this.moment),
      table: () => ({
        columns: ["row", "action", "from", "to", "position"],
        rows: Array.from({ length: marks.n }, (_, i) => [
          marks.row[i],
          kinds[marks.kind[i] as MarkKind],
          marks.from[i],
          marks.to[i],
          marks.position[i] < 0 ? null : marks.position[i],
        ]),
      }),
    });
    this.drawBoard();
  }

  instead(message: string): void {
    this.shown = null;
    this.board.replaceChildren();
    this.figure.instead(message);
  }

  /** The sweep is at another step. */
  now(step: number): void {
    this.step = step;
    if (this.shown === null || !this.shown.executed) return;
    this.moment = momentAt(this.shown.diagram, step, this.lastPosition);
    this.plot.now(this.moment);
    this.drawBoard();
  }

  private pick(row: number): void {
    if (this.shown === null) return;
    const { diagram, executed } = this.shown;
    if (executed) {
      const position = positionOf(diagram, row, this.lastPosition);
      if (position !== this.step) this.services.move(position);
      return;
    }
    this.moment = row;
    this.plot.now(row);
    this.drawBoard();
  }

  private drawBoard(): void {
    if (this.shown !== null)
      this.board.replaceChildren(boardElement(this.shown.diagram, Math.floor(this.moment)));
  }
}

/** How many rows are over at a position; within a row the part of its positions. */
export function momentAt({ marks, rows }: SpaceTime, position: number, last: number): number {
  let low = 0;
  let high = marks.n;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (marks.position[middle] <= position) low = middle + 1;
    else high = middle;
  }
  let at = low - 1;
  while (at >= 0 && marks.kind[at] === MarkKind.restore) at--;
  if (at < 0) return 0;
  const end = low < marks.n ? marks.position[low] : last + 1;
  const part = (position - marks.position[at] + 1) / Math.max(1, end - marks.position[at]);
  return Math.min(rows, marks.row[at] + Math.min(1, part));
}

/** The position just before a row begins. */
export function positionOf({ marks }: SpaceTime, row: number, last: number): number {
  for (let i = 0; i < marks.n; i++)
    if (marks.row[i] >= row && marks.kind[i] !== MarkKind.restore) return Math.max(0, marks.position[i] - 1);
  return last;
}

function legend(): HTMLElement {
  const sign = (...children: SVGElement[]): SVGSVGElement =>
    s("svg", { width: 30, height: 12, viewBox: "0 0 30 12", "aria-hidden": "true" }, ...children);
  const item = (drawn: SVGSVGElement, words: string): HTMLElement => h("li", {}, drawn, words);
  return h(
    "ul",
    { class: "legend" },
    item(sign(s("path", { d: "M1 6H25M20 2L26 6L20 10", class: "sign-advance" })), "advance: nothing kept"),
    item(
      sign(s("rect", { x: 2, y: 2, width: 26, height: 8, rx: 2, class: "sign-record" })),
      "record: tape kept",
    ),
    item(sign(s("rect", { x: 2, y: 2, width: 26, height: 8, rx: 2, class: "sign-reverse" })), "reverse"),
    item(sign(s("path", { d: "M15 0V12", class: "sign-hold" })), "state held"),
    item(sign(s("path", { d: "M15 0V12", class: "sign-tape" })), "tape held"),
    item(sign(s("circle", { cx: 15, cy: 6, r: 3, class: "sign-restore" })), "restore"),
    item(sign(s("path", { d: "M26 6H4M9 2L3 6L9 10", class: "sign-back" })), "taken back"),
  );
}
