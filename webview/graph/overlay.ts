/**
 * The light layer above the canvas: cards' text, paid edges, the contribution in flight, the ring of the current node.
 * It follows cytoscape's viewport by one transform. A step touches only what the step changed.
 */
import type { Timeline } from "../../engine/timeline/timeline.js";
import { h, s, setAttribute } from "../dom.js";
import { Shown } from "../model/changes.js";
import { keepingOf, keepingText } from "../model/keeping.js";
import { factsOf } from "../../engine/report/facts.js";
import type { Mode } from "../../engine/protocol.js";
import { svgText, type Size } from "../plot/export.js";
import type { SweepModel } from "../model/sweep-model.js";
import { Card } from "./card.js";
import { EdgeMark } from "./edges.js";
import { READABLE_ZOOM } from "./framing.js";
import type { Point } from "./route.js";
import type { Scene, SceneEdge } from "./scene.js";

/** Below this zoom text is too small to read: cards show names only. */
const FAR = 0.42;
const FLIGHT_MS = 220;

export interface Moment {
  readonly mode: Mode;
  readonly step: number;
  readonly selected: number;
}

export class Overlay {
  readonly element: SVGSVGElement;
  private readonly world = s("g");
  private readonly cards = new Map<number, Card>();
  private readonly marks = new Map<number, EdgeMark>();
  /** marks of the edges in and out of a node */
  private readonly incident = new Map<number, EdgeMark[]>();
  private readonly shown = new Shown();
  private readonly lines = s("g");
  private readonly labels = s("g");
  private readonly boxes = s("g");
  private readonly front = s("g");
  private scene: Scene | null = null;
  private frame = 0;
  private flying: EdgeMark | null = null;

  constructor(private readonly calm: () => boolean) {
    this.world.append(this.lines, this.boxes, this.labels, this.front);
    this.element = s("svg", { class: "overlay", "aria-hidden": "true", focusable: "false" }, this.world);
  }

  viewport(zoom: number, pan: Point): void {
    setAttribute(this.world, "transform", `translate(${pan.x} ${pan.y}) scale(${zoom})`);
    this.element.classList.toggle("is-far", zoom < FAR);
    this.element.classList.toggle("is-middle", zoom >= FAR && zoom < READABLE_ZOOM);
  }

  draw(scene: Scene, timeline: Timeline): void {
    this.land();
    this.scene = scene;
    this.cards.clear();
    this.marks.clear();
    this.incident.clear();
    this.shown.forget();
    const fanOut = (node: number): boolean => factsOf(timeline, node, 0).uses > 1;
    for (const node of scene.nodes) this.cards.set(node, new Card(scene.place.get(node)!, fanOut(node)));
    for (const edge of scene.edges) {
      const mark = new EdgeMark(edge);
      this.marks.set(edge.edge, mark);
      for (const node of [edge.from, edge.to]) {
        const marks = this.incident.get(node);
        if (marks === undefined) this.incident.set(node, [mark]);
        else marks.push(mark);
      }
    }
    this.boxes.replaceChildren(...Array.from(this.cards.values(), (card) => card.element));
    this.lines.replaceChildren(...Array.from(this.marks.values(), (mark) => mark.line));
    this.labels.replaceChildren(
      ...Array.from(this.marks.values(), (mark) => mark.label),
      ...counts(scene.edges),
    );
    this.front.replaceChildren();
  }

  update(model: SweepModel, moment: Moment, animate: boolean): void {
    this.land();
    const timeline = model.timeline(moment.mode);
    const current = moment.step > 0 && moment.step <= timeline.steps ? timeline.nodeAt(moment.step) : -1;
    const keeping = keepingOf(model, timeline);
    const moved = this.shown.move(timeline, moment.step, moment.selected);
    // a slot that is filled or emptied changes nodes that no event names
    const changed = keeping === null ? moved : null;
    for (const node of changed ?? this.cards.keys()) {
      const card = this.cards.get(node);
      if (card === undefined) continue;
      const facts = factsOf(timeline, node, moment.step);
      card.update(facts, {
        current: node === current,
        selected: node === moment.selected,
        right: model.rightOf(timeline, node, moment.step),
      });
      card.kept(keeping === null ? "" : keepingText(keeping.of(node, moment.step)));
    }
    if (changed === null) for (const mark of this.marks.values()) mark.update(timeline, moment.step);
    else
      for (const node of changed)
        for (const mark of this.incident.get(node) ?? []) mark.update(timeline, moment.step);
    const edge = moment.step > 0 ? timeline.edgeAt(moment.step) : -1;
    const mark = edge < 0 ? undefined : this.marks.get(edge);
    if (mark === undefined) return;
    this.flying = mark;
    this.front.append(mark.label);
    if (animate && !this.calm()) this.fly(mark, this.scene!.byEdge.get(edge)!);
  }

  /** The scene as the text of a drawing: also what the canvas draws below, at the size at which everything is said. */
  picture(scene: Scene): { readonly text: string; readonly size: Size } {
    const { element, world } = this;
    const size = { width: scene.width, height: scene.height };
    const transform = world.getAttribute("transform");
    const seen = element.getAttribute("class");
    element.classList.remove("is-far", "is-middle");
    element.classList.add("is-saved");
    setAttribute(world, "transform", null);
    const text = svgText(element, size);
    setAttribute(world, "transform", transform);
    setAttribute(element, "class", seen);
    return { text, size };
  }

  /** Moves the number from the child to its place on the edge; the rest of the picture stands still. */
  private fly(mark: EdgeMark, edge: SceneEdge): void {
    const begin = performance.now();
    const tick = (now: number): void => {
      const t = Math.min(1, Math.max(0, (now - begin) / FLIGHT_MS));
      if (t >= 1) {
        mark.rest();
        this.frame = 0;
        return;
      }
      const eased = 1 - (1 - t) ** 3;
      const start = edge.path.at(1);
      const at = edge.path.at(1 - eased * 0.5);
      const pull = eased ** 2;
      mark.put(at.x + (edge.label.x - at.x) * pull, at.y + (edge.label.y - at.y) * pull);
      if (t === 0) mark.put(start.x, start.y);
      this.frame = requestAnimationFrame(tick);
    };
    this.frame = requestAnimationFrame(tick);
  }

  /** Ends a flight where it would have ended, and puts the number back among the others. */
  private land(): void {
    if (this.frame !== 0) cancelAnimationFrame(this.frame);
    this.frame = 0;
    if (this.flying === null) return;
    this.flying.rest();
    this.labels.append(this.flying.label);
    this.flying = null;
  }
}

/** "2 edges" below the number of the lowest of edges that run in parallel, so that x * x is counted as well as drawn. */
function counts(edges: readonly SceneEdge[]): SVGTextElement[] {
  const lowest = new Map<string, SceneEdge>();
  for (const edge of edges) {
    if (edge.of < 2) continue;
    const pair = `${edge.from}>${edge.to}`;
    const before = lowest.get(pair);
    if (before === undefined || edge.label.y > before.label.y) lowest.set(pair, edge);
  }
  return Array.from(lowest.values(), ({ label, of }) => {
    const text = s("text", { x: label.x, y: label.y + 24, "text-anchor": "middle", class: "edge-count" });
    text.textContent = `${of} edges`;
    return text;
  });
}

/** The layer's host element. */
export function overlayHost(overlay: Overlay): HTMLElement {
  return h("div", { class: "overlay-host" }, overlay.element);
}
