/** A drawing with its title, drawn anew where its width changes, and saved as a picture or as its numbers. */
import { h, setAttribute, setText } from "../dom.js";
import type { Services } from "../tabs.js";
import { svgText } from "./export.js";
import { savedData, saveButtons, type Format } from "./save.js";
import type { Table } from "./table.js";

export interface FigureOptions {
  /** what a saved file is called */
  readonly name: string;
  readonly title: string;
  readonly subtitle?: string;
}

export interface Drawing {
  /** what somebody who does not see it is told */
  readonly description: string;
  readonly draw: (width: number) => SVGSVGElement;
  readonly table: () => Table;
}

/** Narrower than this nothing can be read. */
const LEAST_WIDTH = 220;

export class Figure {
  readonly element: HTMLElement;
  readonly holder = h("div", { class: "figure-holder" });
  private readonly title = h("h2", { class: "figure-title" });
  private readonly subtitle = h("p", { class: "figure-subtitle dim" });
  private drawing: Drawing | null = null;
  private width = 0;

  constructor(
    private readonly services: Services,
    private readonly options: FigureOptions,
  ) {
    setText(this.title, options.title);
    this.say(options.subtitle ?? "");
    const tools = saveButtons(options.title, (format) => void this.save(format));
    const caption = h(
      "figcaption",
      { class: "figure-caption" },
      h("div", {}, this.title, this.subtitle),
      tools,
    );
    this.element = h("figure", { class: "figure" }, caption, this.holder);
    new ResizeObserver(() => this.resized()).observe(this.holder);
  }

  name(title: string): void {
    setText(this.title, title);
  }

  say(subtitle: string): void {
    setText(this.subtitle, subtitle);
    this.subtitle.hidden = subtitle === "";
  }

  show(drawing: Drawing): void {
    this.drawing = drawing;
    this.draw();
  }

  /** Says in words why nothing is drawn. */
  instead(...parts: (Node | string)[]): void {
    this.drawing = null;
    this.holder.replaceChildren(h("p", { class: "figure-instead dim" }, ...parts));
  }

  get svg(): SVGSVGElement | null {
    return this.holder.querySelector("svg");
  }

  private resized(): void {
    const width = Math.floor(this.holder.clientWidth);
    if (width > 0 && width !== this.width && this.drawing !== null) this.draw();
  }

  private draw(): void {
    const width = Math.floor(this.holder.clientWidth);
    this.width = width;
    if (width === 0 || this.drawing === null) return;
    const svg = this.drawing.draw(Math.max(LEAST_WIDTH, width));
    setAttribute(svg, "aria-label", this.drawing.description);
    if (!svg.hasAttribute("role")) setAttribute(svg, "role", "img");
    // the focus on a mark goes on to the mark that takes its place
    const active = document.activeElement;
    const focused = active !== null && this.holder.contains(active) ? active.getAttribute("data-key") : null;
    this.holder.replaceChildren(svg);
    if (focused !== null)
      this.holder.querySelector<SVGElement>(`[data-key="${CSS.escape(focused)}"]`)?.focus();
  }

  private async save(format: Format): Promise<void> {
    const { drawing, svg } = this;
    if (drawing === null || svg === null) return;
    const size = svg.getBoundingClientRect();
    const saved = { svg: () => ({ text: svgText(svg, size), size }), table: drawing.table };
    this.services.save({ name: this.options.name, format, data: await savedData(format, saved) });
  }
}
