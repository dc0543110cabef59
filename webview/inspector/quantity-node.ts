/** A value inside the page: signs for the eye, words for the reader, which makes nothing of the bars of a norm. */
import { h } from "../dom.js";
import { isArray, type Quantity } from "../../engine/report/quantity.js";
import { roomy, spoken } from "../../engine/report/text/format.js";

/** A number as text; an array as `text` (shape and norm, or a short vector) with what it is in words. */
export function quantityNode(quantity: Quantity | undefined, text = roomy(quantity)): Node | string {
  if (!isArray(quantity)) return text;
  return h(
    "span",
    {},
    h("span", { "aria-hidden": "true" }, text),
    h("span", { class: "hidden" }, spoken(quantity)),
  );
}
