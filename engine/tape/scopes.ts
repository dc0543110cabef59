/** The scopes reached while recording: function instances and loop iterations, one row each, row 0 the root. */
import { ScopeType } from "../trace/trace.js";
import { Bytes, Ints } from "./growable.js";

export class ScopeStore {
  readonly parent = new Ints();
  /** index into `names` */
  readonly name = new Ints();
  readonly type = new Bytes();
  readonly iteration = new Ints();
  readonly site = new Ints();
  readonly names: string[] = [];
  private readonly nameIndex = new Map<string, number>();
  /** the name asked for last: iterations of a loop have all the same */
  private lastName: string | null = null;
  private lastIndex = 0;

  constructor() {
    this.add(-1, "", ScopeType.module, -1, -1);
  }

  get length(): number {
    return this.parent.length;
  }

  /** Adds a row and returns it. Iteration: loops from 0, function instances from 1, else -1. */
  add(parent: number, name: string, type: ScopeType, iteration: number, site: number): number {
    const index = name === this.lastName ? this.lastIndex : this.intern(name);
    this.parent.push(parent);
    this.name.push(index);
    this.type.push(type);
    this.iteration.push(iteration);
    return this.site.push(site);
  }

  private intern(name: string): number {
    let index = this.nameIndex.get(name);
    if (index === undefined) {
      index = this.names.length;
      this.names.push(name);
      this.nameIndex.set(name, index);
    }
    this.lastName = name;
    this.lastIndex = index;
    return index;
  }

  /** The innermost function scope at or above a row; row 0 if there is none. */
  functionOf(row: number): number {
    let at = row;
    while (at > 0 && this.type.at(at) !== ScopeType.function) at = this.parent.at(at);
    return Math.max(at, 0);
  }
}
