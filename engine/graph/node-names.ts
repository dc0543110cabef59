/** Names of all nodes of a run as columns over the strings table, put together only when asked for. */
import type { Recorder } from "../ops/recorder.js";
import type { NameColumns } from "../tape/names.js";
import { composeName } from "../trace/read.js";
import type { OutputInfo } from "../trace/trace.js";
import { Interner } from "./interner.js";

export class NodeNames {
  readonly strings = new Interner();
  readonly columns: NameColumns;

  constructor(
    n: number,
    private readonly recorder: Recorder,
  ) {
    this.columns = recorder.names.resolve(
      n,
      (text) => this.strings.add(text),
      recorder.scopes,
      recorder.graphScope,
    );
  }

  has(node: number): boolean {
    return this.columns.name[node] >= 0;
  }

  /** Gives a node that has none a plain name. */
  give(node: number, name: string): void {
    this.columns.name[node] = this.strings.add(name);
    this.columns.instance[node] = -1;
    this.columns.owner[node] = -1;
  }

  /** The node's name, or null. */
  text(node: number): string | null {
    const { name, instance, owner } = this.columns;
    if (name[node] < 0) return null;
    const { scopes } = this.recorder;
    const scope = owner[node];
    return composeName(
      this.strings.list[name[node]],
      instance[node],
      scope < 0 ? null : { name: scopes.names[scopes.name.at(scope)], call: scopes.iteration.at(scope) },
    );
  }
}

/** The names a recording gave, then those of inputs, then `L` or its key for an output without one. */
export function namesOf(recorder: Recorder, n: number, outputs: readonly OutputInfo[]): NodeNames {
  const names = new NodeNames(n, recorder);
  for (const [node, name] of recorder.inputNames) if (node < n) names.give(node, name);
  for (const { node, key } of outputs) {
    if (node < 0 || names.has(node)) continue;
    names.give(node, key === null ? "L" : typeof key === "number" ? `L[${key}]` : key);
  }
  return names;
}
