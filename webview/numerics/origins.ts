/** Where NaN and infinities begin, forward and in the sweep, and what a replay computed otherwise; with the way to the source. */
import { nonFiniteOrigins, type Origin } from "../model/origins.js";
import type { ReplayAnswer } from "../../engine/report/questions.js";
import { h } from "../dom.js";
import { noteParts } from "../inspector/notes.js";
import type { SweepModel } from "../model/sweep-model.js";
import type { Services } from "../tabs.js";
import { messageOf } from "../text/message.js";

export class Origins {
  readonly element = h("section", { class: "picture-part" });

  private readonly contract = h("div");
  private model: SweepModel | null = null;

  constructor(private readonly services: Services) {}

  private async ask(model: SweepModel): Promise<void> {
    this.model = model;
    const { header } = model.view.trace;
    const { schedule } = header.options;
    const say = (text: string): void => this.contract.replaceChildren(h("p", { class: "dim" }, text));
    if (!header.complete) return say("The run stopped before its sweep.");
    if (schedule === "store-all") return say("Everything was kept: nothing is computed again.");
    say(`Comparing every replay under ${schedule} with the first run\u2026`);
    try {
      const answer = await this.services.ask({ kind: "replay", sweep: model.view.id, schedule });
      if (model === this.model) this.contract.replaceChildren(...contractParts(answer, this.services));
    } catch (error) {
      if (model === this.model) say(messageOf(error));
    }
  }

  show(model: SweepModel): void {
    const { forward, reverse } = nonFiniteOrigins(model.timeline(model.nativeMode));
    this.element.replaceChildren(
      h("h2", { class: "figure-title" }, "NaN and infinity"),
      ...(forward === null && reverse === null
        ? [h("p", {}, "Every value and every cotangent of this sweep is finite.")]
        : [
            this.origin("Forward", forward, "every value is finite"),
            this.origin("Reverse sweep", reverse, "every contribution is finite"),
          ]),
      ...this.notes(model),
      h("h2", { class: "figure-title contract-title" }, "Replay contract"),
      this.contract,
    );
    void this.ask(model);
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

type Mismatch = ReplayAnswer["mismatches"][number];

const points: Readonly<Record<string, string>> = {
  format: "number format and summation",
  random: "random stream",
  state: "state outside the step",
  decision: "decisions",
  write: "writes to saved values",
};

function contractParts(
  { points: held, mismatches, more, outside, notes }: ReplayAnswer,
  { revealPlace }: Services,
): HTMLElement[] {
  const way = ({ file, line, column }: Pick<Mismatch, "file" | "line" | "column">): HTMLElement | false => {
    if (line === 0) return false;
    const place = h("button", { class: "link mono" }, `line ${line}`);
    place.addEventListener("click", () => revealPlace(line, column, file));
    return place;
  };
  const list = held.map(({ point, holds, mismatches: count }) =>
    h(
      "li",
      {},
      `${points[point] ?? point}: `,
      h("b", { class: holds ? "is-held" : "is-bad" }, holds ? "held" : `broken ${count} times`),
    ),
  );
  const found = mismatches.map((one) => {
    const { message, region, step, first, replay, ulps } = one;
    const far = ulps === null ? "" : `, ${ulps} ulp apart`;
    const values = first === null || replay === null ? "" : ` First ${first}, replay ${replay}${far}.`;
    return h("p", {}, `${region}, step ${step}: ${message}.${values} `, way(one));
  });
  const rest = more > 0 ? [h("p", { class: "dim" }, `and ${more} more`)] : [];
  // nothing can be compared with what comes from elsewhere: that a replay asked for it is the finding
  const drawn = outside.map((call) => {
    const often = call.calls === 1 ? "once" : `${call.calls} times`;
    return h(
      "p",
      { class: "is-bad" },
      `${call.what} was called ${often} by replayed steps: it gives something else each time. `,
      way(call),
    );
  });
  const sound = held.every(({ holds }) => holds)
    ? [h("p", {}, "No replayed value differs, compared bit for bit.")]
    : [];
  return [
    h("ul", { class: "contract" }, ...list),
    ...sound,
    ...found,
    ...rest,
    ...drawn,
    ...noteParts(notes, revealPlace),
  ];
}
