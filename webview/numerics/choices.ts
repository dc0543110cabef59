/** Selects of the numerics picture, refilled with every sweep. */
import { h, setAttribute } from "../dom.js";

export function select(id: string, label: string): HTMLSelectElement {
  return h("select", { id, "aria-label": label });
}

/** Other options; what was chosen stays chosen where it is still among them, and nothing is offered where nothing can be chosen. */
export function refill(
  select: HTMLSelectElement,
  options: readonly (readonly [value: string, text: string])[],
): void {
  const before = select.value;
  select.replaceChildren(...options.map(([value, text]) => h("option", { value }, text)));
  if (options.some(([value]) => value === before)) select.value = before;
  setAttribute(select, "disabled", options.length < 2 ? "" : null);
  select.hidden = options.length === 0;
}

/** The lines of a figure in words. */
export function legend(...items: readonly (readonly [sign: string, words: string])[]): HTMLElement {
  return h(
    "ul",
    { class: "legend" },
    ...items.map(([name, words]) =>
      h("li", {}, h("i", { class: `stroke-sign ${name}`, "aria-hidden": "true" }), words),
    ),
  );
}
