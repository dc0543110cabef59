/** The view put together: state in the middle, parts around it, the host outside. */
import { tabs, type Mode, type ViewState } from "../engine/protocol.js";
import { byId } from "./dom.js";
import { Faces } from "./faces.js";
import { GraphView, type Viewport } from "./graph/view.js";
import { nodeTable } from "./graph/table.js";
import { graphTools } from "./graph/tools.js";
import { Header } from "./header.js";
import type { Host } from "./host.js";
import { Inspector } from "./inspector/inspector.js";
import { NodeList } from "./node-list.js";
import { Help } from "./player/help.js";
import { actionOf, type Action } from "./player/keys.js";
import { nextMark } from "./player/marks.js";
import { Player } from "./player/player.js";
import { savedData, type Format } from "./plot/save.js";
import type { Table } from "./plot/table.js";
import { receive } from "./receive.js";
import { Store, type AppState } from "./store.js";
import { Tabs } from "./tabs.js";
import { edgeTip, nodeTip, Tooltip } from "./tooltip.js";

/** while the picture is dragged, its place is stored this often; all else is stored at once */
const SAVE_AFTER_MS = 150;
/** around the pointer on an edge, in pixels */
const HAND = 12;
/** above this speed a number has no time to travel */
const FLY_UP_TO = 4;

export class App {
  readonly store = new Store();
  private readonly graph: GraphView;
  private readonly inspector: Inspector;
  private readonly nodes: NodeList;
  private readonly header: Header;
  private readonly tabs: Tabs;
  private readonly player: Player;
  private readonly faces: Faces;
  private readonly help: Help;
  private readonly tooltip: Tooltip;
  private restored: Viewport | null = null;
  private viewport: Viewport | null = null;
  private saveTimer = 0;
  private saved = "";
  /** true from the beginning of a drawing to its end, and on after one that threw */
  private drawing = false;

  constructor(private readonly host: Host) {
    const { store } = this;
    const graphHost = byId("graph");
    const saved = host.saved;
    if (saved?.zoom !== undefined && saved.pan !== undefined && saved.size !== undefined)
      this.restored = { zoom: saved.zoom, pan: saved.pan, size: saved.size };
    const calm = (): boolean =>
      matchMedia("(prefers-reduced-motion: reduce)").matches ||
      document.body.classList.contains("vscode-reduce-motion");
    this.tooltip = new Tooltip(byId("app"));
    this.graph = new GraphView(
      graphHost,
      {
        tap: (node) => (node === null ? this.userUpdate({ selected: -1 }) : this.choose(node)),
        hover: (target, at) => this.hover(target, at),
        viewport: (viewport, byUser) => {
          this.viewport = byUser ? viewport : null;
          this.saveSoon();
        },
      },
      calm,
    );
    this.nodes = new NodeList({
      select: (node) => this.userUpdate({ selected: node }),
      reveal: (node) => this.reveal(node),
    });
    this.help = new Help(() => store.update({ help: false }));
    const tools = graphTools({
      fit: () => this.graph.fit(),
      zoom: (ratio) => this.graph.zoomBy(ratio),
      save: (format) => void this.saveGraph(format),
    });
    graphHost.append(this.nodes.element, tools);
    byId("app").append(this.tooltip.element, this.help.element);
    this.inspector = new Inspector(byId("inspector"), {
      reveal: (node) => this.reveal(node),
      revealPlace: (line, column, file) => host.post({ type: "revealPlace", line, column, file }),
      follow: () => this.userUpdate({ selected: -1 }),
    });
    this.tabs = new Tabs(
      {
        move: (step) => this.move(step),
        select: (node) => this.userUpdate({ selected: node }),
        reveal: (node) => this.reveal(node),
        revealPlace: (line, column, file) => host.post({ type: "revealPlace", line, column, file }),
        run: (schedule) => {
          if (!store.state.running) host.post({ type: "run", graph: null, schedule });
        },
        ask: (request) => host.request(request),
        save: (request) => void host.request({ kind: "export", ...request }),
      },
      (tab) => store.update({ tab }),
      (error) => this.report(error),
    );
    this.header = new Header(byId("header"), this.tabs.element, {
      mode: (mode) => this.setMode(mode),
      run: (graph) => this.run(graph),
      help: () => store.update({ help: true }),
    });
    this.player = new Player(byId("player"), byId("live"), store, (step) => this.move(step));
    this.faces = new Faces(byId("face"), byId("banner"), byId("app"), {
      run: (graph) => this.run(graph),
      trust: () => host.post({ type: "manageTrust" }),
      revealPlace: (line, column, file) => host.post({ type: "revealPlace", line, column, file }),
      dismiss: () => store.update({ broken: null, torn: false }),
    });
    store.subscribe((state, before) => this.render(state, before));
    if (saved?.tab !== undefined && tabs.includes(saved.tab)) store.update({ tab: saved.tab });
    this.tabs.update(store.state);
    this.faces.update(store.state);
    this.player.update(store.state, { ...store.state, speed: NaN });
    document.addEventListener("keydown", (event) => this.key(event));
    host.listen((message) => receive(store, message, saved));
    host.post({ type: "ready", state: saved });
  }

  /** Says an internal error on screen and to the host. Must not throw itself. */
  report(error: unknown): void {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.host.post({ type: "error", message });
    try {
      const broken = error instanceof Error ? error.message : message;
      this.store.update({ broken, torn: this.drawing || this.store.state.torn, playing: false });
    } catch {
      this.faces.update(this.store.state);
    }
  }

  private render(state: AppState, before: AppState): void {
    this.drawing = true;
    this.faces.update(state);
    this.help.show(state.help);
    if (state.torn) this.putAway();
    // of a page that was torn nothing is trusted: all is drawn anew
    else this.draw(state, before.torn ? { ...before, model: null } : before);
    this.drawing = false;
  }

  /** No number of the state before may stand beside one of the state now. */
  private putAway(): void {
    this.tooltip.hide();
    this.graph.forget();
    this.nodes.forget();
    this.inspector.clear();
    this.tabs.forget();
    this.player.clear();
  }

  private draw(state: AppState, before: AppState): void {
    this.header.update(state, before);
    const { model, step, mode, selected } = state;
    if (model !== null) {
      this.tooltip.hide();
      const fresh = model !== before.model;
      const timeline = model.timeline(mode);
      const current = step > 0 && step <= timeline.steps ? timeline.nodeAt(step) : -1;
      if (fresh) {
        const { uri, graph } = model.view;
        const same = this.host.saved?.uri === uri && this.host.saved.graph === graph;
        this.graph.show(model, same ? this.restored : null, selected >= 0 ? selected : current);
        this.nodes.show(model, this.graph.drawn!);
      }
      if (fresh || step !== before.step || mode !== before.mode || selected !== before.selected) {
        const forward = !fresh && step === before.step + 1 && (!state.playing || state.speed <= FLY_UP_TO);
        this.graph.update({ mode, step, selected }, forward);
        this.nodes.update(state, current);
        const node = selected >= 0 ? selected : current >= 0 ? current : firstOutput(state);
        this.inspector.show(model, { node, step, timeline, selected: selected >= 0 });
        const wanted = selected !== before.selected ? selected : step !== before.step ? current : -1;
        if (wanted >= 0 && !(fresh && this.restored !== null)) this.graph.reveal(wanted);
        this.restored = null;
      }
    }
    this.tabs.update(state);
    this.player.update(state, before);
    this.save();
  }

  private hover(target: { node: number } | { edge: number } | null, at: { x: number; y: number }): void {
    const { model, mode, step } = this.store.state;
    if (target === null || model === null) return this.tooltip.hide();
    const timeline = model.timeline(mode);
    this.tooltip.later(
      () =>
        "node" in target ? nodeTip(model, timeline, target.node, step) : edgeTip(timeline, target.edge, step),
      () => {
        const { left, top } = byId("graph").getBoundingClientRect();
        const box = "node" in target ? this.graph.boxOf(target.node) : null;
        const { x, y, width, height } = box ?? {
          x: at.x - HAND,
          y: at.y - HAND,
          width: 2 * HAND,
          height: 2 * HAND,
        };
        return { x: x + left, y: y + top, width, height };
      },
    );
  }

  private move(step: number): void {
    this.store.goTo(step);
    this.moved();
  }

  private setMode(mode: Mode): void {
    if (this.store.state.model?.has(mode) !== true) return;
    this.store.goTo(this.store.state.step, { mode });
    this.moved();
  }

  private choose(node: number): void {
    this.userUpdate({ selected: node });
    this.reveal(node);
  }

  private userUpdate(change: Partial<AppState>): void {
    this.store.update(change);
    this.moved();
  }

  private reveal(node: number): void {
    const { model } = this.store.state;
    if (model !== null) this.host.post({ type: "reveal", sweep: model.view.id, node });
  }

  private run(graph: string | null): void {
    if (this.store.state.running) return;
    this.host.post({ type: "run", graph });
  }

  private async saveGraph(format: Format): Promise<void> {
    const { model, mode, step } = this.store.state;
    const picture = this.graph.picture();
    if (model === null || picture === null) return;
    const table = (): Table => nodeTable(model, model.timeline(mode), step);
    const data = await savedData(format, { svg: () => picture, table });
    await this.host.request({ kind: "export", name: `${model.view.graph}-step-${step}`, format, data });
  }

  private key(event: KeyboardEvent): void {
    const action = actionOf(event);
    // an open dialog has the keyboard to itself; it closes by Escape of its own accord
    if (action === null || (this.store.state.help && action !== "help")) return;
    event.preventDefault();
    this.act(action);
  }

  private act(action: Action): void {
    const { model, mode, step, help } = this.store.state;
    if (action === "help") return this.store.update({ help: !help });
    if (model === null) return;
    const timeline = model.timeline(mode);
    const targets: Partial<Record<Action, number>> = {
      back: step - 1,
      step: step + 1,
      start: 0,
      end: timeline.steps,
    };
    const target = targets[action];
    if (target !== undefined) this.move(target);
    else if (action === "play") this.player.toggle();
    else if (action === "nextMark" || action === "previousMark") {
      this.move(nextMark(timeline, step, action === "nextMark" ? 1 : -1));
    } else if (action === "mode") this.setMode(mode === "sum" ? "last-writer-wins" : "sum");
    else if (action === "fit") this.graph.fit();
    else if (action === "zoomIn" || action === "zoomOut") this.graph.zoomBy(action === "zoomIn" ? 1.25 : 0.8);
    else if (action === "follow") this.userUpdate({ selected: -1 });
  }

  /** Tells the host of a move by the user at once: the window may be reloaded in the next moment. */
  private moved(): void {
    const { model, step, mode, selected } = this.store.state;
    if (model !== null) this.host.post({ type: "moved", sweep: model.view.id, step, mode, selected });
  }

  private saveSoon(): void {
    if (this.saveTimer === 0) this.saveTimer = window.setTimeout(() => this.save(), SAVE_AFTER_MS);
  }

  /** Stores where the user is, if that has changed. */
  private save(): void {
    window.clearTimeout(this.saveTimer);
    this.saveTimer = 0;
    const { model, step, mode, selected, speed, tab } = this.store.state;
    if (model === null || !model.view.trace.header.complete) return;
    const { uri, graph } = model.view;
    const state: ViewState = { uri, graph, step, mode, selected, speed, tab, ...(this.viewport ?? {}) };
    const text = JSON.stringify(state);
    if (text === this.saved) return;
    this.saved = text;
    this.host.save({ ...state, time: Date.now() });
  }
}

function firstOutput({ model }: AppState): number {
  return model?.view.trace.header.outputs.find((output) => output.node >= 0)?.node ?? -1;
}
