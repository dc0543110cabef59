/**
 * Edits to a text that never move a piece of it: insertions and replacements within lines. This is what keeps the lines
 * of the rewritten module equal to the source's, and makes the column map a by-product of writing the text out.
 *
 * Two insertions at one offset: what *closes* a node that ends there comes before what *opens* a node that starts
 * there; among closings the inner node's is first (nodes close after their children), among openings the outer node's
 * (nodes open before their children).
 */
import { ColumnMap } from "./column-map.js";

const lineEnd = /\r\n|[\n\r\u2028\u2029]/g;

export class Edits {
  private readonly opens = new Map<number, string[]>();
  private readonly closes = new Map<number, string[]>();
  private readonly replaced: { start: number; end: number; text: string }[] = [];

  constructor(readonly source: string) {}

  /** Text before the node that starts at `at`; call it before the node's children are visited. */
  open(at: number, text: string): void {
    push(this.opens, at, text);
  }

  /** Like `open`, for what is known only after the children were visited. */
  openFirst(at: number, text: string): void {
    const list = this.opens.get(at);
    if (list) list.unshift(text);
    else this.opens.set(at, [text]);
  }

  /** Text after the node that ends at `at`; call it after its children were visited. */
  close(at: number, text: string): void {
    push(this.closes, at, text);
  }

  /** Like `close`, but before everything that already closes there. */
  closeFirst(at: number, text: string): void {
    const list = this.closes.get(at);
    if (list) list.unshift(text);
    else this.closes.set(at, [text]);
  }

  /** Put `text` (without line ends) for [start, end); the line ends of the range stay, behind it. */
  replace(start: number, end: number, text: string): void {
    const kept = this.source.slice(start, end).match(lineEnd);
    this.replaced.push({ start, end, text: kept ? text + kept.join("") : text });
  }

  /** Spaces for [start, end), line ends kept in place; `first` and `last` are written over its first and last place. */
  blank(start: number, end: number, first = "", last = ""): void {
    if (end <= start) return;
    const spaces = this.source.slice(start, end).replace(/[^\n\r\u2028\u2029]/g, " ");
    this.replaced.push({
      start,
      end,
      text: first + spaces.slice(first.length, spaces.length - last.length) + last,
    });
  }

  /** The edited text behind `prologue` (one line's worth), and where its columns come from. */
  write(prologue: string): { code: string; columns: ColumnMap } {
    const { source } = this;
    const columns = new ColumnMap();
    const out: string[] = [];
    let column = 1;
    let sourceColumn = 1;
    const insert = (text: string): void => {
      columns.add(column, sourceColumn, false);
      out.push(text);
      column += text.length;
    };
    const advance = (from: number, to: number, text: string, copied: boolean): void => {
      // Both sides have the same line ends, so lines can be walked together.
      let generatedAt = 0;
      let sourceAt = from;
      lineEnd.lastIndex = 0;
      const ends: number[] = [];
      while (lineEnd.exec(text) !== null) ends.push(lineEnd.lastIndex);
      const sourceEnds: number[] = [];
      const piece = copied ? text : source.slice(from, to);
      lineEnd.lastIndex = 0;
      while (lineEnd.exec(piece) !== null) sourceEnds.push(from + lineEnd.lastIndex);
      columns.add(column, sourceColumn, copied);
      for (let i = 0; i < ends.length; i++) {
        generatedAt = ends[i];
        sourceAt = sourceEnds[i];
        column = 1;
        sourceColumn = 1;
        columns.newLine();
        columns.add(1, 1, copied);
      }
      column += text.length - generatedAt;
      sourceColumn += to - sourceAt;
      out.push(text);
    };

    insert(prologue);
    const marks = [...new Set([...this.opens.keys(), ...this.closes.keys()])].sort((a, b) => a - b);
    const ranges = this.replaced.sort((a, b) => a.start - b.start || a.end - b.end);
    let at = 0;
    let range = 0;
    let mark = 0;
    for (;;) {
      const nextRange = range < ranges.length ? ranges[range].start : Infinity;
      const nextMark = mark < marks.length ? marks[mark] : Infinity;
      const next = Math.min(nextRange, nextMark, source.length);
      if (next > at) {
        advance(at, next, source.slice(at, next), true);
        at = next;
      }
      if (nextMark <= nextRange && nextMark !== Infinity) {
        mark++;
        const texts = [...(this.closes.get(nextMark) ?? []), ...(this.opens.get(nextMark) ?? [])];
        insert(texts.join(""));
      } else if (nextRange !== Infinity) {
        const { start, end, text } = ranges[range++];
        if (start < at) continue; // inside a range that was blanked as a whole
        advance(start, end, text, false);
        at = end;
        while (mark < marks.length && marks[mark] < end) mark++; // what stood inside is gone with it
      } else if (at >= source.length) {
        break;
      }
    }
    return { code: out.join(""), columns };
  }
}

function push(map: Map<number, string[]>, at: number, text: string): void {
  const list = map.get(at);
  if (list) list.push(text);
  else map.set(at, [text]);
}
