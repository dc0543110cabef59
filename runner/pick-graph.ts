/** Which of a module's exports is to be run. */
import { isGraph, type GraphDefinition } from "../engine/graph/definition.js";
import { isTraced } from "../engine/tape/traced.js";
import { BacksweepError } from "../engine/trace/failure.js";

export interface PickedGraph {
  readonly name: string;
  readonly definition: GraphDefinition;
  /** every exported graph, in the order of the module's text */
  readonly graphs: readonly string[];
}

function kindOf(value: unknown): string {
  if (typeof value === "function")
    return /^class\b/.test(Function.prototype.toString.call(value)) ? "a class" : "a function";
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (isTraced(value) || typeof value === "number") return "a number";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

/** What a module exports, in a few words; "" for nothing. */
export function inventory(namespace: Readonly<Record<string, unknown>>): string {
  const names = Object.keys(namespace);
  const shown = names.slice(0, 8).map((name) => `${name} (${kindOf(namespace[name])})`);
  return names.length > 8 ? `${shown.join(", ")} and ${names.length - 8} more` : shown.join(", ");
}

/**
 * Every graph a module exports, in the order of the text, which their sites give; a module's namespace is sorted by name.
 *
 * @throws BacksweepError `no-graph`, listing what is exported
 */
export function graphNames(namespace: Readonly<Record<string, unknown>>): readonly string[] {
  const siteOf = (name: string): number => (namespace[name] as GraphDefinition).site;
  const graphs = Object.keys(namespace)
    .filter((name) => isGraph(namespace[name]))
    .sort((a, b) => siteOf(a) - siteOf(b) || (a < b ? -1 : 1));
  if (graphs.length === 0) {
    const exported = inventory(namespace);
    const what = exported === "" ? "it exports nothing" : `it exports ${exported}`;
    throw new BacksweepError(
      "no-graph",
      `no graph is exported: ${what}; write export const name = graph({ x: 2 }, ({ x }) => ...)`,
    );
  }
  return graphs;
}

/**
 * The graph that is asked for, or the first.
 *
 * @throws BacksweepError `no-graph` where there is none, or what is wrong with its definition
 */
export function pickGraph(
  namespace: Readonly<Record<string, unknown>>,
  wanted: string | undefined,
): PickedGraph {
  const graphs = graphNames(namespace);
  const name = wanted ?? graphs[0];
  if (!graphs.includes(name)) {
    const known = `the graphs here are ${graphs.join(", ")}`;
    const other = Object.hasOwn(namespace, name)
      ? `"${name}" is ${kindOf(namespace[name])}, no graph`
      : `there is no graph "${name}"`;
    throw new BacksweepError("no-graph", `${other}; ${known}`);
  }
  const definition = namespace[name] as GraphDefinition;
  if (definition.wrong !== undefined) throw definition.wrong;
  return { name, definition, graphs };
}
