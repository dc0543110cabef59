/** Remarks as every command shows them: cuts, kinks, unused inputs, what is NaN; for a person and in `--json`. */
import type { Remark } from "../engine/report/report.js";
import { count, type Style } from "./style.js";

/** More than these are counted, not listed; `--json` has all. */
const MOST_NOTES = 20;

type ShowPath = (path: string) => string;

/** Under a heading of their own; nothing where there are none. Lines end in "\n". */
export function* remarks(notes: readonly Remark[], style: Style, showPath: ShowPath): Generator<string> {
  if (notes.length === 0) return;
  yield `\n${style.bold("Remarks")}\n`;
  for (const note of notes.slice(0, MOST_NOTES)) {
    const at =
      note.file === null || note.line === 0 ? "" : `${showPath(note.file)}:${note.line}:${note.column}: `;
    yield `  ${severity(note.severity, style)}  ${at}${note.message}\n`;
  }
  if (notes.length > MOST_NOTES)
    yield style.dim(`  ... ${count(notes.length - MOST_NOTES, "more remark")}\n`);
}

/** `finding`, `warning` or `note`, in its colour. */
export function severity(word: Remark["severity"], style: Style): string {
  if (word === "finding") return style.bad("finding");
  return word === "warning" ? style.warn("warning") : style.dim("note");
}

/** The entry `notes` of a JSON document: paths as they are shown elsewhere in it. */
export function remarkRows(notes: readonly Remark[], showPath: ShowPath): Remark[] {
  return notes.map((note) => ({ ...note, file: note.file === null ? null : showPath(note.file) }));
}
