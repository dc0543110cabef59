/** The nodes of a trace by the place in the source that made them: a loop's body is one place with a node an iteration. */
import type { Trace } from "../trace/trace.js";

export class SiteIndex {
  /** nodes of site s are nodes[start[s]] .. nodes[start[s + 1]], ascending */
  private readonly start: Int32Array;
  private readonly nodes: Int32Array;

  constructor(readonly trace: Trace) {
    const { nodes, sites } = trace;
    this.start = new Int32Array(sites.n + 1);
    for (let node = 0; node < nodes.n; node++) if (nodes.site[node] >= 0) this.start[nodes.site[node] + 1]++;
    for (let site = 0; site < sites.n; site++) this.start[site + 1] += this.start[site];
    this.nodes = new Int32Array(this.start[sites.n]);
    const fill = this.start.slice(0, sites.n);
    for (let node = 0; node < nodes.n; node++)
      if (nodes.site[node] >= 0) this.nodes[fill[nodes.site[node]]++] = node;
  }

  /** Number of nodes made at a site. */
  count(site: number): number {
    return this.start[site + 1] - this.start[site];
  }

  /** The i-th node made at a site, from 0. */
  node(site: number, i: number): number {
    return this.nodes[this.start[site] + i];
  }

  /** Sites of a file that made a node, in no particular order. */
  sitesOf(file: number): number[] {
    const { sites } = this.trace;
    const out: number[] = [];
    for (let site = 0; site < sites.n; site++)
      if (sites.file[site] === file && this.count(site) > 0) out.push(site);
    return out;
  }

  /**
   * Which node of a site is shown: the one from the same iteration or call as `near` (-1: none), else the last. Returns
   * its index for `node`.
   */
  choose(site: number, near: number): number {
    const count = this.count(site);
    if (near < 0 || count === 1) return count - 1;
    // ids ascend in time: the nodes around `near` are the only ones that can share its innermost scope
    let low = 0;
    let high = count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.node(site, middle) < near) low = middle + 1;
      else high = middle;
    }
    if (low < count && this.node(site, low) === near) return low;
    const after = low < count ? this.shared(this.node(site, low), near) : 0;
    const before = low > 0 ? this.shared(this.node(site, low - 1), near) : 0;
    // what shares no more than the graph function itself is not near: then the last, as without a selection
    if (Math.max(after, before) <= this.shared(this.node(site, count - 1), near)) return count - 1;
    return after >= before ? low : low - 1;
  }

  /** Depth of the innermost scope that two nodes are both in. */
  private shared(a: number, b: number): number {
    const { parent } = this.trace.scopes;
    const seen = new Set<number>();
    for (let scope = this.trace.nodes.scope[a]; scope >= 0; scope = parent[scope]) seen.add(scope);
    let scope = this.trace.nodes.scope[b];
    while (scope >= 0 && !seen.has(scope)) scope = parent[scope];
    let depth = 0;
    for (; scope >= 0; scope = parent[scope]) depth++;
    return depth;
  }
}
