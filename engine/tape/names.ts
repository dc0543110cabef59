/**
 * Names of nodes. Whether a name needs its instance number (`x@1`) is known only when recording ends, so the parts are
 * kept and put together then.
 */
import type { ScopeStore } from "./scopes.js";
import { Ints } from "./growable.js";

/** Instance number of a variable that is assigned in one place only. */
export const SINGLE = -1;

export class NameStore {
  private readonly node = new Ints();
  private readonly base = new Ints();
  private readonly scope = new Ints();
  private readonly instance = new Ints();
  private readonly texts: string[] = [];
  private readonly textIndex = new Map<string, number>();
  /** `scope/base` keys assigned more than once */
  private readonly reassigned = new Set<string>();

  private intern(text: string): number {
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
    this.base.push(this.intern(base));
    this.scope.push(scope);
    this.instance.push(instance);
    if (instance > 0) this.reassigned.add(`${scope}/${base}`);
  }

  /** Says that the name was assigned again in that function instance, though not with a traced number. */
  again(base: string, scope: number): void {
    this.reassigned.add(`${scope}/${base}`);
  }

  /**
   * The final name of every named node. Locals of a function other than the graph function carry its instance:
   * `helper#2.t`.
   *
   * @param graphScope row of the graph function's own scope
   */
  resolve(scopes: ScopeStore, graphScope: number): Map<number, string> {
    const out = new Map<number, string>();
    for (let i = 0; i < this.node.length; i++) {
      const base = this.texts[this.base.at(i)];
      const scope = this.scope.at(i);
      const instance = this.instance.at(i);
      let name = base;
      if (instance >= 0 && this.reassigned.has(`${scope}/${base}`)) name = withInstance(base, instance);
      const func = scopes.functionOf(scope);
      if (func > 0 && func !== graphScope) {
        name = `${scopes.names[scopes.name.at(func)]}#${scopes.iteration.at(func)}.${name}`;
      }
      out.set(this.node.at(i), name);
    }
    return out;
  }
}

/** `h[2]` of instance 1 is `h@1[2]`: the variable was assigned again, not the element. */
function withInstance(base: string, instance: number): string {
  const bracket = base.indexOf("[");
  return bracket <= 0 ? `${base}@${instance}` : `${base.slice(0, bracket)}@${instance}${base.slice(bracket)}`;
}
