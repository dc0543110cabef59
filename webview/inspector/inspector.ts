/** The right-hand side: everything about one node, and the run's gradient and notes. */
import { nodeTitle } from "../../engine/trace/read.js";
import type { Timeline } from "../../engine/timeline/timeline.js";
import { h } from "../dom.js";
import { factsOf, type NodeFacts } from "../../engine/report/facts.js";
import { countText } from "../../engine/report/paths.js";
import { pathsFrom, pathsKnown } from "../model/paths.js";
import { keepingOf, keepingWords } from "../model/keeping.js";
import { retentionText } from "../../engine/report/retention.js";
import { retained } from "../model/retained.js";
import type { FaultView } from "../../engine/protocol.js";
import type { SweepModel } from "../model/sweep-model.js";
import { isArray, primal, same } from "../../engine/report/quantity.js";
import { countWord, full } from "../../engine/report/text/format.js";
import { constantTexts, seededTitle } from "../text/outputs.js";
import { contributionTable } from "./contributions.js";
import { elementFigures } from "./elements.js";
import { gradientFigure } from "./gradient.js";
import { noteList } from "./notes.js";
import { pathParts } from "./paths.js";
import { quantityNode } from "./quantity-node.js";
import { cancellationText, shareBar } from "./shares.js";

export interface InspectorEvents {
  reveal(node: number): void;
  revealPlace(line: number, column: number, file: string | null): void;
  follow(): void;
}

export interface Inspected {
  readonly node: number;
  readonly step: number;
  readonly timeline: Timeline;
  /** false: the node is that of the step */
  readonly selected: boolean;
}

/** nodes up to which paths are looked for in the same turn */
const AT_ONCE = 600;
const AT_REST_MS = 160;

export class Inspector {
  private readonly fault = h("div", { class: "fault-part" });
  private readonly node = h("div", { class: "inspected" });
  private readonly run = h("div", { class: "run" });
  private model: SweepModel | null = null;
  private timer = 0;

  constructor(
    host: HTMLElement,
    private readonly events: InspectorEvents,
  ) {
    host.replaceChildren(this.fault, this.node, this.run);
  }

  show(model: SweepModel, inspected: Inspected): void {
    window.clearTimeout(this.timer);
    if (model !== this.model) {
      this.model = model;
      const { fault } = model.view;
      this.fault.replaceChildren(
        ...(fault === undefined || fault === null ? [] : faultSection(fault, this.events)),
      );
      this.run.replaceChildren(...this.runSections(model));
    }
    this.node.replaceChildren(...(inspected.node < 0 ? [] : this.nodeSections(model, inspected)));
  }

  clear(): void {
    window.clearTimeout(this.timer);
    this.model = null;
    this.fault.replaceChildren();
    this.node.replaceChildren();
    this.run.replaceChildren();
  }

  private nodeSections(model: SweepModel, { node, step, timeline, selected }: Inspected): HTMLElement[] {
    const facts = factsOf(timeline, node, step);
    const out = [this.title(facts), this.subtitle(model, timeline, facts)];
    if (selected) {
      const follow = h("button", { class: "link", id: "follow" }, "Follow the step again");
      follow.addEventListener("click", () => this.events.follow());
      out.push(h("p", { class: "dim" }, "Selected. ", follow));
    }
    if (!timeline.trace.header.complete)
      out.push(
        h("p", { class: "dim" }, "Not swept: the run stopped before its sweep, so there is no cotangent."),
      );
    const right = model.rightOf(timeline, node, step);
    const table = contributionTable(timeline, facts, step, right !== undefined);
    if (table !== null) {
      out.push(section("Contributions to the cotangent of ", facts.title), table);
      if (right !== undefined)
        out.push(
          h(
            "p",
            { class: "right" },
            "The sum sweep has ",
            h("b", { title: full(right) }, quantityNode(right)),
            " here.",
          ),
        );
      const bar = shareBar(facts);
      if (bar !== null) out.push(bar);
      const byNorm = bar !== null && isArray(facts.cotangent) ? "shares by norm" : "";
      const words = [byNorm, cancellationText(facts)].filter((text) => text !== "").join("; ");
      if (words !== "") out.push(h("p", { class: "dim" }, words));
    }
    const elements = elementFigures(facts);
    if (elements.length > 0) out.push(section("Elements of ", facts.title), ...elements);
    out.push(...this.pathSections(model, facts), ...stateSections(model, timeline, facts, step));
    return out;
  }

  private title(facts: NodeFacts): HTMLElement {
    const title = h("h2", { class: "mono", title: facts.expression });
    if (facts.name !== null) title.append(h("bdi", {}, facts.name));
    const rest = facts.isInput ? " input" : facts.name === null ? facts.expression : ` = ${facts.expression}`;
    title.append(h("span", { class: "dim" }, rest));
    return title;
  }

  private subtitle(model: SweepModel, timeline: Timeline, facts: NodeFacts): HTMLElement {
    const line = h("p", { class: "dim" });
    if (facts.line > 0) {
      const place = h("button", { class: "link" }, `line ${facts.line}`);
      place.addEventListener("click", () => this.events.reveal(facts.node));
      line.append(place, " · ");
    }
    if (facts.evaluated)
      line.append(
        "value ",
        h("span", { class: "mono", title: full(facts.value) }, quantityNode(facts.value)),
      );
    else line.append("not evaluated yet");
    // an audited engine may have another one
    const ours = timeline.trace.seen === undefined ? facts.value : primal(model.view.trace, facts.node);
    if (facts.evaluated && !same(ours, facts.value))
      line.append(", ", h("b", { class: "wrong-value", title: full(ours) }, "not ", quantityNode(ours)));
    const used =
      facts.uses === 1
        ? "used once"
        : facts.uses === 2
          ? "used twice"
          : `used ${countWord(facts.uses)} times`;
    const slots = timeline.slots(facts.node);
    const operands = facts.uses === 1 && slots > 1 ? `, in ${slots} operands` : "";
    if (facts.uses > 0) line.append(` · ${used}${operands}`);
    return line;
  }

  /** Big graphs: looked for when the step has come to rest, and only then. */
  private pathSections(model: SweepModel, facts: NodeFacts): HTMLElement[] {
    if (facts.status === "unreached" || !model.view.trace.header.complete) return [];
    if (model.view.trace.nodes.n <= AT_ONCE || pathsKnown(model, facts.node))
      return pathSection(model, facts);
    const place = h("div");
    this.timer = window.setTimeout(() => place.replaceChildren(...pathSection(model, facts)), AT_REST_MS);
    return [place];
  }

  private runSections(model: SweepModel): HTMLElement[] {
    const { report } = model.view;
    if (report === null) return [];
    const { trace } = model.view;
    const { inputs, outputs, options } = trace.header;
    const output = seededTitle(outputs, (node) => nodeTitle(trace, node, 12));
    const out: HTMLElement[] = [];
    out.push(...constantTexts(outputs).map((text) => h("p", { class: "constant-output" }, text)));
    out.push(
      section("Gradient"),
      gradientFigure(report, inputs, output, options.accumulation, model.view.foreign),
    );
    if (report.notes.length > 0) out.push(section("Notes"), noteList(report.notes, this.events.revealPlace));
    return out;
  }
}

/** What is wrong with the audited engine, and the line. */
function faultSection({ title, text, place }: FaultView, events: InspectorEvents): HTMLElement[] {
  const said = h("p", { class: "fault", id: "fault" }, h("b", {}, title), `: ${text}`);
  if (place === null) return [section("Fault"), said];
  const link = h("button", { class: "link mono", id: "fault-place" }, place.label);
  link.addEventListener("click", () => events.revealPlace(place.line, place.column, place.file));
  return [section("Fault"), said, h("p", {}, link)];
}

export function outputTitle(model: SweepModel): string {
  const outputs = model.view.trace.header.outputs.filter((output) => output.node >= 0);
  if (outputs.length !== 1) return outputs.length === 0 ? "output" : "outputs";
  return nodeTitle(model.view.trace, outputs[0].node, 12);
}

function pathSection(model: SweepModel, facts: NodeFacts): HTMLElement[] {
  const summary = pathsFrom(model, facts.node);
  if (!summary.real) return [];
  const count = countText(summary.count);
  return [
    section("Paths from ", facts.title, ` to ${outputTitle(model)}: ${count}`),
    ...pathParts(model, summary),
  ];
}

function section(...text: string[]): HTMLElement {
  return h("h3", {}, ...text.map((part, i) => (i === 1 ? h("bdi", {}, part) : part)));
}

function stateSections(model: SweepModel, timeline: Timeline, facts: NodeFacts, step: number): HTMLElement[] {
  const { trace } = timeline;
  // what our sweep keeps says nothing of an engine that is watched
  if (!trace.header.complete || trace.seen !== undefined) return [];
  const { stored, freed, readers } = retained(trace, facts.node);
  const line = h(
    "p",
    {},
    facts.isInput ? "value " : "primal ",
    h("span", { class: "mono" }, quantityNode(facts.value)),
    " ",
  );
  if (stored < 0) line.append("is not kept: no reverse rule reads it");
  else {
    line.append(stored === 0 ? "held from the start" : `stored at step ${stored}`);
    readers.slice(0, 4).forEach((reader, i) => {
      line.append(
        i === 0 ? ", read by " : ", ",
        h("bdi", { class: "mono" }, reader === facts.node ? "its own rule" : nodeTitle(trace, reader)),
      );
    });
    if (readers.length > 4) line.append(` and ${readers.length - 4} more`);
    line.append(freed < 0 ? ", held to the end" : `, freed after step ${freed}`);
  }
  const keeping = keepingOf(model, timeline);
  const kept = keeping === null ? null : retentionText(timeline, facts.node, step);
  const out = [section("State"), line];
  if (kept !== null) out.push(h("p", { class: "dim" }, `${kept}.`));
  const now = keeping?.of(facts.node, step);
  if (now?.keep === "reconstructed")
    out.push(h("p", {}, `${keepingWords(now)}: computed back from the output of its layer by the inverse.`));
  return out;
}
