/** Global site ids -> rows of the trace's site and file tables; only sites that are used get a row. */
import { findSite, type ModuleSites } from "../tape/sites.js";
import type { FilesTable, SitesTable } from "../trace/trace.js";
import type { Interner } from "./interner.js";

/** Longest expression kept as a label. */
const LIMIT = 120;

export class SiteCollector {
  private readonly rowOf = new Map<number, number>();
  private readonly used: { module: ModuleSites; index: number; file: number }[] = [];
  private readonly fileOf = new Map<ModuleSites, number>();

  private readonly labels: number[] = [];

  constructor(
    private readonly strings: Interner,
    /** folder paths are shown relative to */
    private readonly root: string,
  ) {}

  /** The row of a global site id, -1 for -1. */
  add(site: number): number {
    if (site < 0) return -1;
    const known = this.rowOf.get(site);
    if (known !== undefined) return known;
    const found = findSite(site);
    if (found === null) return -1;
    let file = this.fileOf.get(found.module);
    if (file === undefined) {
      file = this.fileOf.size;
      this.fileOf.set(found.module, file);
    }
    const row = this.used.length;
    this.used.push({ ...found, file });
    this.rowOf.set(site, row);
    return row;
  }

  /** String index of the site's expression as written, -1 without a site; made once a site. */
  expression(site: number): number {
    const row = this.add(site);
    if (row < 0) return -1;
    let label = this.labels[row];
    if (label === undefined) {
      const { module, index } = this.used[row];
      const text = module.text.slice(module.start[index], module.end[index]).replace(/\s+/g, " ").trim();
      label =
        text === "" ? -1 : this.strings.add(text.length <= LIMIT ? text : `${text.slice(0, LIMIT - 1)}…`);
      this.labels[row] = label;
    }
    return label;
  }

  files(): FilesTable {
    const modules = Array.from(this.fileOf.keys());
    return {
      n: modules.length,
      path: Int32Array.from(modules, (module) => this.strings.add(relative(module.file, this.root))),
      text: Int32Array.from(modules, (module) => this.strings.add(module.text)),
    };
  }

  table(): SitesTable {
    const column = (pick: (module: ModuleSites, index: number, file: number) => number): Int32Array =>
      Int32Array.from(this.used, ({ module, index, file }) => pick(module, index, file));
    return {
      n: this.used.length,
      file: column((_, __, file) => file),
      line: column((module, i) => module.line[i]),
      col: column((module, i) => module.col[i]),
      endLine: column((module, i) => module.endLine[i]),
      endCol: column((module, i) => module.endCol[i]),
      func: column((module, i) => (module.func[i] < 0 ? -1 : this.strings.add(module.funcs[module.func[i]]))),
      parent: new Int32Array(this.used.length).fill(-1),
    };
  }
}

/** The path below the root where it lies there, else as it is. */
export function relative(path: string, root: string): string {
  const folder = root.endsWith("/") || root === "" ? root : `${root}/`;
  return folder !== "" && path.startsWith(folder) ? path.slice(folder.length) : path;
}
