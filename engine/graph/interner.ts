/** The strings table while it is being made: each text once. */
export class Interner {
  readonly list: string[] = [];
  private readonly index = new Map<string, number>();

  add(text: string): number {
    let i = this.index.get(text);
    if (i === undefined) {
      i = this.list.length;
      this.list.push(text);
      this.index.set(text, i);
    }
    return i;
  }
}
