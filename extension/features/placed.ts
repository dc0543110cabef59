/** The places of a sweep in one of its files, carried along while the file is edited. Pure: no editor here. */
import type { InputInfo } from "../../engine/trace/trace.js";
import { tracePath } from "../places.js";
import { Anchors, difference, lineStarts, type Edit } from "./anchors.js";
import { inputPlaces } from "./input-places.js";
import type { SiteIndex } from "../../engine/report/site-index.js";

/** An input of the graph and the place where it is named. */
export interface NamedInput {
  readonly input: InputInfo;
  readonly place: number;
}

export class Placed {
  /** the site of each place; the places behind them are names of inputs */
  private readonly sites: readonly number[];
  private readonly anchors: Anchors;
  /** site of the call of the graph, -1 where it stands in another file */
  readonly call: number;
  readonly inputs: readonly NamedInput[];

  /**
   * `file`: row of the trace's files; `recorded`: the text the sweep was recorded from; `text`: what the editor shows by now.
   */
  constructor(
    index: SiteIndex,
    file: number,
    private readonly recorded: string,
    private text: string,
  ) {
    const { trace } = index;
    const { sites, nodes, header } = trace;
    const lines = lineStarts(recorded);
    const offset = (line: number, column: number): number =>
      line < 1 || line > lines.length ? 0 : Math.min(lines[line - 1] + column - 1, recorded.length);
    const begin = (site: number): number => offset(sites.line[site], sites.col[site]);
    const behind = (site: number): number => offset(sites.endLine[site], sites.endCol[site]);
    this.sites = index.sitesOf(file).sort((a, b) => begin(a) - begin(b) || behind(b) - behind(a));
    const starts = this.sites.map(begin);
    const ends = this.sites.map(behind);
    const inputs: NamedInput[] = [];
    const call = header.inputs.length > 0 ? nodes.site[header.inputs[0].first] : -1;
    this.call = call >= 0 && sites.file[call] === file ? call : -1;
    if (this.call >= 0) {
      const names = header.inputs.map(({ name }) => name);
      const found = inputPlaces(recorded, begin(call), behind(call), names);
      for (const input of header.inputs) {
        const place = found.get(input.name);
        if (place === undefined) continue;
        inputs.push({ input, place: starts.length });
        starts.push(place.start);
        ends.push(place.end);
      }
    }
    this.inputs = inputs;
    this.anchors = new Anchors(Int32Array.from(starts), Int32Array.from(ends));
    if (text !== recorded) this.anchors.edit(difference(recorded, text));
  }

  /** The text was edited and is `text` by now. */
  edit(edits: readonly Edit[], text: string): void {
    this.text = text;
    for (const edit of edits) this.anchors.edit(edit);
    // undone: every place is where it was, those that were lost as well
    if (text.length === this.recorded.length && text === this.recorded) this.anchors.reset();
  }

  /** True while the text is not the one that was swept. */
  get edited(): boolean {
    return this.anchors.moved;
  }

  range(place: number): { readonly start: number; readonly end: number } | null {
    const start = this.anchors.start(place);
    return start < 0 ? null : { start, end: this.anchors.end(place) };
  }

  /** Places of sites that touch these offsets, with their site, in order of their start. */
  *within(
    start: number,
    end: number,
  ): Generator<{ readonly site: number; readonly start: number; readonly end: number }> {
    for (const [place, site] of this.sites.entries()) {
      const range = this.range(place);
      if (range !== null && range.end >= start && range.start <= end) yield { site, ...range };
    }
  }

  /** The smallest place around an offset, or -1; not the call of the graph, which stands around everything. */
  siteAt(offset: number): number {
    let best = -1;
    let size = Infinity;
    for (const { site, start, end } of this.within(offset, offset)) {
      if (site === this.call || end - start >= size) continue;
      best = site;
      size = end - start;
    }
    return best;
  }

  rangeOfSite(site: number): { readonly start: number; readonly end: number } | null {
    return this.range(this.sites.indexOf(site));
  }

  /** True inside the call of the graph. */
  inCall(offset: number): boolean {
    const range = this.call < 0 ? null : this.rangeOfSite(this.call);
    return range !== null && range.start <= offset && offset <= range.end;
  }

  /** A letter stands on either side of an offset: what is put there would stand in the middle of a name. */
  insideWord(offset: number): boolean {
    return /^[\p{L}\p{N}_$]{2}$/u.test(this.text.slice(offset - 1, offset + 1));
  }

  sameLine(from: number, to: number): boolean {
    return !/[\n\r]/.test(this.text.slice(from, to));
  }
}

/** Row of a file in the trace by its absolute path, -1 if the sweep was not recorded from it. */
export function fileRow(index: SiteIndex, path: string): number {
  const { trace } = index;
  for (let row = 0; row < trace.files.n; row++)
    if (tracePath(trace, trace.strings[trace.files.path[row]]) === path) return row;
  return -1;
}

/** The text a file was swept from, or null where the trace has none. */
export function recordedText(index: SiteIndex, file: number): string | null {
  const { files, strings } = index.trace;
  return files.text[file] < 0 ? null : strings[files.text[file]];
}
