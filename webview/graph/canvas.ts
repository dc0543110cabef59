/**
 * cytoscape: the still picture (card bodies and edges that wait) and all interaction: pan, zoom, tap, hover. Positions
 * are preset. Nothing here changes in a step; what moves is drawn by the overlay above.
 */
import cytoscape from "cytoscape";
import { CARD_HEIGHT, CARD_WIDTH } from "../../engine/layout/metrics.js";
import { h } from "../dom.js";
import { LEAST_ZOOM } from "./framing.js";
import { controlsRelative, type Point } from "./route.js";
import type { Scene } from "./scene.js";

export interface CanvasEvents {
  viewport(zoom: number, pan: Point): void;
  tap(node: number | null): void;
  hover(target: { readonly node: number } | { readonly edge: number } | null, at: Point): void;
  /** the user (not the program) moved the picture */
  moved(): void;
}

/** cytoscape puts a style element into the page unless one with this id exists; the CSP would refuse it. */
const STYLE_ID = "__________cytoscape_stylesheet";

export class Canvas {
  readonly cy: cytoscape.Core;

  constructor(container: HTMLElement, events: CanvasEvents) {
    if (document.getElementById(STYLE_ID) === null) document.body.append(h("template", { id: STYLE_ID }));
    this.cy = cytoscape({
      container,
      layout: { name: "preset" },
      minZoom: LEAST_ZOOM,
      maxZoom: 3,
      autoungrabify: true,
      autounselectify: true,
      boxSelectionEnabled: false,
      style: [],
    });
    const { cy } = this;
    // the canvases say nothing to a reader that the node list does not say better
    container.setAttribute("aria-hidden", "true");
    cy.on("viewport", () => events.viewport(cy.zoom(), cy.pan()));
    cy.on("dragpan scrollzoom pinchzoom", () => events.moved());
    cy.on("tap", (event) => {
      if (event.target === cy) events.tap(null);
      else if (event.target.isNode()) events.tap(Number(event.target.data("row")));
    });
    const over = (event: cytoscape.EventObject): void => {
      const row = Number(event.target.data("row"));
      events.hover(event.target.isNode() ? { node: row } : { edge: row }, event.renderedPosition);
    };
    cy.on("mouseover", "node, edge", over);
    // cytoscape hears nothing of a pointer outside: it takes what was left that way for what the pointer is still on
    let left = false;
    container.addEventListener("mouseleave", () => {
      left = true;
      events.hover(null, { x: 0, y: 0 });
    });
    cy.on("mousemove", (event) => {
      if (left && event.target !== cy) over(event);
      left = false;
    });
    cy.on("mouseout", "node, edge", (event) => events.hover(null, event.renderedPosition));
    cy.on("viewport", () => events.hover(null, { x: 0, y: 0 }));
  }

  draw(scene: Scene): void {
    const nodes = scene.nodes.map((row) => ({
      group: "nodes" as const,
      data: { id: `n${row}`, row },
      position: { ...scene.place.get(row)! },
    }));
    const edges = scene.edges.map(({ edge, from, to, path }) => {
      const { weights, distances } = controlsRelative(path);
      const a = scene.place.get(from)!;
      const b = scene.place.get(to)!;
      return {
        group: "edges" as const,
        data: {
          id: `e${edge}`,
          row: edge,
          source: `n${from}`,
          target: `n${to}`,
          weights,
          distances,
          out: `${path.start.x - a.x}px ${path.start.y - a.y}px`,
          in: `${path.end.x - b.x}px ${path.end.y - b.y}px`,
        },
      };
    });
    this.cy.batch(() => {
      this.cy.elements().remove();
      this.cy.add([...nodes, ...edges]);
    });
  }

  /** Canvas cannot read CSS variables: colours are resolved here, again whenever the theme changes. */
  paint(): void {
    const colour = colourReader();
    const edge = colour("--bs-edge");
    this.cy.style([
      {
        selector: "node",
        style: {
          shape: "round-rectangle",
          "corner-radius": "8px",
          width: CARD_WIDTH,
          height: CARD_HEIGHT,
          "background-color": colour("--bs-card"),
          "border-width": 1,
          "border-color": colour("--bs-card-line"),
          "overlay-opacity": 0,
        },
      },
      {
        selector: "edge",
        style: {
          "curve-style": "unbundled-bezier",
          "edge-distances": "endpoints",
          "control-point-weights": (e: cytoscape.EdgeSingular) => e.data("weights"),
          "control-point-distances": (e: cytoscape.EdgeSingular) => e.data("distances"),
          "source-endpoint": (e: cytoscape.EdgeSingular) => e.data("out"),
          "target-endpoint": (e: cytoscape.EdgeSingular) => e.data("in"),
          width: 1.4,
          "line-style": "dashed",
          "line-dash-pattern": [4, 4],
          "line-color": edge,
          "overlay-opacity": 0,
        },
      },
    ] as unknown as cytoscape.StylesheetJson);
  }

  destroy(): void {
    this.cy.destroy();
  }
}

/** Any CSS colour, `color-mix` included, as `rgb(...)`: a pixel is painted with it and read back. */
function colourReader(): (variable: string) => string {
  const probe = h("span", { hidden: true });
  document.body.append(probe);
  const canvas = h("canvas", { width: 1, height: 1 });
  const pen = canvas.getContext("2d", { willReadFrequently: true })!;
  const style = getComputedStyle(probe);
  const cache = new Map<string, string>();
  queueMicrotask(() => probe.remove());
  return (variable) => {
    const known = cache.get(variable);
    if (known !== undefined) return known;
    probe.style.color = `var(${variable})`;
    pen.clearRect(0, 0, 1, 1);
    pen.fillStyle = style.color;
    pen.fillRect(0, 0, 1, 1);
    const [r, g, b] = pen.getImageData(0, 0, 1, 1).data;
    const text = `rgb(${r}, ${g}, ${b})`;
    cache.set(variable, text);
    return text;
  };
}
