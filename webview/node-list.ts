/**
 * The graph as a list, for the keyboard and for readers: one option a drawn node. It holds the graph's focus; what is
 * active here is ringed in the drawing.
 */
import { h, setAttribute, setText } from "./dom.js";
import type { Scene } from "./graph/scene.js";
import { Shown } from "./model/changes.js";
import { keepingOf, keepingWords } from "./model/keeping.js";
import { factsOf } from "../engine/report/facts.js";
import type { SweepModel } from "./model/sweep-model.js";
import { nodeName } from "../engine/trace/read.js";
import type { AppState } from "./store.js";
import { describeNode } from "./text/describe.js";

export interface NodeListEvents {
  select(node: number): void;
  reveal(node: number): void;
}

export class NodeList {
  readonly element = h("ul", {
    id: "nodes",
    class: "nodes hidden",
    role: "listbox",
    tabindex: 0,
    "aria-label": "Nodes of the graph. Arrow keys move along edges, Enter shows the source.",
  });
  private readonly options = new Map<number, HTMLLIElement>();
  private model: SweepModel | null = null;
  private scene: Scene | null = null;
  private active = -1;
  private readonly shown = new Shown();

  constructor(private readonly events: NodeListEvents) {
    this.element.addEventListener("keydown", (event) => this.key(event));
    this.element.addEventListener("click", (event) => {
      const option = event.target instanceof HTMLElement ? event.target.closest("li") : null;
      if (option !== null) this.events.select(Number(option.dataset["id"]));
    });
  }

  show(model: SweepModel, scene: Scene): void {
    if (model === this.model) return;
    this.model = model;
    this.scene = scene;
    this.options.clear();
    this.shown.forget();
    const names = new Set<string>();
    for (const node of scene.nodes) {
      const name = nodeName(model.view.trace, node);
      const key = name === null || names.has(name) ? `#${node}` : name;
      names.add(key);
      const option = h("li", {
        role: "option",
        id: `node-${node}`,
        "data-node": key,
        "data-id": node,
        "aria-selected": "false",
      });
      this.options.set(node, option);
    }
    this.element.replaceChildren(...this.options.values());
  }

  /** What it lists may be half of a sweep: the next `show` lists anew. */
  forget(): void {
    this.model = null;
    this.element.replaceChildren();
  }

  update(state: AppState, current: number): void {
    if (this.model === null) return;
    const timeline = this.model.timeline(state.mode);
    const keeping = keepingOf(this.model, timeline);
    const moved = this.shown.move(timeline, state.step, state.selected);
    const changed = keeping === null ? moved : null;
    for (const node of changed ?? this.options.keys()) {
      const option = this.options.get(node);
      if (option === undefined) continue;
      const kept = keeping === null ? "" : keepingWords(keeping.of(node, state.step));
      const described = describeNode(timeline.trace, factsOf(timeline, node, state.step));
      setText(option, kept === "" ? described : `${described}, ${kept}`);
      setAttribute(option, "aria-selected", node === state.selected ? "true" : "false");
      setAttribute(option, "aria-current", node === current ? "step" : null);
    }
    this.active = state.selected >= 0 ? state.selected : current;
    setAttribute(
      this.element,
      "aria-activedescendant",
      this.options.has(this.active) ? `node-${this.active}` : null,
    );
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (event.key === "Enter" && this.active >= 0) this.events.reveal(this.active);
    else if (event.key.startsWith("Arrow")) {
      const next = this.neighbour(event.key);
      if (next >= 0) this.events.select(next);
    } else return;
    event.preventDefault();
  }

  /** Along an edge sideways (the nearest in height), else to the nearest card in that direction. */
  private neighbour(key: string): number {
    const scene = this.scene;
    if (scene === null || scene.nodes.length === 0) return -1;
    const from = scene.place.get(this.active);
    if (from === undefined) return scene.nodes[0];
    const sideways = key === "ArrowLeft" || key === "ArrowRight";
    const sign = key === "ArrowLeft" || key === "ArrowUp" ? -1 : 1;
    const linked = new Set<number>();
    for (const edge of scene.edges) {
      if (key === "ArrowRight" && edge.from === this.active) linked.add(edge.to);
      if (key === "ArrowLeft" && edge.to === this.active) linked.add(edge.from);
    }
    let best = -1;
    let least = Infinity;
    for (const node of scene.nodes) {
      const at = scene.place.get(node)!;
      const [along, across] = sideways ? [at.x - from.x, at.y - from.y] : [at.y - from.y, at.x - from.x];
      if (along * sign <= 1) continue;
      if (!sideways && Math.abs(across) > 1) continue;
      const cost = Math.abs(along) + 2 * Math.abs(across) - (linked.has(node) ? 1e7 : 0);
      if (cost >= least) continue;
      least = cost;
      best = node;
    }
    return best;
  }
}
