/** The bar on top: which graph, of what size, in which mode; run again; help. */
import { h, setAttribute, setText } from "./dom.js";
import { icon } from "./icons.js";
import type { Mode } from "../engine/protocol.js";
import type { AppState } from "./store.js";
import { COUNTERPART_LIMIT } from "../engine/report/limits.js";
import { ellipsis } from "../engine/report/text/format.js";
import { verdictOf } from "./text/verdict.js";

export interface HeaderEvents {
  mode(mode: Mode): void;
  run(graph: string | null): void;
  help(): void;
}

const NO_COUNTERPART = `Above ${COUNTERPART_LIMIT.toLocaleString("en")} nodes a run carries one sweep only. On the command line: backsweep run FILE --accumulate last-writer-wins`;
const NOT_SWEPT = "The run stopped before its sweep.";

export class Header {
  private readonly title = h("h1", { class: "title" });
  private readonly graphs = h("select", { id: "graph-choice", "aria-label": "Graph" });
  private readonly file = h("span", { class: "file mono dim" });
  private readonly facts = h("span", { class: "facts dim" });
  private readonly cut = h("span", { class: "cut dim", id: "cut" });
  private readonly sum = h("button", { id: "mode-sum", class: "segment" }, "Sum");
  private readonly wrong = h("button", { id: "mode-lww", class: "segment" }, "Last writer wins");
  private readonly verdict = h("span", { id: "verdict", class: "verdict" });
  private readonly rerun = h(
    "button",
    { id: "run", class: "button", title: "Run the sweep again" },
    icon("run"),
    h("span", {}, "Run"),
  );

  constructor(host: HTMLElement, tabs: HTMLElement, events: HeaderEvents) {
    const modes = h(
      "div",
      { class: "segments", role: "group", "aria-label": "Accumulation" },
      this.sum,
      this.wrong,
    );
    const help = h(
      "button",
      { id: "help", class: "button", "aria-label": "Help: keys", title: "Keys (?)" },
      "?",
    );
    this.sum.addEventListener("click", () => events.mode("sum"));
    this.wrong.addEventListener("click", () => events.mode("last-writer-wins"));
    this.rerun.addEventListener("click", () => events.run(null));
    help.addEventListener("click", () => events.help());
    this.graphs.addEventListener("change", () => events.run(this.graphs.value));
    host.replaceChildren(
      this.title,
      this.graphs,
      tabs,
      this.file,
      this.facts,
      this.cut,
      h("span", { class: "grow" }),
      this.verdict,
      modes,
      this.rerun,
      help,
    );
  }

  update(state: AppState, before: AppState): void {
    setAttribute(this.rerun, "aria-disabled", state.running ? "true" : null);
    this.rerun.classList.toggle("is-running", state.running);
    const { model, mode } = state;
    if (model === null) return;
    if (model !== before.model) this.show(state);
    // a choice whose run came to nothing is taken back
    else if (before.running && !state.running) this.graphs.value = model.view.graph;
    if (model !== before.model || mode !== before.mode || state.tab !== before.tab) this.judge(state);
    for (const [button, its] of [
      [this.sum, "sum"],
      [this.wrong, "last-writer-wins"],
    ] as const) {
      setAttribute(button, "aria-pressed", mode === its ? "true" : "false");
      button.disabled = !model.has(its);
      setAttribute(
        button,
        "title",
        model.has(its) ? null : model.view.trace.header.complete ? NO_COUNTERPART : NOT_SWEPT,
      );
    }
  }

  /** Says which of the two is right, where they differ. */
  private judge({ model, mode, tab }: AppState): void {
    const { text, detail, wrong } = verdictOf(model!, mode, tab);
    setText(this.verdict, text);
    setAttribute(this.verdict, "title", detail === "" ? null : detail);
    this.verdict.classList.toggle("is-wrong", wrong);
    this.wrong.classList.toggle("is-wrong", wrong);
  }

  private show({ model }: AppState): void {
    const { view } = model!;
    setText(this.title, ellipsis(view.graph, 40));
    setAttribute(this.title, "title", view.graph);
    const several = view.graphs.length > 1;
    this.graphs.hidden = !several;
    this.title.classList.toggle("hidden", several);
    this.graphs.replaceChildren(...view.graphs.map((graph) => h("option", { value: graph }, graph)));
    this.graphs.value = view.graph;
    setText(this.file, view.fileLabel);
    setAttribute(this.file, "title", view.fileLabel);
    // beside an audited engine's sweep ours is the right one
    setText(this.sum, view.foreign === undefined ? "Sum" : "Right");
    setText(this.wrong, view.foreign === undefined ? "Last writer wins" : ellipsis(view.foreign, 24));
    const { options } = view.trace.header;
    const n = view.trace.nodes.n;
    setText(
      this.facts,
      `${n.toLocaleString("en")} ${n === 1 ? "node" : "nodes"}, ${options.dtype}, ${options.schedule}`,
    );
    const shown = view.positions.shown.length;
    setText(this.cut, shown < n ? `showing ${shown} of ${n.toLocaleString("en")} nodes` : "");
  }
}
