/** The faces the panel has when there is no sweep to show, and the banner above a sweep that is not current. */
import { h } from "./dom.js";
import type { AppState } from "./store.js";

export interface FaceEvents {
  run(): void;
  trust(): void;
  revealPlace(line: number, column: number): void;
  dismiss(): void;
}

export class Faces {
  constructor(
    private readonly face: HTMLElement,
    private readonly banner: HTMLElement,
    private readonly app: HTMLElement,
    private readonly events: FaceEvents,
  ) {}

  update(state: AppState): void {
    const bare = state.model === null;
    this.app.classList.toggle("is-bare", bare);
    this.app.classList.toggle("is-stale", state.stale || state.failure !== null);
    this.app.setAttribute("aria-busy", String(state.running));
    this.face.hidden = !bare;
    this.face.replaceChildren(...(bare ? this.faceOf(state) : []));
    const banner = bare ? [] : this.bannerOf(state);
    this.banner.hidden = banner.length === 0;
    this.banner.className = `banner${state.failure !== null || state.broken !== null ? " is-bad" : ""}`;
    this.banner.replaceChildren(...banner);
  }

  private faceOf(state: AppState): HTMLElement[] {
    if (state.broken !== null)
      return [
        h("h2", {}, "Something went wrong in this view"),
        h("p", { class: "mono" }, state.broken),
        this.runButton("Run again"),
      ];
    if (state.failure !== null) return this.failureOf(state, true);
    if (state.running) return [h("p", { class: "working" }, "Running the sweep…")];
    if (state.empty?.reason === "restricted") {
      const trust = h("button", { class: "button primary", id: "manage-trust" }, "Manage Workspace Trust");
      trust.addEventListener("click", () => this.events.trust());
      return [
        h("h2", {}, "This workspace is restricted"),
        h("p", {}, "A sweep runs the code of the graph, so it waits until you trust this workspace."),
        detail(state.empty.detail),
        trust,
      ];
    }
    if (state.empty?.reason === "no-graph") {
      return [
        h("h2", {}, "No graph in this file"),
        h("p", {}, "Export one to step through its reverse sweep:"),
        h("pre", { class: "mono", tabindex: 0 }, SAMPLE),
        detail(state.empty.detail),
        this.runButton("Run again"),
      ];
    }
    if (state.empty?.reason === "closed")
      return [
        h("h2", {}, "The file was closed"),
        detail(state.empty.detail),
        this.runButton("Open it again"),
      ];
    return [h("p", { class: "working" }, "Loading…")];
  }

  private failureOf(state: AppState, withHeading: boolean): HTMLElement[] {
    const { failure } = state;
    if (failure === null) return [];
    const out: HTMLElement[] = [];
    if (withHeading) out.push(h("h2", {}, "The run failed"));
    out.push(h("p", { class: "failure-message" }, failure.message));
    if (failure.line > 0) {
      const text = `${failure.fileLabel ?? "line"}:${failure.line}:${failure.column}`;
      const place = h("button", { class: "link mono", id: "failure-place" }, text);
      place.addEventListener("click", () => this.events.revealPlace(failure.line, failure.column));
      out.push(h("p", {}, place));
    }
    if (withHeading && failure.frames.length > 0)
      out.push(h("pre", { class: "mono dim", tabindex: 0 }, failure.frames.join("\n")));
    out.push(this.runButton("Run again"));
    return out;
  }

  private bannerOf(state: AppState): HTMLElement[] {
    if (state.broken !== null) {
      const close = h("button", { class: "button", id: "dismiss" }, "Dismiss");
      close.addEventListener("click", () => this.events.dismiss());
      return [h("p", {}, h("b", {}, "Error in this view: "), state.broken), close];
    }
    if (state.failure !== null) {
      const kept = state.partial
        ? "The run stopped; what it recorded until then is shown."
        : "The run failed; the last good sweep is shown.";
      return [h("p", {}, h("b", {}, kept)), ...this.failureOf(state, false)];
    }
    if (state.running) return [h("p", { class: "working" }, "Running the sweep…")];
    if (state.empty?.reason === "restricted") {
      const trust = h("button", { class: "button", id: "manage-trust" }, "Manage Workspace Trust");
      trust.addEventListener("click", () => this.events.trust());
      return [h("p", {}, "This workspace is restricted; the last sweep is shown."), trust];
    }
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
    button.addEventListener("click", () => this.events.run());
    return button;
  }
}

const SAMPLE = `import { graph } from "backsweep";

export const fanOut = graph({ x: 2, y: 3 }, ({ x, y }) => {
  const a = x * y;
  return (a + x) * (a * y);
});`;

function detail(text: string): HTMLElement {
  return h("p", { class: "dim" }, text);
}
