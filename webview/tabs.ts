/**
 * The pictures of a sweep behind their tabs. The graph is always there; the others come as a second script, with the
 * plotting library, when one of them is wanted first.
 */
import { tabs, type ExportRequest, type ReplyTo, type Tab, type ViewRequest } from "../engine/protocol.js";
import { byId, h, setAttribute } from "./dom.js";
import type { AppState } from "./store.js";

/** What a picture can ask of the rest of the view. */
export interface Services {
  move(step: number): void;
  select(node: number): void;
  reveal(node: number): void;
  revealPlace(line: number, column: number, file: string | null): void;
  /** runs the graph with a schedule from now on; null: with its own */
  run(schedule: string | null): void;
  ask<R extends ViewRequest>(request: R): Promise<ReplyTo<R>>;
  save(request: Omit<ExportRequest, "kind">): void;
}

/** One picture. It is updated while it is in front only, and told the state it was updated with last. */
export interface Picture {
  update(state: AppState, before: AppState | null): void;
}

/** The second script. */
interface Plots {
  makePicture(tab: Exclude<Tab, "graph">, host: HTMLElement, services: Services): Picture;
}

const titles: Readonly<Record<Tab, string>> = {
  graph: "Graph",
  memory: "Memory",
  schedules: "Schedules",
  numerics: "Numerics",
};

export class Tabs {
  readonly element: HTMLElement;
  private readonly buttons = new Map<Tab, HTMLButtonElement>();
  private readonly panels = new Map<Tab, HTMLElement>();
  private readonly remarks = new Map<Tab, HTMLElement>();
  private readonly pictures = new Map<Tab, Picture>();
  private readonly drawn = new Map<Tab, AppState>();
  private loading: Promise<Plots> | null = null;
  private state: AppState | null = null;

  constructor(
    private readonly services: Services,
    private readonly choose: (tab: Tab) => void,
    private readonly failed: (error: unknown) => void,
  ) {
    this.element = h("div", { class: "tabs", role: "tablist", "aria-label": "Pictures of the sweep" });
    const main = byId("main");
    for (const tab of tabs) {
      const button = h(
        "button",
        { id: `tab-${tab}`, class: "tab", role: "tab", "aria-controls": `panel-${tab}` },
        titles[tab],
      );
      button.addEventListener("click", () => this.choose(tab));
      this.buttons.set(tab, button);
      this.element.append(button);
      const attributes = {
        id: `panel-${tab}`,
        class: "panel",
        role: "tabpanel",
        "aria-labelledby": `tab-${tab}`,
        tabindex: 0,
        hidden: true,
      };
      const panel = tab === "graph" ? byId("panel-graph") : h("div", attributes);
      this.panels.set(tab, panel);
      if (tab !== "graph") main.append(panel);
    }
    this.element.addEventListener("keydown", (event) => this.key(event));
  }

  update(state: AppState): void {
    this.state = state;
    for (const tab of tabs) {
      const front = tab === state.tab;
      const button = this.buttons.get(tab)!;
      setAttribute(button, "aria-selected", front ? "true" : "false");
      setAttribute(button, "tabindex", front ? 0 : -1);
      const panel = this.panels.get(tab)!;
      if (panel.hidden === front) panel.hidden = !front;
    }
    if (state.tab !== "graph") this.draw(state.tab, state);
  }

  /** What a picture drew may be half of a sweep: the next update draws it anew. */
  forget(): void {
    this.drawn.clear();
  }

  private draw(tab: Exclude<Tab, "graph">, state: AppState): void {
    if (state.model === null) return;
    const picture = this.pictures.get(tab);
    if (picture === undefined) return this.load(tab);
    const before = this.drawn.get(tab) ?? null;
    if (before === state) return;
    this.drawn.set(tab, state);
    const remark = this.remarks.get(tab)!;
    const { foreign } = state.model.view;
    remark.hidden = foreign === undefined;
    remark.textContent =
      foreign === undefined
        ? ""
        : `What Backsweep does with this graph; ${foreign} was asked for gradients only.`;
    picture.update(state, before);
  }

  private load(tab: Exclude<Tab, "graph">): void {
    const panel = this.panels.get(tab)!;
    if (panel.childElementCount > 0) return;
    const remark = h("p", { class: "panel-remark", hidden: true });
    const host = h("div", { class: "panel-host" }, h("p", { class: "panel-loading dim" }, "Drawing\u2026"));
    this.remarks.set(tab, remark);
    panel.replaceChildren(remark, host);
    this.loading ??= import("./plots.js");
    this.loading
      .then(({ makePicture }) => {
        host.replaceChildren();
        this.pictures.set(tab, makePicture(tab, host, this.services));
        if (this.state !== null) this.update(this.state);
      })
      .catch((error: unknown) => {
        this.loading = null;
        const message = error instanceof Error ? error.message : String(error);
        panel.replaceChildren(
          h("p", { class: "panel-loading" }, `This picture could not be drawn: ${message}`),
        );
        this.failed(error);
      });
  }

  /** Left, right, Home and End move along the tabs, and bring the one moved to in front. */
  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || this.state === null) return;
    const at = tabs.indexOf(this.state.tab);
    const targets: Readonly<Record<string, number>> = {
      ArrowLeft: (at + tabs.length - 1) % tabs.length,
      ArrowRight: (at + 1) % tabs.length,
      Home: 0,
      End: tabs.length - 1,
    };
    const target = targets[event.key];
    if (target === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.choose(tabs[target]);
    this.buttons.get(tabs[target])!.focus();
  }
}
