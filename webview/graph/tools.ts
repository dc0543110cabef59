/** Buttons in the corner of the graph, to save it and to zoom, and the direction in which things flow. */
import { h } from "../dom.js";
import { icon } from "../icons.js";
import { saveButtons, type Format } from "../plot/save.js";

export interface ToolEvents {
  fit(): void;
  zoom(ratio: number): void;
  save(format: Format): void;
}

export function graphTools(events: ToolEvents): HTMLElement {
  const make = (
    id: string,
    name: "fit" | "plus" | "minus",
    label: string,
    act: () => void,
  ): HTMLButtonElement => {
    const button = h("button", { id, class: "tool", "aria-label": label, title: label }, icon(name));
    button.addEventListener("click", act);
    return button;
  };
  const flow = h(
    "p",
    { class: "direction dim", "aria-hidden": "true" },
    h("span", {}, "inputs"),
    h("span", { class: "arrow" }),
    h("span", {}, "cotangents flow back"),
    h("span", { class: "shaft" }),
    h("span", {}, "output"),
  );
  return h(
    "div",
    { class: "graph-foot" },
    flow,
    h(
      "div",
      { class: "tools" },
      saveButtons("the graph", (format) => events.save(format)),
    ),
    h(
      "div",
      { class: "tools", role: "group", "aria-label": "Zoom" },
      make("zoom-out", "minus", "Zoom out (-)", () => events.zoom(0.8)),
      make("zoom-in", "plus", "Zoom in (+)", () => events.zoom(1.25)),
      make("fit", "fit", "Fit the graph (F)", () => events.fit()),
    ),
  );
}
