/** Arguments of calls, with and without a name. */
import type { Node } from "../tree.js";
import { make, name, type Lowering } from "./lowering.js";
import { part, type Syntax } from "./syntax.js";

/** Arguments in their order; those with a name go into a record behind them. */
export function lowered(low: Lowering, args: readonly Syntax[]): Node[] {
  const out: Node[] = [];
  const properties: Node[] = [];
  for (const argument of args) {
    if (argument.type === "keyword_argument") properties.push(property(low, argument));
    else if (argument.type === "dictionary_splat") properties.push(low.expression(argument));
    else out.push(low.expression(argument));
  }
  if (properties.length > 0) {
    const start = properties[0].start!;
    const end = properties[properties.length - 1].end!;
    out.push(make("ObjectExpression", { start, end }, { properties }));
  }
  return out;
}

function property(low: Lowering, argument: Syntax): Node {
  const key = part(argument, "name");
  const value = part(argument, "value");
  return make("Property", argument, {
    kind: "init",
    method: false,
    shorthand: false,
    computed: false,
    key: name(key === null ? "" : low.source(key), key ?? argument),
    value: value === null ? name("undefined", argument) : low.expression(value),
  });
}

/** The value of a named argument. */
export function keyword(low: Lowering, args: readonly Syntax[], wanted: string): Syntax | null {
  for (const argument of args) {
    if (argument.type !== "keyword_argument") continue;
    const key = part(argument, "name");
    if (key !== null && low.source(key) === wanted) return part(argument, "value");
  }
  return null;
}
