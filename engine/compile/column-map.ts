/** From a column of the rewritten module to the column of the source. Lines are the same by construction. */
export class ColumnMap {
  /** per line: triples (generated column, source column, 1 = copied text) with ascending generated column */
  private readonly lines: number[][] = [[]];

  /** From `generated` on (current line), text comes from `source`; copied text counts on, inserted text stays there. */
  add(generated: number, source: number, copied: boolean): void {
    const line = this.lines[this.lines.length - 1];
    line.push(generated, source, copied ? 1 : 0);
  }

  newLine(): void {
    this.lines.push([]);
  }

  /** Line and columns from 1. A line or column beyond the text is answered as it is. */
  toSource(line: number, column: number): number {
    const row = this.lines[line - 1];
    if (row === undefined || row.length === 0) return column;
    let low = 0;
    let high = row.length / 3 - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (row[middle * 3] <= column) low = middle;
      else high = middle - 1;
    }
    const source = row[low * 3 + 1];
    return row[low * 3 + 2] === 1 ? source + Math.max(0, column - row[low * 3]) : source;
  }
}
