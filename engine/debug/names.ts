/** Which node a name means, seen from another node: as the user's code would see it there. */
import { nodeName } from "../trace/read.js";
import type { Trace } from "../trace/trace.js";
import { homeOf } from "./places.js";

/** A name in its parts: `square#2.t`, `x@3`, `h@1[2]`. */
interface Written {
  readonly owner: { readonly name: string; readonly call: number } | null;
  readonly rest: string;
}

export class Names {
  /** nodes by string index of their name's base, ascending */
  private readonly byBase = new Map<number, number[]>();
  private readonly indexOf = new Map<string, number>();

  constructor(private readonly trace: Trace) {
    const { nodes, strings } = trace;
    for (let node = 0; node < nodes.n; node++) {
      const base = nodes.name[node];
      if (base < 0) continue;
      const list = this.byBase.get(base);
      if (list === undefined) {
        this.byBase.set(base, [node]);
        this.indexOf.set(strings[base], base);
      } else list.push(node);
    }
  }

  /**
   * The node of that name, -1: none. `x` alone is the instance live at `focus` (the last one made until then, else the
   * first), looked for in the focus's own function, then in its callers; `x@1`, `square#2.t` are exact. `#7` is an id.
   *
   * @param from the function instance to look in first, instead of the focus's own: a frame further up
   */
  resolve(text: string, focus: number, from?: number): number {
    if (/^#\d+$/.test(text)) {
      const id = Number(text.slice(1));
      return id < this.trace.nodes.n ? id : -1;
    }
    const { owner, rest } = split(text);
    if (owner !== null) return this.exact(text, rest);
    const home = from ?? homeOf(this.trace, focus < 0 ? 0 : this.trace.nodes.scope[focus]);
    for (const scope of this.homes(home)) {
      const live = this.live(rest, scope, focus);
      if (live >= 0) return live;
    }
    const exact = this.exact(text, rest);
    return exact >= 0 ? exact : this.anywhere(rest, focus);
  }

  /** The focus's own function instance, then those that called it; 0 is the graph function. */
  private *homes(home: number): Generator<number> {
    for (let at = home; at > 0; at = homeOf(this.trace, this.trace.scopes.parent[at])) yield at;
    yield 0;
  }

  private live(base: string, home: number, focus: number): number {
    const owner = home === 0 ? -1 : home;
    const list = this.nodesOf(base);
    let best = -1;
    // the list ascends, so the last one made until the focus is the last that passes
    for (let i = upper(list, focus < 0 ? this.trace.nodes.n : focus) - 1; i >= 0; i--) {
      if (this.trace.nodes.owner[list[i]] === owner) return list[i];
    }
    for (const node of list) {
      if (this.trace.nodes.owner[node] !== owner) continue;
      best = node;
      break;
    }
    return best;
  }

  /** A local of a function that the focus is not in: the last instance made until then. */
  private anywhere(base: string, focus: number): number {
    const list = this.nodesOf(base);
    if (list.length === 0) return -1;
    const until = upper(list, focus < 0 ? this.trace.nodes.n : focus);
    return list[Math.max(0, until - 1)];
  }

  private exact(text: string, rest: string): number {
    const found = /@(\d+)/.exec(rest);
    const instance = found === null ? -1 : Number(found[1]);
    for (const base of bases(rest)) {
      for (const node of this.nodesOf(base)) {
        // composing a name takes longer than looking at its number
        if (this.trace.nodes.instance[node] !== instance) continue;
        if (nodeName(this.trace, node) === text) return node;
      }
    }
    return -1;
  }

  /** Nodes of a base; `h[2]` was either made with the list or stored by itself (base `h[2]@`). */
  private nodesOf(base: string): readonly number[] {
    const index = this.indexOf.get(base) ?? this.indexOf.get(`${base}@`);
    return index === undefined ? [] : this.byBase.get(index)!;
  }

  /** Names that may have been meant, at most six. */
  near(text: string): string[] {
    const stem = stemOf(split(text).rest).toLowerCase();
    const all = Array.from(this.indexOf.keys());
    const close = all.filter((name) => stemOf(name).toLowerCase() === stem);
    const begun = all.filter((name) => name.toLowerCase().startsWith(stem.slice(0, 1)));
    const found = close.length > 0 ? close : begun.length > 0 ? begun : all;
    return found.slice(0, 6).map((base) => nodeName(this.trace, this.nodesOf(base)[0]) ?? base);
  }

  /** Bases that begin with a text, in order of their first node; at most `limit`. */
  beginning(text: string, limit: number): string[] {
    const out: string[] = [];
    for (const name of this.indexOf.keys()) {
      const shown = name.endsWith("@") ? name.slice(0, -1) : name;
      if (!shown.startsWith(text)) continue;
      out.push(shown);
      if (out.length === limit) break;
    }
    return out;
  }
}

function split(text: string): Written {
  const found = /^([A-Za-z_$][\w$]*)#(\d+)\.(.+)$/.exec(text);
  if (found === null) return { owner: null, rest: text };
  return { owner: { name: found[1], call: Number(found[2]) }, rest: found[3] };
}

/** What the base of such a name can be: `x@3` is an instance of `x`, `h@1[2]` of `h[2]`, `h[2]@1` of `h[2]@`. */
function bases(rest: string): string[] {
  const out = [rest];
  const found = /^([^@]+)@(\d+)(.*)$/.exec(rest);
  if (found !== null) out.push(`${found[1]}${found[3]}`, `${found[1]}@`);
  return out;
}

function stemOf(name: string): string {
  return name.split(/[@[]/)[0];
}

/** Number of entries of an ascending list that are at most `limit`. */
function upper(list: readonly number[], limit: number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (list[middle] <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
