/**
 * Source places by number. The loader gives every module a static table; a global site id is the module's base plus the
 * index in that table. One registry a realm, because a module is loaded once and used by any number of graphs.
 */
export interface ModuleSites {
  /** absolute path */
  readonly file: string;
  readonly text: string;
  readonly line: ArrayLike<number>;
  readonly col: ArrayLike<number>;
  readonly endLine: ArrayLike<number>;
  readonly endCol: ArrayLike<number>;
  /** offsets of the expression in `text` */
  readonly start: ArrayLike<number>;
  readonly end: ArrayLike<number>;
  /** index into `funcs` of the enclosing function's name, -1 at module level */
  readonly func: ArrayLike<number>;
  readonly funcs: readonly string[];
}

export interface SitePlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  readonly func: string | null;
  /** the expression's text as written */
  readonly expression: string;
}

const modules: { readonly base: number; readonly sites: ModuleSites }[] = [];
let total = 0;

/** Registers a module's table; returns the base of its global ids. */
export function registerModule(sites: ModuleSites): number {
  const base = total;
  modules.push({ base, sites });
  total += sites.line.length;
  return base;
}

/** The module and local index of a global site id, or null. */
export function findSite(site: number): { readonly module: ModuleSites; readonly index: number } | null {
  if (site < 0 || site >= total) return null;
  let low = 0;
  let high = modules.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (modules[middle].base <= site) low = middle;
    else high = middle - 1;
  }
  const { base, sites } = modules[low];
  return { module: sites, index: site - base };
}

/** The place of a site, or null for -1 and unknown ids. */
export function placeOf(site: number): SitePlace | null {
  const found = findSite(site);
  if (found === null) return null;
  const { module, index } = found;
  const func = module.func[index];
  return {
    file: module.file,
    line: module.line[index],
    column: module.col[index],
    endLine: module.endLine[index],
    endColumn: module.endCol[index],
    func: func < 0 ? null : module.funcs[func],
    expression: module.text.slice(module.start[index], module.end[index]),
  };
}
