/** The graph: canvas and overlay together, following the state. */
import { CARD_HEIGHT, CARD_WIDTH } from "../../engine/layout/metrics.js";
import { h } from "../dom.js";
import type { SweepModel } from "../model/sweep-model.js";
import type { Size } from "../plot/export.js";
import { Canvas, type CanvasEvents } from "./canvas.js";
import {
  fittingZoom,
  framing,
  LEAST_ZOOM,
  panAround,
  READABLE_ZOOM,
  SMALLEST_ZOOM,
  type Extent,
} from "./framing.js";
import { Overlay, overlayHost, type Moment } from "./overlay.js";
import type { Box } from "../place.js";
import type { Point } from "./route.js";
import { makeScene, type Scene } from "./scene.js";

/** A zoom and a pan, and the size of the drawing they were chosen in: at another size they mean something else. */
export interface Viewport {
  readonly zoom: number;
  readonly pan: Point;
  readonly size: readonly [number, number];
}

export interface GraphEvents {
  tap(node: number | null): void;
  hover: CanvasEvents["hover"];
  viewport(viewport: Viewport, byUser: boolean): void;
}

/** what the ring around a card adds to its width and height */
const RING = 16;
/** pixels by which a drawing may differ in size and still count as the same */
const SAME_SIZE = 2;

export class GraphView {
  private readonly canvas: Canvas;
  private readonly overlay: Overlay;
  private scene: Scene | null = null;
  private shownModel: SweepModel | null = null;
  /** the user panned or zoomed: the picture is theirs until they ask for it to be fitted */
  private held = false;
  /** the user asked to see all of it, however small: so it stays when the panel changes its size */
  private whole = false;
  /** chosen before the view was loaded anew; applies once the drawing has the size it was chosen in */
  private restored: Viewport | null = null;
  private size: readonly [number, number] = [0, 0];
  /** the node brought into sight last */
  private wanted = -1;

  /** what the drawing is in: the graph's section without its foot */
  private readonly host = h("div", { class: "canvas" });

  constructor(section: HTMLElement, events: GraphEvents, calm: () => boolean) {
    const { host } = this;
    this.overlay = new Overlay(calm);
    section.append(host, overlayHost(this.overlay));
    this.canvas = new Canvas(host, {
      tap: events.tap,
      hover: events.hover,
      viewport: (zoom, pan) => {
        this.overlay.viewport(zoom, pan);
        events.viewport({ zoom, pan: { ...pan }, size: this.clientSize() }, this.held);
      },
      moved: () => {
        this.held = true;
        this.restored = null;
      },
    });
    this.canvas.paint();
    new ResizeObserver(() => this.resized()).observe(host);
    new MutationObserver(() => this.canvas.paint()).observe(document.body, {
      attributes: true,
      attributeFilter: ["class", "style", "data-vscode-theme-id"],
    });
  }

  /** Nodes drawn, or null before the first sweep. */
  get drawn(): Scene | null {
    return this.scene;
  }

  /** The next `show` draws anew, also a sweep that is drawn already: after an error half of it may be missing. */
  forget(): void {
    this.shownModel = null;
  }

  /**
   * Shows a sweep around a node (-1: around the output). A second call with the same graph shape keeps the viewport.
   */
  show(model: SweepModel, restored: Viewport | null, focus: number): void {
    if (this.shownModel === model) return;
    const before = this.scene;
    this.shownModel = model;
    this.scene = makeScene(model.view);
    this.canvas.draw(this.scene);
    this.overlay.draw(this.scene, model.timeline(model.nativeMode));
    const sameShape =
      before !== null &&
      before.nodes.length === this.scene.nodes.length &&
      before.width === this.scene.width &&
      before.height === this.scene.height;
    if (!sameShape) {
      this.wanted = focus;
      this.whole = false;
      this.open();
    }
    this.allowWhole();
    this.restored = restored;
    this.restore();
    this.overlay.viewport(this.canvas.cy.zoom(), this.canvas.cy.pan());
  }

  private clientSize(): readonly [number, number] {
    return [this.host.clientWidth, this.host.clientHeight];
  }

  /** Takes up the restored viewport if the drawing has its size (now): in another one it would cut the graph. */
  private restore(): boolean {
    const viewport = this.restored;
    if (viewport === null || this.scene === null) return false;
    const [w, h] = this.clientSize();
    if (Math.abs(viewport.size[0] - w) > SAME_SIZE || Math.abs(viewport.size[1] - h) > SAME_SIZE)
      return false;
    this.restored = null;
    this.held = true;
    this.canvas.cy.viewport({ zoom: viewport.zoom, pan: { ...viewport.pan } });
    return true;
  }

  update(moment: Moment, animate: boolean): void {
    if (this.shownModel === null) return;
    this.overlay.update(this.shownModel, moment, animate);
  }

  /** All of it, however small. */
  fit(): void {
    this.whole = true;
    this.restored = null;
    this.open();
  }

  private get room(): Extent {
    const [width, height] = this.clientSize();
    return { width, height };
  }

  /** All of it where that is readable or asked for, else the part around the wanted node at a readable size. */
  private open(): void {
    const { scene, room } = this;
    if (scene === null || room.width === 0 || room.height === 0) return;
    this.held = false;
    this.allowWhole();
    const smallest = (this.shownModel?.view.trace.arrays?.n ?? 0) > 0 ? READABLE_ZOOM : SMALLEST_ZOOM;
    const at = scene.place.get(this.wanted) ?? this.end();
    this.canvas.cy.viewport(mutable(framing(scene, room, { whole: this.whole, smallest, at })));
  }

  /** However long a drawing is, all of it can be seen. */
  private allowWhole(): void {
    const { scene, room } = this;
    if (scene === null || room.width === 0 || room.height === 0) return;
    this.canvas.cy.minZoom(Math.min(LEAST_ZOOM, fittingZoom(scene, room) * 0.8));
  }

  private end(): Point {
    const { nodes, place } = this.scene!;
    return place.get(nodes[nodes.length - 1]) ?? { x: 0, y: 0 };
  }

  /** Where a card stands in the graph's section, its ring included; null for a node that is not drawn. */
  boxOf(node: number): Box | null {
    const at = this.scene?.place.get(node);
    if (at === undefined) return null;
    const zoom = this.canvas.cy.zoom();
    const pan = this.canvas.cy.pan();
    const [width, height] = [(CARD_WIDTH + RING) * zoom, (CARD_HEIGHT + RING) * zoom];
    return { x: at.x * zoom + pan.x - width / 2, y: at.y * zoom + pan.y - height / 2, width, height };
  }

  /** The whole drawing as it stands, whatever part of it is in sight; null before the first sweep. */
  picture(): { readonly text: string; readonly size: Size } | null {
    return this.scene === null ? null : this.overlay.picture(this.scene);
  }

  zoomBy(ratio: number): void {
    const { cy } = this.canvas;
    this.held = true;
    this.restored = null;
    const centre = { x: this.host.clientWidth / 2, y: this.host.clientHeight / 2 };
    cy.zoom({ level: cy.zoom() * ratio, renderedPosition: centre });
  }

  /** Brings a node into sight, moving the picture only when the node is outside it. */
  reveal(node: number): void {
    const at = this.scene?.place.get(node);
    if (at === undefined) return;
    this.wanted = node;
    const { cy } = this.canvas;
    const zoom = cy.zoom();
    const pan = cy.pan();
    const [x, y] = [at.x * zoom + pan.x, at.y * zoom + pan.y];
    const [w, h] = [this.host.clientWidth, this.host.clientHeight];
    // half a card at this size; a fitted graph has every card inside, so it never moves
    const [cw, ch] = [(CARD_WIDTH / 2) * zoom, (CARD_HEIGHT / 2) * zoom];
    const dx = x - cw < 0 || x + cw > w ? w / 2 - x : 0;
    const dy = y - ch < 0 || y + ch > h ? h / 2 - y : 0;
    if (dx === 0 && dy === 0) return;
    if (this.held) cy.viewport({ zoom, pan: { x: pan.x + dx, y: pan.y + dy } });
    else this.canvas.cy.viewport(mutable({ zoom, pan: panAround(this.scene!, this.room, zoom, at) }));
  }

  private resized(): void {
    const [w0, h0] = this.size;
    const [w, h] = this.clientSize();
    if (w === w0 && h === h0) return;
    this.size = [w, h];
    const { cy } = this.canvas;
    cy.resize();
    this.allowWhole();
    if (w === 0 || h === 0 || this.restore()) return;
    if (!this.held) this.open();
    // what the user put in the middle stays there
    else if (w0 > 0 && h0 > 0) cy.panBy({ x: (w - w0) / 2, y: (h - h0) / 2 });
    if (!this.held && this.wanted >= 0) this.reveal(this.wanted);
  }
}

/** cytoscape's types ask for what can be written to. */
function mutable({ zoom, pan }: { readonly zoom: number; readonly pan: Point }): {
  zoom: number;
  pan: { x: number; y: number };
} {
  return { zoom, pan: { ...pan } };
}
