/** The graph: canvas and overlay together, following the state. */
import type { SweepModel } from "../model/sweep-model.js";
import { Canvas, type CanvasEvents } from "./canvas.js";
import { Overlay, overlayHost, type Moment } from "./overlay.js";
import type { Point } from "./route.js";
import { makeScene, type Scene } from "./scene.js";

export interface Viewport {
  readonly zoom: number;
  readonly pan: Point;
}

export interface GraphEvents {
  tap(node: number | null): void;
  hover: CanvasEvents["hover"];
  viewport(viewport: Viewport, byUser: boolean): void;
}

const PADDING = 12;
/** at a smaller zoom even names cannot be read: then a part is shown at a readable size, the rest a pan away */
const SMALLEST_WHOLE = 0.34;
const READABLE_ZOOM = 0.85;
const LARGEST_ZOOM = 1.25;

export class GraphView {
  private readonly canvas: Canvas;
  private readonly overlay: Overlay;
  private scene: Scene | null = null;
  private shownModel: SweepModel | null = null;
  private held = false;
  private size = "";

  constructor(
    private readonly host: HTMLElement,
    events: GraphEvents,
    calm: () => boolean,
  ) {
    this.overlay = new Overlay(calm);
    const layer = document.createElement("div");
    layer.className = "canvas";
    host.append(layer, overlayHost(this.overlay));
    this.canvas = new Canvas(layer, {
      tap: events.tap,
      hover: events.hover,
      viewport: (zoom, pan) => {
        this.overlay.viewport(zoom, pan);
        events.viewport({ zoom, pan: { ...pan } }, this.held);
      },
      moved: () => {
        this.held = true;
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

  /** Shows a sweep. A second call with the same graph shape keeps the viewport. */
  show(model: SweepModel, restored: Viewport | null): void {
    if (this.shownModel === model) return;
    const before = this.scene;
    this.shownModel = model;
    this.scene = makeScene(model.view);
    this.canvas.draw(this.scene);
    this.overlay.draw(this.scene, model.timeline(model.nativeMode));
    const sameShape =
      before !== null && before.nodes.length === this.scene.nodes.length && before.width === this.scene.width;
    if (restored !== null) {
      this.held = true;
      this.canvas.cy.viewport({ zoom: restored.zoom, pan: { ...restored.pan } });
    } else if (!sameShape) this.fit();
    this.overlay.viewport(this.canvas.cy.zoom(), this.canvas.cy.pan());
  }

  update(moment: Moment, animate: boolean): void {
    if (this.shownModel === null) return;
    this.overlay.update(this.shownModel, moment, animate);
  }

  /** All of it if it stays readable, else the output's end at a readable size. */
  fit(): void {
    const { cy } = this.canvas;
    if (this.scene === null || this.host.clientWidth === 0 || this.host.clientHeight === 0) return;
    this.held = false;
    const [w, h] = [this.host.clientWidth, this.host.clientHeight];
    const whole = Math.min((w - PADDING) / this.scene.width, (h - PADDING) / this.scene.height);
    const zoom = Math.min(LARGEST_ZOOM, whole >= SMALLEST_WHOLE ? whole : READABLE_ZOOM);
    const free = { x: w - this.scene.width * zoom, y: h - this.scene.height * zoom };
    const last = this.scene.place.get(this.scene.nodes[this.scene.nodes.length - 1]);
    const y =
      free.y >= 0 || last === undefined ? free.y / 2 : Math.min(0, Math.max(free.y, h / 2 - last.y * zoom));
    cy.viewport({ zoom, pan: { x: free.x >= 0 ? free.x / 2 : free.x, y } });
  }

  zoomBy(ratio: number): void {
    const { cy } = this.canvas;
    this.held = true;
    const centre = { x: this.host.clientWidth / 2, y: this.host.clientHeight / 2 };
    cy.zoom({ level: cy.zoom() * ratio, renderedPosition: centre });
  }

  /** Brings a node into sight, moving the picture only when the node is outside it. */
  reveal(node: number): void {
    const at = this.scene?.place.get(node);
    if (at === undefined) return;
    const { cy } = this.canvas;
    const zoom = cy.zoom();
    const pan = cy.pan();
    const [x, y] = [at.x * zoom + pan.x, at.y * zoom + pan.y];
    const [w, h] = [this.host.clientWidth, this.host.clientHeight];
    const [mx, my] = [Math.min(100, w / 4), Math.min(60, h / 4)];
    if (x >= mx && x <= w - mx && y >= my && y <= h - my) return;
    cy.viewport({ zoom, pan: { x: pan.x + w / 2 - x, y: pan.y + h / 2 - y } });
  }

  private resized(): void {
    const size = `${this.host.clientWidth}x${this.host.clientHeight}`;
    if (size === this.size) return;
    this.size = size;
    this.canvas.cy.resize();
    if (!this.held) this.fit();
  }
}
