/** Formulas as MathML, typeset by the browser. They are turned from TeX into MathML when the view is built. */
import { h } from "../dom.js";

/** @param mathml what an import of a `.tex` file gives; ours, never the user's */
export function formula(mathml: string): HTMLElement {
  const place = h("span", { class: "formula" });
  place.append(document.createRange().createContextualFragment(mathml));
  return place;
}
