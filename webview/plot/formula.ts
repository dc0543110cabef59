/** Formulas as MathML, typeset by the browser. */
import temml from "temml";
import { h } from "../dom.js";

/** @param tex in TeX's notation; ours, never the user's */
export function formula(tex: string): HTMLElement {
  const place = h("span", { class: "formula" });
  temml.render(tex, place);
  return place;
}
