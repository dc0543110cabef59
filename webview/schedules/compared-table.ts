/** The rows of `backsweep compare`: each figure under what kind of figure it is. */
import type { CompareAnswer, ComparedRow } from "../../engine/report/questions.js";
import { h } from "../dom.js";
import { noteParts } from "../inspector/notes.js";
import { countText } from "../plot/units.js";
import { counted, gradientText, grown } from "./compared-numbers.js";

export function comparedTable(
  { reference, rows }: CompareAnswer,
  chosen: string | null,
  pick: (schedule: string) => void,
): HTMLElement {
  const group = (span: number, text: string): HTMLElement =>
    h("th", { scope: "colgroup", colspan: span, class: "group" }, text);
  const column = (text: string): HTMLElement => h("th", { scope: "col", class: "n" }, text);
  const head = h(
    "thead",
    {},
    h(
      "tr",
      {},
      h("td", {}),
      group(4, "count"),
      group(1, "allocated bytes"),
      group(2, "measured"),
      h("td", {}),
    ),
    h(
      "tr",
      {},
      h("th", { scope: "col" }, "schedule"),
      ...counted.map(([name]) => column(name)),
      column("primals"),
      column("process"),
      column("seconds"),
      h("th", { scope: "col" }, "gradient"),
    ),
  );
  const body = rows.map((row) => {
    const button = h("button", { class: "row-pick mono", "data-key": row.schedule }, row.schedule);
    button.addEventListener("click", () => pick(row.schedule));
    const current = row.schedule === chosen;
    return h(
      "tr",
      { class: current && "is-chosen", "aria-current": current && "true" },
      h("th", { scope: "row" }, button),
      ...cells(row, reference),
    );
  });
  return h("table", { class: "figures compared" }, head, h("tbody", {}, ...body));
}

function cells(row: ComparedRow, reference: string): HTMLElement[] {
  const { failure, counts, allocatedBytes, measured } = row;
  if (failure !== null) return [h("td", { colspan: 8, class: "is-bad" }, failure.message)];
  const number = (text: string, title = ""): HTMLElement =>
    h("td", { class: "n", ...(title === "" ? {} : { title }) }, text);
  return [
    ...counted.map(([, key]) => number(counts === null ? "" : countText(counts[key]))),
    number(allocatedBytes === null ? "" : binaryBytes(allocatedBytes)),
    measured === null
      ? number("")
      : number(
          `${binaryBytes(measured.peak)} (+${binaryBytes(grown(measured))})`,
          "resident memory of the process at its peak, and how much of that came after loading",
        ),
    number(measured === null ? "" : (measured.elapsedMs / 1000).toFixed(3)),
    h("td", { class: agrees(row) ? "is-held" : "" }, gradientText(row, reference)),
  ];
}

/** "48 B", "1.2 KiB": as the command line writes it. */
function binaryBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  return bytes < 2 ** 20 ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / 2 ** 20).toFixed(1)} MiB`;
}

function agrees({ distance }: ComparedRow): boolean {
  return distance?.equal === true;
}

/** What stands below the rows: how to read them, what the executor said, and what was met while recording. */
export function comparedNotes(
  { rows, notes }: CompareAnswer,
  reveal: (line: number, column: number, file: string | null) => void,
): HTMLElement[] {
  const said = new Set(
    rows.flatMap(({ remarks, schedule }) => remarks.map((remark) => `${schedule}: ${remark}`)),
  );
  return [
    h(
      "p",
      { class: "dim" },
      "Each schedule ran in a process of its own, as ",
      h("code", {}, "backsweep compare"),
      " runs it. Primals: what the executor held at once. Process: resident memory at its peak, garbage not yet collected included.",
    ),
    ...Array.from(said, (text) => h("p", { class: "dim" }, text)),
    ...noteParts(notes, reveal),
  ];
}
