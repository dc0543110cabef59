/**
 * Where the places of a sweep stand in a text that has been edited since: every place is carried along by the edits made
 * before it and is lost when all of it was deleted. Pure: no editor here.
 */

/** One change of a text: `removed` characters from `offset` on became `inserted` ones. */
export interface Edit {
  readonly offset: number;
  readonly removed: number;
  readonly inserted: number;
}

export class Anchors {
  private readonly starts: Int32Array;
  private readonly ends: Int32Array;
  /** the text is another than the one the places were recorded in */
  moved = false;

  /** Places as offsets in the recorded text, ends exclusive. */
  constructor(
    private readonly recordedStarts: Int32Array,
    private readonly recordedEnds: Int32Array,
  ) {
    this.starts = recordedStarts.slice();
    this.ends = recordedEnds.slice();
  }

  /** Offset of a place's first character, or -1 once the place is gone. */
  start(place: number): number {
    return this.starts[place] < this.ends[place] ? this.starts[place] : -1;
  }

  /** Offset behind a place's last character, or -1 once the place is gone. */
  end(place: number): number {
    return this.starts[place] < this.ends[place] ? this.ends[place] : -1;
  }

  /**
   * What is typed at the edge of a place stands outside of it; a replacement that reaches over an edge cuts the place, and
   * one of all of it is another text.
   */
  edit({ offset, removed, inserted }: Edit): void {
    this.moved = true;
    const behind = offset + removed;
    const shift = inserted - removed;
    const { starts, ends } = this;
    for (let place = 0; place < starts.length; place++) {
      if (ends[place] <= offset && starts[place] < offset) continue;
      if (removed > 0 && starts[place] >= offset && ends[place] <= behind) {
        starts[place] = ends[place] = offset;
        continue;
      }
      if (starts[place] >= behind) starts[place] += shift;
      else if (starts[place] > offset) starts[place] = offset + inserted;
      if (ends[place] >= behind && ends[place] > offset) ends[place] += shift;
      else if (ends[place] > offset) ends[place] = offset;
    }
  }

  /** The text is again what was recorded. */
  reset(): void {
    this.moved = false;
    this.starts.set(this.recordedStarts);
    this.ends.set(this.recordedEnds);
  }
}

/** The one edit that makes `after` of `before`: what lies between the beginning and the end that they share. */
export function difference(before: string, after: string): Edit {
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before.charCodeAt(head) === after.charCodeAt(head)) head++;
  let tail = 0;
  while (
    tail < most - head &&
    before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)
  )
    tail++;
  return { offset: head, removed: before.length - head - tail, inserted: after.length - head - tail };
}

/** Offset of the first character of every line; lines end as the editor ends them. */
export function lineStarts(text: string): number[] {
  const out = [0];
  for (const { index, 0: end } of text.matchAll(/\r\n|\n|\r/g)) out.push(index + end.length);
  return out;
}
