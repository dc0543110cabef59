/** What is held at one moment of a diagram: states as pebbles on the chain, tapes as squares on their steps, and in words. */
import { HoldFlag, MarkKind, type SpaceTime } from "../../engine/report/space-time.js";
import { h, s } from "../dom.js";
import { countText } from "../plot/units.js";

/** More states than this are told in words only. */
const MOST_DRAWN = 160;
const MOST_NAMED = 12;

export interface Board {
  readonly states: readonly number[];
  readonly tapes: readonly number[];
}

export function boardAt({ holds }: SpaceTime, moment: number): Board {
  const states: number[] = [];
  const tapes: number[] = [];
  for (let i = 0; i < holds.n; i++) {
    if (holds.since[i] > moment || holds.until[i] <= moment) continue;
    (holds.flags[i] & HoldFlag.tape ? tapes : states).push(holds.state[i]);
  }
  const rising = (list: number[]): number[] => list.sort((a, b) => a - b);
  return { states: rising(states), tapes: rising(tapes) };
}

const verbs: Readonly<Record<MarkKind, string>> = {
  [MarkKind.advance]: "advance",
  [MarkKind.record]: "record",
  [MarkKind.reverse]: "reverse",
  [MarkKind.recordAndReverse]: "record and reverse",
  [MarkKind.uncompute]: "take back",
  [MarkKind.restore]: "restore",
};

/** "advance steps 0 to 13", "record and reverse step 23" */
export function nextWords({ marks }: SpaceTime, moment: number): string {
  for (let i = 0; i < marks.n; i++) {
    if (marks.row[i] !== moment || marks.kind[i] === MarkKind.restore) continue;
    const verb = verbs[marks.kind[i] as MarkKind];
    const [from, to] = [Math.min(marks.from[i], marks.to[i]), Math.max(marks.from[i], marks.to[i]) - 1];
    return from === to
      ? `${verb} step ${countText(from)}`
      : `${verb} steps ${countText(from)} to ${countText(to)}`;
  }
  return "";
}

function listed(what: string, list: readonly number[]): string {
  if (list.length === 0) return "";
  const named = list.slice(0, MOST_NAMED).map(countText).join(", ");
  const more = list.length > MOST_NAMED ? ` and ${list.length - MOST_NAMED} more` : "";
  return `${list.length === 1 ? what : `${what}s`} ${named}${more}`;
}

export function boardWords(diagram: SpaceTime, moment: number): string {
  const { states, tapes } = boardAt(diagram, moment);
  const held = [listed("state", states), listed("tape", tapes)].filter((words) => words !== "").join("; ");
  const next = nextWords(diagram, moment);
  return `Held: ${held === "" ? "nothing" : held}.${next === "" ? "" : ` Next: ${next}.`}`;
}

export function boardElement(diagram: SpaceTime, moment: number): HTMLElement {
  const words = h("p", { class: "board-words" }, boardWords(diagram, moment));
  const { steps } = diagram;
  if (steps + 1 > MOST_DRAWN) return h("div", { class: "board" }, words);
  const { states, tapes } = boardAt(diagram, moment);
  const kept = new Set(states);
  const gap = Math.min(22, Math.max(6, 720 / (steps + 1)));
  const width = gap * (steps + 1);
  const svg = s("svg", {
    width,
    height: 16,
    viewBox: `0 0 ${width} 16`,
    class: "board-drawing",
    "aria-hidden": "true",
  });
  for (let state = 0; state <= steps; state++) {
    const name = kept.has(state) ? "pebble is-held" : "pebble";
    svg.append(s("circle", { cx: gap * (state + 0.5), cy: 8, r: Math.min(5.5, gap * 0.38), class: name }));
  }
  for (const tape of tapes)
    svg.append(
      s("rect", { x: gap * (tape + 1) - gap * 0.18, y: 4, width: gap * 0.36, height: 8, class: "tape" }),
    );
  return h("div", { class: "board" }, svg, words);
}
