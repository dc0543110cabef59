/** Numbers for what a client may ask for later: frames, and lists of variables. They hold until the next stop. */
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
  private lists: List[] = [];

  clear(): void {
    this.frames = [];
    this.lists = [];
  }

  addFrame(frame: FrameReference): number {
    return this.frames.push(frame);
  }

  frame(id: number | undefined): FrameReference | undefined {
    return id === undefined ? undefined : this.frames[id - 1];
  }

  /** 0 for what has no children, as the protocol wants it. */
  addList(children: Children | undefined): number {
    return children === undefined || children.count === 0
      ? 0
      : this.lists.push({ children, given: new Map() });
  }

  page(reference: number, start: number, count: number): Variable[] {
    const list = this.lists[reference - 1];
    if (list === undefined) return [];
    const rows = list.children.at(start, count);
    for (const row of rows) list.given.set(row.name, row);
    return rows;
  }

  count(reference: number): number {
    return this.lists[reference - 1]?.children.count ?? 0;
  }

  isIndexed(reference: number): boolean {
    return this.lists[reference - 1]?.children.indexed ?? false;
  }

  /** A row that was given to the client, else one of the first of the list. */
  variable(reference: number, name: string): Variable | undefined {
    const list = this.lists[reference - 1];
    if (list === undefined) return undefined;
    return list.given.get(name) ?? list.children.at(0, 1_000).find((row) => row.name === name);
  }
}
