/** The four ways a drawing is saved: as a picture (SVG, PNG) and as its numbers (CSV, JSON). */
import { h } from "../dom.js";
import { pngData, type Size } from "./export.js";
import { csvText, jsonText, type Table } from "./table.js";

export const formats = ["svg", "png", "csv", "json"] as const;
export type Format = (typeof formats)[number];

export interface Saved {
  readonly svg: () => { readonly text: string; readonly size: Size };
  readonly table: () => Table;
}

export async function savedData(format: Format, { svg, table }: Saved): Promise<string> {
  if (format === "csv") return csvText(table());
  if (format === "json") return jsonText(table());
  const { text, size } = svg();
  return format === "svg" ? text : pngData(text, size);
}

/** A button for each. */
export function saveButtons(what: string, save: (format: Format) => void): HTMLElement {
  const tools = h("div", { class: "figure-tools", role: "group", "aria-label": `Save ${what}` });
  for (const format of formats) {
    const button = h(
      "button",
      { class: "figure-save", "aria-label": `Save as ${format}`, title: `Save ${what} as ${format}` },
      format,
    );
    button.addEventListener("click", () => save(format));
    tools.append(button);
  }
  return tools;
}
