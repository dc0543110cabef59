/** Where NaN and infinities begin, forward and in the sweep, and what a replay computed otherwise; with the way to the source. */
import { nonFiniteOrigins, type Origin } from "../model/origins.js";
import { h } from "../dom.js";
import type { SweepModel } from "../model/sweep-model.js";
import type { Services } from "../tabs.js";

export class Origins {
  readonly element = h("section", { class: "picture-part" });

  constructor(private readonly services: Services) {}

  show(model: SweepModel): void {
    const { forward, reverse } = nonFiniteOrigins(model.timeline(model.nativeMode));
    this.element.replaceChildren(
      h("h3", { class: "figure-title" }, "NaN and infinity"),
      ...(forward === null && reverse === null
        ? [h("p", {}, "Every value and every cotangent of this sweep is finite.")]
        : [this.origin("Forward", forward, "every value is finite"), this.origin("Reverse sweep", reverse, "every contribution is finite")]),
      ...this.notes(model),
    );
  }

  private origin(where: string, origin: Origin | null, otherwise: string): HTMLElement {
    if (origin === null) return h("p", { class: "dim" }, `${where}: ${otherwise}.`);
    const show = h("button", { class: "link mono" }, origin.title);
    show.addEventListener("click", () => {
      this.services.move(origin.step);
      this.services.select(origin.node);
      this.services.reveal(origin.node);
    });
    return h(
      "p",
      { class: "origin" },
      h("b", {}, `${where}: `),
      "first at ",
      show,
      ` (step ${origin.step}): `,
      h("span", { class: "mono is-bad" }, origin.value),
      origin.from === "" ? "" : ` from ${origin.from}`,
      ".",
    );
  }

  private notes({ view }: SweepModel): HTMLElement[] {
    const notes = view.report?.notes.filter(({ severity }) => severity === "finding") ?? [];
    return notes.map(({ message, line, column, file }) => {
      const place = h("button", { class: "link mono" }, `line ${line}`);
      place.addEventListener("click", () => this.services.revealPlace(line, column, file));
      return h("p", {}, message, line > 0 && " ", line > 0 && place);
    });
  }
}

