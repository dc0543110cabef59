/** What flows, drawn over the waiting edges: paid edges with the number that flowed, the local derivative before. */
import { CARD_HEIGHT } from "../../engine/layout/metrics.js";
import { Event } from "../../engine/trace/events.js";
import type { Timeline } from "../../engine/timeline/timeline.js";
import { s, setAttribute, setText } from "../dom.js";
import { contribution, cotangent, isArray, type Quantity } from "../../engine/report/quantity.js";
import { factsOf } from "../../engine/report/facts.js";
import { overwrites } from "../../engine/report/overwrites.js";
import { fateOf, isProduct } from "../../engine/report/seen.js";
import { Fate } from "../../engine/trace/trace.js";
import { tightArray } from "../../engine/report/text/array-text.js";
import { factor, short } from "../../engine/report/text/format.js";
import { PARALLEL, type SceneEdge } from "./scene.js";

export type EdgeState = "waiting" | "reading" | "paid" | "flying" | "lost" | "none" | "off";

/** The state of an edge at a position. "off": no derivative will ever flow here. "reading": an operand is being read. "none": an engine was not seen to pay. */
export function edgeState(timeline: Timeline, edge: number, position: number): EdgeState {
  const step = timeline.stepOfEdge(edge);
  if (step === position && position > 0) return "flying";
  if (step >= 0 && step < position) {
    const node = timeline.trace.edges.from[edge];
    const { trace } = timeline;
    if (trace.seen !== undefined) {
      const fate = fateOf(trace, edge);
      if (fate === Fate.kept) return "paid";
      return fate !== Fate.lost ? "none" : isLost(timeline, edge, position) ? "lost" : "paid";
    }
    if (!overwrites(trace, node)) return "paid";
    return timeline.arrivalEdgeAt(node, timeline.arrived(node, position) - 1) === edge ? "paid" : "lost";
  }
  const reading =
    position > 0 &&
    timeline.kindAt(position) === Event.eval &&
    timeline.nodeAt(position) === timeline.trace.edges.to[edge];
  if (reading) return "reading";
  return step < 0 && position > timeline.forwardSteps ? "off" : "waiting";
}

/** Of an engine that is watched: what it wrote over the contribution is there, in the order of our sweep. */
function isLost(timeline: Timeline, edge: number, position: number): boolean {
  const slots = factsOf(timeline, timeline.trace.edges.from[edge], position).parts.flatMap(
    (part) => part.slots,
  );
  return slots.find((slot) => slot.edge === edge)?.lost === true;
}

/** What became of a contribution that has no value: it was not seen, or it was not made. */
function absent(timeline: Timeline, edge: number): string {
  const { trace } = timeline;
  if (trace.seen === undefined) return short(undefined);
  return fateOf(trace, edge) === Fate.unknown ? "?" : "nothing";
}

/** characters there is room for between two cards */
const ROOM = 12;

/** A number; an array as "[4×3] ‖1.52‖", as its norm in bars where that is too long. */
function pillText(quantity: Quantity | undefined): string {
  return isArray(quantity) ? tightArray(quantity, ROOM) : short(quantity);
}

/** A pill is drawn no smaller than this: its number must be read. */
const LEAST_SCALE = 0.72;
/** width of a character of a product */
const PRODUCT_CHARACTER = 6.8;

export class EdgeMark {
  readonly line: SVGPathElement;
  readonly label: SVGGElement;
  private readonly pill = s("rect", { class: "pill" });
  private readonly number = s("text", { y: 4, "text-anchor": "middle", class: "pill-text" });
  private readonly product = s("text", { class: "pill-product", y: -6 });
  private key = "";
  /** what there is between the two cards */
  private readonly room: number;

  constructor(private readonly scene: SceneEdge) {
    this.room = Math.abs(scene.path.end.x - scene.path.start.x);
    this.line = s("path", { d: scene.path.d, class: "flow is-waiting" });
    this.label = s("g", { class: "edge-label is-waiting" }, this.pill, this.number, this.product);
    this.put(scene.label.x, scene.label.y);
  }

  put(x: number, y: number): void {
    this.label.setAttribute("transform", `translate(${Math.round(x * 10) / 10} ${Math.round(y * 10) / 10})`);
  }

  rest(): void {
    this.put(this.scene.label.x, this.scene.label.y);
  }

  update(timeline: Timeline, position: number): EdgeState {
    const { edge, to } = this.scene;
    const state = edgeState(timeline, edge, position);
    const row = timeline.trace.edges.local[edge];
    const local = row < 0 ? undefined : timeline.trace.values.mean[row];
    const flowed = state === "paid" || state === "flying" || state === "lost" || state === "none";
    const evaluated = timeline.isEvaluated(to, position);
    const paid = flowed ? contribution(timeline, edge) : undefined;
    const text = flowed
      ? paid === undefined
        ? absent(timeline, edge)
        : pillText(paid)
      : local !== undefined && evaluated && state !== "off"
        ? `× ${factor(local)}`
        : "";
    const bar = cotangent(timeline, to);
    const product =
      state === "flying" &&
      local !== undefined &&
      typeof bar === "number" &&
      isProduct(timeline.trace, bar, local, paid)
        ? `${factor(bar)} × ${factor(local)}`
        : "";
    const key = `${state}|${text}|${product}`;
    if (key === this.key) return state;
    this.key = key;
    setAttribute(this.line, "class", `flow is-${state}`);
    setAttribute(this.label, "class", `edge-label is-${state}`);
    setText(this.number, text);
    // a product that has no room between the cards stands in the inspector
    setText(this.product, product.length * PRODUCT_CHARACTER <= this.room ? product : "");
    // what is wider than the gap between the cards is drawn smaller, so that it lies over neither
    const width = text.length * (state === "flying" ? 8 : 6.8) + 16;
    const gap = this.room - 6;
    const scale = Math.min(1, Math.max(LEAST_SCALE, gap / width));
    for (const part of [this.pill, this.number])
      setAttribute(part, "transform", scale === 1 ? null : `scale(${scale.toFixed(3)})`);
    const height = state === "flying" ? 24 : 19;
    setAttribute(this.pill, "x", -width / 2);
    setAttribute(this.pill, "y", -height / 2);
    setAttribute(this.pill, "width", text === "" ? 0 : width);
    setAttribute(this.pill, "height", height);
    setAttribute(this.pill, "rx", height / 2);
    // beside the number, unless that would run into the child's card: then above it and the edges parallel to it
    const { label, path, index } = this.scene;
    const right = label.x + width / 2 + 12 + product.length * 6.8;
    const level = Math.abs(label.y - path.end.y) < CARD_HEIGHT / 2 + 16;
    const above = product.length > 7 || (right > path.end.x && level);
    setAttribute(this.product, "x", above ? 0 : width / 2 + 6);
    setAttribute(this.product, "y", above ? -height / 2 - 8 - index * PARALLEL : -6);
    setAttribute(this.product, "text-anchor", above ? "middle" : "start");
    return state;
  }
}
