/**
 * Names of nodes. Whether a name needs its instance number (`x@1`) is known only when recording ends, so the parts are
 * kept and put together then.
 */
import type { ScopeStore } from "./scopes.js";
import { Ints } from "./growable.js";

/** Ends the base of an element that was stored by itself: its instance stands behind the bracket, `x[0]@1`. */
export const ELEMENT = "@";

export class NameStore {
  private readonly node = new Ints();
  private readonly base = new Ints();
  private readonly scope = new Ints();
  private readonly instance = new Ints();
  private readonly texts: string[] = [];
  private readonly textIndex = new Map<string, number>();
  /** keys of (scope, name) pairs assigned more than once */
  private readonly reassigned = new Set<number>();
  private readonly stored = new Map<number, number>();
  /** the pair put into `reassigned` last: a variable of a loop is, again and again */
  private lastReassigned = -1;
  private lastText = "";
  private lastIndex = -1;

  private intern(text: string): number {
    if (text === this.lastText && this.lastIndex >= 0) return this.lastIndex;
    const index = this.index(text);
    this.lastText = text;
    this.lastIndex = index;
    return index;
  }

  private index(text: string): number {
    let index = this.textIndex.get(text);
    if (index === undefined) {
      index = this.texts.length;
      this.texts.push(text);
      this.textIndex.set(text, index);
    }
    return index;
  }

  /** Names a node. `scope` is the row of the function instance; `instance` counts assignments to the name there. */
  add(node: number, base: string, scope: number, instance: number): void {
    this.node.push(node);
    const text = this.intern(base);
    this.base.push(text);
    this.scope.push(scope);
    this.instance.push(instance);
    if (instance > 0) this.reassign(key(scope, text));
  }

  /** Counts a stored element; answers how often that element of that function instance was stored before. */
  count(base: string, scope: number): number {
    const text = key(scope, this.intern(base));
    const before = this.stored.get(text) ?? 0;
    this.stored.set(text, before + 1);
    return before;
  }

  /** Says that the name was assigned again in that function instance, though not with a traced number. */
  again(base: string, scope: number): void {
    this.reassign(key(scope, this.intern(base)));
  }

  private reassign(pair: number): void {
    if (pair === this.lastReassigned) return;
    this.lastReassigned = pair;
    this.reassigned.add(pair);
  }

  /**
   * Name columns for `n` nodes. Locals of a function other than the graph function carry its instance: `helper#2.t`.
   *
   * @param string interns a text and returns its index
   * @param graphScope row of the graph function's own scope
   */
  resolve(n: number, string: (text: string) => number, scopes: ScopeStore, graphScope: number): NameColumns {
    const columns: NameColumns = {
      name: new Int32Array(n).fill(-1),
      instance: new Int32Array(n).fill(-1),
      owner: new Int32Array(n).fill(-1),
    };
    const texts = this.texts.map(string);
    for (let i = 0; i < this.node.length; i++) {
      const node = this.node.at(i);
      if (node >= n) continue;
      const base = this.base.at(i);
      const scope = this.scope.at(i);
      const instance = this.instance.at(i);
      columns.name[node] = texts[base];
      if (instance >= 0 && this.reassigned.has(key(scope, base))) columns.instance[node] = instance;
      const func = scopes.functionOf(scope);
      if (func > 0 && func !== graphScope) columns.owner[node] = func;
    }
    return columns;
  }
}

export interface NameColumns {
  readonly name: Int32Array;
  readonly instance: Int32Array;
  readonly owner: Int32Array;
}

/** A number for the pair; scopes and names are both far below 2^26. */
function key(scope: number, base: number): number {
  return scope * 0x4000000 + base;
}
