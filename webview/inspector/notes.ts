/** Notes of a run or of an analysis: cuts, kinks, unused inputs, NaN. Each goes to its place in the source. */
import type { Remark } from "../../engine/report/report.js";
import { h } from "../dom.js";

const LIMIT = 20;
const signs = { info: "i", warning: "!", finding: "×" } as const;

export function noteList(
  notes: readonly Remark[],
  reveal: (line: number, column: number, file: string | null) => void,
): HTMLElement {
  const list = h("ul", { class: "notes" });
  for (const note of notes.slice(0, LIMIT)) {
    const item = h("li", { class: `note is-${note.severity}` });
    item.append(
      h("span", { class: "sign", "aria-hidden": "true" }, signs[note.severity]),
      h("span", { class: "hidden" }, `${note.severity}: `),
      h("bdi", {}, note.message),
    );
    if (note.line > 0) {
      const place = h("button", { class: "link" }, `line ${note.line}`);
      place.addEventListener("click", () => reveal(note.line, note.column, note.file));
      item.append(" ", place);
    }
    list.append(item);
  }
  if (notes.length > LIMIT) list.append(h("li", { class: "dim" }, `and ${notes.length - LIMIT} more`));
  return list;
}

/** Notes below a picture, under a heading of their own; nothing where there are none. */
export function noteParts(
  notes: readonly Remark[],
  reveal: (line: number, column: number, file: string | null) => void,
): HTMLElement[] {
  return notes.length === 0
    ? []
    : [h("section", { class: "picture-notes" }, h("h3", {}, "Notes"), noteList(notes, reveal))];
}
