/** Offsets to lines and columns (both from 1), over the line ends that JavaScript knows. */
import type { Place } from "./errors.js";

export class Lines {
  readonly starts: number[] = [0];

  constructor(readonly text: string) {
    const end = /\r\n|[\n\r\u2028\u2029]/g;
    while (end.exec(text) !== null) this.starts.push(end.lastIndex);
  }

  /** Line from 1 of an offset. */
  line(offset: number): number {
    let low = 0;
    let high = this.starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.starts[middle] <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  }

  /** The range [start, end) as lines and columns. */
  place(start: number, end: number): Place {
    const line = this.line(start);
    const endLine = this.line(end);
    return {
      line,
      column: start - this.starts[line - 1] + 1,
      endLine,
      endColumn: end - this.starts[endLine - 1] + 1,
    };
  }
}
