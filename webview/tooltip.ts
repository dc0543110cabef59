/** The box beside a node: the contribution table of the editor's hover, as far as the sweep is, and the paths. */
import { Fate } from "../engine/trace/trace.js";
import { fateOf } from "../engine/report/seen.js";
import { h } from "./dom.js";
import { placeBeside, type Box, type Placed } from "./place.js";
import { pathParts } from "./inspector/paths.js";
import { cancellationText } from "./inspector/shares.js";
import { storyTable } from "./inspector/story-table.js";
import { factsOf } from "../engine/report/facts.js";
import { countText } from "../engine/report/paths.js";
import { pathsFrom } from "./model/paths.js";
import type { SweepModel } from "./model/sweep-model.js";
import type { Timeline } from "../engine/timeline/timeline.js";
import { nodeTitle } from "../engine/trace/read.js";
import { contribution, cotangent, isArray, type Quantity } from "../engine/report/quantity.js";
import { full, roomy } from "../engine/report/text/format.js";

/** heading, value, cotangent and the table of contributions: said in any case */
const LEAST_PARTS = 4;

export class Tooltip {
  readonly element = h("div", { class: "tooltip", role: "tooltip", hidden: true, id: "tooltip" });
  private timer = 0;

  constructor(private readonly host: HTMLElement) {}

  hide(): void {
    window.clearTimeout(this.timer);
    this.element.hidden = true;
  }

  /**
   * Shows after a moment, so that crossing the picture does not flicker, beside what it speaks of: `anchor` is its place in
   * the host when the box is shown. Where no side has room for all of it, what stands last is left out first.
   */
  later(content: () => (Node | string)[], anchor: () => Box): void {
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => {
      const { element, host } = this;
      element.replaceChildren(...content());
      element.hidden = false;
      const at = anchor();
      const place = (): Placed => {
        // its size is its own, not what is left of the host beside its last place
        element.style.left = "0";
        element.style.top = "0";
        const { offsetWidth: width, offsetHeight: height } = element;
        return placeBeside(at, { width, height }, { width: host.clientWidth, height: host.clientHeight });
      };
      let placed = place();
      while (!placed.beside && element.childElementCount > LEAST_PARTS) {
        element.lastElementChild!.remove();
        placed = place();
      }
      element.style.left = `${placed.x}px`;
      element.style.top = `${placed.y}px`;
    }, 180);
  }
}

/** Every digit of a number; an array as it is written in the inspector. */
function exact(quantity: Quantity | undefined): string {
  return isArray(quantity) ? roomy(quantity) : full(quantity);
}

export function nodeTip(
  model: SweepModel,
  timeline: Timeline,
  node: number,
  step: number,
): (Node | string)[] {
  const facts = factsOf(timeline, node, step);
  const heading = h("p", { class: "tip-title mono" });
  if (facts.name !== null) heading.append(h("b", {}, h("bdi", {}, facts.name)));
  heading.append(
    facts.isInput ? " input" : facts.name === null ? facts.expression : ` = ${facts.expression}`,
  );
  const out: (Node | string)[] = [heading];
  if (facts.evaluated) out.push(h("p", { class: "mono" }, `value ${exact(facts.value)}`));
  if (facts.cotangent !== undefined) {
    out.push(
      h(
        "p",
        { class: "mono" },
        `cotangent ${exact(facts.cotangent)}${facts.status === "final" ? "" : " so far"}`,
      ),
    );
  }
  const table = storyTable(timeline, facts, model.rightOf(timeline, node, step));
  if (table !== null) out.push(table);
  const cancels = cancellationText(facts);
  if (cancels !== "") out.push(h("p", { class: "dim" }, cancels));
  if (facts.status === "unreached") out.push(h("p", { class: "dim" }, "No derivative flows here."));
  else if (facts.status === "unswept" || facts.status === "unevaluated") {
    if (!timeline.trace.header.complete)
      out.push(h("p", { class: "dim" }, "Not swept: the run stopped before its sweep."));
  } else {
    const paths = pathsFrom(model, node);
    if (paths.real)
      out.push(
        h("p", { class: "dim" }, `Paths to the output: ${countText(paths.count)}`),
        ...pathParts(model, paths, 3),
      );
  }
  return out;
}

/** A contribution, or what is known of it where an engine is watched. */
function contributionText(timeline: Timeline, edge: number): string {
  const fate = fateOf(timeline.trace, edge);
  if (fate === Fate.unknown) return "not seen";
  const paid = exact(contribution(timeline, edge));
  return fate === Fate.missing ? "never made" : fate === Fate.lost ? `${paid}, lost` : paid;
}

export function edgeTip(timeline: Timeline, edge: number, step: number): (Node | string)[] {
  const { trace } = timeline;
  const child = trace.edges.to[edge];
  const local = trace.edges.local[edge];
  const at = timeline.stepOfEdge(edge);
  const heading = h(
    "p",
    { class: "tip-title mono" },
    h("bdi", {}, nodeTitle(trace, child)),
    " → ",
    h("bdi", {}, nodeTitle(trace, trace.edges.from[edge])),
  );
  const out: (Node | string)[] = [heading];
  out.push(h("p", {}, `operand ${trace.edges.slot[edge] + 1} of `, h("bdi", {}, nodeTitle(trace, child))));
  if (local >= 0) out.push(h("p", { class: "mono" }, `local derivative ${full(trace.values.mean[local])}`));
  if (at < 0)
    out.push(
      h(
        "p",
        { class: "dim" },
        trace.header.complete ? "No derivative flows along this edge." : "Not swept: the run stopped first.",
      ),
    );
  else if (at <= step) {
    const bar = cotangent(timeline, child);
    out.push(
      h(
        "p",
        { class: "mono" },
        `contribution ${contributionText(timeline, edge)}${bar === undefined ? "" : `, cotangent ${exact(bar)}`}`,
      ),
    );
  } else out.push(h("p", { class: "dim" }, `pays in step ${at}`));
  return out;
}
