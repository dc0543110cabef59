/**
 * Numbers for what a client may ask for later: frames, and lists of variables. They hold until the next stop, and none is
 * given twice: a client that asks with an old one gets nothing, not something else.
 */
import type { Thread } from "../../engine/debug/cursor.js";
import type { Children, Variable } from "../../engine/debug/variables.js";

export interface FrameReference {
  readonly thread: Thread;
  readonly focus: number;
  readonly home: number;
  /** the frame at the top of its thread's stack */
  readonly top: boolean;
}

interface List {
  readonly children: Children;
  /** rows that were given to the client, by name: it names the one it wants to change */
  readonly given: Map<string, Variable>;
}

export class References {
  private frames: FrameReference[] = [];
  /** numbers by what they stand for: asked for again, a frame has the number it had, and the client knows it again */
  private numbers = new Map<string, number>();
  private lists: List[] = [];
  /** the frame that those of earlier stops became, of a client that did not turn to another one */
  private heir: FrameReference | undefined;
  private framesBefore = 0;
  private listsBefore = 0;

  clear(heir?: FrameReference): void {
    this.heir = heir;
    this.framesBefore += this.frames.length;
    this.listsBefore += this.lists.length;
    this.frames = [];
    this.numbers = new Map();
    this.lists = [];
  }

  addFrame(frame: FrameReference): number {
    const { thread, focus, home, top } = frame;
    const key = `${thread} ${focus} ${home} ${top}`;
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    const number = this.framesBefore + this.frames.push(frame);
    this.numbers.set(key, number);
    return number;
  }

  frame(id: number | undefined): FrameReference | undefined {
    if (id === undefined) return undefined;
    return id <= this.framesBefore ? this.heir : this.frames[id - this.framesBefore - 1];
  }

  /** 0 for what has no children, as the protocol wants it. */
  addList(children: Children | undefined): number {
    return children === undefined || children.count === 0
      ? 0
      : this.listsBefore + this.lists.push({ children, given: new Map() });
  }

  private list(reference: number): List | undefined {
    return this.lists[reference - this.listsBefore - 1];
  }

  page(reference: number, start: number, count: number): Variable[] {
    const list = this.list(reference);
    if (list === undefined) return [];
    const rows = list.children.at(start, count);
    for (const row of rows) list.given.set(row.name, row);
    return rows;
  }

  count(reference: number): number {
    return this.list(reference)?.children.count ?? 0;
  }

  isIndexed(reference: number): boolean {
    return this.list(reference)?.children.indexed ?? false;
  }

  /** A row that was given to the client, else one of the first of the list. */
  variable(reference: number, name: string): Variable | undefined {
    const list = this.list(reference);
    if (list === undefined) return undefined;
    return list.given.get(name) ?? list.children.at(0, 1_000).find((row) => row.name === name);
  }
}
