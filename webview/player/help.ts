/** The help behind `?`: the keys, from the same table that listens. */
import { h } from "../dom.js";
import { bindings, listKeys } from "./keys.js";

export class Help {
  readonly element: HTMLDialogElement;

  constructor(private readonly closed: () => void) {
    const rows = [...bindings, ...listKeys].map(({ shown, does }) =>
      h("tr", {}, h("th", { scope: "row" }, h("kbd", {}, shown)), h("td", {}, does)),
    );
    const close = h("button", { class: "button", id: "help-close" }, "Close");
    close.addEventListener("click", () => this.element.close());
    const legend = h(
      "p",
      { class: "dim" },
      "Dashed: not yet. Solid: paid; the pill is the number that flowed. Double border: several uses, with how many have paid. Diamond: the step that completes such a node.",
    );
    this.element = h(
      "dialog",
      { class: "help", "aria-labelledby": "help-title" },
      h("h2", { id: "help-title" }, "Keys"),
      h("table", {}, h("tbody", {}, ...rows)),
      legend,
      close,
    );
    this.element.addEventListener("close", () => this.closed());
  }

  show(open: boolean): void {
    if (open && !this.element.open) this.element.showModal();
    else if (!open && this.element.open) this.element.close();
  }
}
