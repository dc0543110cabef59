/** The faces the panel has when there is no sweep to show, and the banner above a sweep that is not current. */
import { h } from "./dom.js";
import type { AppState } from "./store.js";
import { stoppedText } from "./text/stopped.js";

export interface FaceEvents {
  /** null: the graph on screen, or the last one asked for */
  run(graph: string | null): void;
  trust(): void;
  revealPlace(line: number, column: number, file: string | null): void;
  dismiss(): void;
}

/** Milliseconds after which a sweep's banner says that it is stale or that a run goes on: most runs are over by then. */
const PATIENCE_MS = 400;

export class Faces {
  private shown: readonly unknown[] = [];
  private state: AppState | null = null;
  private timer = 0;

  constructor(
    private readonly face: HTMLElement,
    private readonly banner: HTMLElement,
    private readonly app: HTMLElement,
    private readonly events: FaceEvents,
  ) {}

  /** Touches the page only when what it says changes: a button keeps its focus, a live region its silence. */
  update(state: AppState): void {
    const { model, broken, torn, failure, partial, running, runningGraph, empty, stale, whatIf } = state;
    const key = [model, broken, torn, failure, partial, running, runningGraph, empty, stale, whatIf];
    if (this.state !== null && key.every((part, i) => part === this.shown[i])) return;
    this.shown = key;
    this.state = state;
    const bare = model === null;
    this.app.classList.toggle("is-bare", bare);
    this.app.classList.toggle("is-torn", torn);
    this.app.classList.toggle("is-stale", stale || (failure !== null && !partial));
    this.app.setAttribute("aria-busy", String(running));
    window.clearTimeout(this.timer);
    const mild = broken === null && failure === null && empty === null;
    if (!bare && mild && (running || stale) && this.banner.hidden)
      this.timer = window.setTimeout(() => this.draw(), PATIENCE_MS);
    else this.draw();
  }

  private draw(): void {
    const state = this.state!;
    const bare = state.model === null;
    this.face.hidden = !bare;
    replace(this.face, bare ? this.faceOf(state) : []);
    const banner = bare ? [] : [...whatIfOf(state), ...this.bannerOf(state)];
    this.banner.hidden = banner.length === 0;
    const bad = state.broken !== null || (state.failure !== null && !state.running);
    this.banner.className = `banner${bad ? " is-bad" : ""}`;
    replace(this.banner, banner);
  }

  private faceOf(state: AppState): HTMLElement[] {
    if (state.broken !== null)
      return [
        h("h2", {}, "Something went wrong in this view"),
        h("p", { class: "mono" }, state.broken),
        this.runButton("Run again"),
      ];
    if (state.running) return [working(state)];
    if (state.failure !== null) return this.failedFace(state);
    if (state.empty?.reason === "restricted") {
      return [
        h("h2", {}, "This workspace is restricted"),
        h("p", {}, "A sweep runs the code of the graph, so it waits until you trust this workspace."),
        detail(state.empty.detail),
        this.trustButton("button primary"),
      ];
    }
    if (state.empty?.reason === "no-graph") {
      return [
        h("h2", {}, "No graph in this file"),
        h("p", {}, "Export one to step through its reverse sweep:"),
        h("pre", { class: "mono", tabindex: 0, "aria-label": "Example of a graph" }, SAMPLE),
        detail(state.empty.detail),
        this.runButton("Run again"),
      ];
    }
    if (state.empty?.reason === "passes")
      return [
        h("h2", {}, "Nothing is wrong now"),
        h("p", {}, state.empty.detail),
        this.runButton("Audit again"),
      ];
    if (state.empty?.reason === "closed")
      return [
        h("h2", {}, "The file was closed"),
        detail(state.empty.detail),
        this.runButton("Open it again"),
      ];
    return [h("p", { class: "working" }, "Loading…")];
  }

  private failedFace(state: AppState): HTMLElement[] {
    const { graph, graphs, frames } = state.failure!;
    const name = graph === null || graphs.length < 2 ? "The run" : `The run of ${graph}`;
    const out = [h("h2", {}, `${name} failed`), ...this.failureOf(state)];
    if (frames.length > 0)
      out.push(h("pre", { class: "mono dim", tabindex: 0, "aria-label": "Stack" }, frames.join("\n")));
    out.push(this.runButton("Run again"));
    // a file that cannot be read at all has none that would run
    const readable = state.failure!.kind !== "syntax";
    const others = readable ? graphs.filter((other) => other !== graph).slice(0, MOST_OTHERS) : [];
    if (others.length > 0) {
      const list = h("p", { class: "others" }, h("span", { class: "dim" }, "Other graphs of this file: "));
      for (const other of others) {
        const choose = h("button", { class: "link mono", "data-graph": other }, other);
        choose.addEventListener("click", () => this.events.run(other));
        list.append(choose, " ");
      }
      out.push(list);
    }
    return out;
  }

  private failureOf({ failure }: AppState): HTMLElement[] {
    if (failure === null) return [];
    const out: HTMLElement[] = [h("p", { class: "failure-message" }, failure.message)];
    if (failure.line > 0) {
      const text = `${failure.fileLabel ?? "line"}:${failure.line}:${failure.column}`;
      const place = h("button", { class: "link mono", id: "failure-place" }, text);
      place.addEventListener("click", () =>
        this.events.revealPlace(failure.line, failure.column, failure.fileLabel),
      );
      out.push(h("p", {}, place));
    }
    return out;
  }

  private bannerOf(state: AppState): HTMLElement[] {
    const { broken, failure, model } = state;
    if (broken !== null) {
      const close = h("button", { class: "button", id: "dismiss" }, state.torn ? "Draw again" : "Dismiss");
      close.addEventListener("click", () => this.events.dismiss());
      return [h("p", {}, h("b", {}, "Error in this view: "), broken), close];
    }
    if (state.running) return [working(state)];
    if (failure !== null) {
      const kept = state.partial
        ? stoppedText(model!.view.trace)
        : "The run failed; the last good sweep is shown.";
      const parts = [h("p", {}, h("b", {}, kept)), ...this.failureOf(state)];
      if (state.partial && state.stale) parts.push(h("p", {}, "The text has changed since."));
      return [...parts, this.runButton("Run again")];
    }
    if (state.empty?.reason === "restricted")
      return [
        h("p", {}, "This workspace is restricted; the last sweep is shown."),
        this.trustButton("button"),
      ];
    if (state.empty !== null) {
      const what =
        state.empty.reason === "no-graph" ? "There is no graph in the file now" : "The file was closed";
      return [h("p", {}, `${what}; the last sweep is shown.`), this.runButton("Run again")];
    }
    if (state.stale)
      return [h("p", {}, "The text has changed since this sweep."), this.runButton("Run again")];
    return [];
  }

  private runButton(text: string): HTMLElement {
    const button = h("button", { class: "button", id: "run-again" }, text);
    button.addEventListener("click", () => this.events.run(null));
    return button;
  }

  private trustButton(classes: string): HTMLElement {
    const trust = h("button", { class: classes, id: "manage-trust" }, "Manage Workspace Trust");
    trust.addEventListener("click", () => this.events.trust());
    return trust;
  }
}

/** Figures of a what-if are not the graph's: that is said as long as they are on screen. */
function whatIfOf({ whatIf }: AppState): HTMLElement[] {
  if (whatIf === null) return [];
  return [
    h("p", {}, h("b", {}, `What if ${whatIf}`), ": a debug session changed this, the source says otherwise."),
  ];
}

const MOST_OTHERS = 12;

const SAMPLE = `import { graph } from "backsweep";

export const fanOut = graph({ x: 2, y: 3 }, ({ x, y }) => {
  const a = x * y;
  return (a + x) * (a * y);
});`;

function detail(text: string): HTMLElement {
  return h("p", { class: "dim" }, text);
}

function working({ model, runningGraph }: AppState): HTMLElement {
  const other = runningGraph !== null && runningGraph !== model?.view.graph ? ` of ${runningGraph}` : "";
  return h("p", { class: "working" }, `Running the sweep${other}…`);
}

/** Replaces the children; a focused one that comes again keeps the focus, one that is gone hands it to its element. */
function replace(element: HTMLElement, children: readonly HTMLElement[]): void {
  const active = document.activeElement;
  const had = active instanceof HTMLElement && element.contains(active) && active !== element;
  element.replaceChildren(...children);
  if (!had) return;
  const again = active.id === "" ? null : element.querySelector<HTMLElement>(`#${CSS.escape(active.id)}`);
  if (again !== null) again.focus();
  else (element.hidden ? document.getElementById("run") : element)?.focus();
}
