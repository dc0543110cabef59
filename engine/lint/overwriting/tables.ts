/** Rules in tables: `rules[node.op](node)` runs one of the functions that are kept in `rules`, `node.step(g)` one that is kept under `step`. */
import type { FileFacts } from "../facts.js";
import type { Fn } from "../functions.js";
import { functionNamed } from "../local.js";
import { bare, child, children, identifier, isMember, keyName, propertyName, type Node } from "../tree.js";

/** The functions of a table that is asked for one by a computed key; functions kept under a name. */
export function calledFunctions(file: FileFacts, callee: Node): readonly Fn[] {
  const name = callee.computed === true ? null : propertyName(callee);
  if (name !== null) return file.functions.filter((fn) => keptUnder(fn) === name);
  const table = bare(child(callee, "object")!);
  const tableName = identifier(table) ?? (isMember(table) ? propertyName(table) : null);
  if (tableName === null) return [];
  return [...file.functions.filter((fn) => tableOf(fn) === tableName), ...namedIn(file, tableName)];
}

/** `const rules = { add: payAdd, mul: payMul }`: functions that a table holds by their names. */
function namedIn(file: FileFacts, tableName: string): readonly Fn[] {
  const table = file.declarators.find((one) => identifier(child(one, "id")) === tableName);
  const record = table === undefined ? null : child(table, "init");
  if (record === null || bare(record).type !== "ObjectExpression") return [];
  return children(bare(record), "properties").flatMap((one) => {
    const value = one?.type === "Property" ? child(one, "value") : null;
    const fn = value === null || value.type !== "Identifier" ? null : functionNamed(file, value);
    return fn === null ? [] : [fn];
  });
}

/** The name of the property or method that a function is. */
function keptUnder(fn: Fn): string | null {
  const parent = fn.node.parent;
  const kept =
    parent?.type === "Property" ||
    parent?.type === "MethodDefinition" ||
    parent?.type === "PropertyDefinition";
  return kept ? keyName(child(parent, "key")!, parent.computed === true) : null;
}

/** The name of the table that a function is an entry of: `const rules = { add: (node, g) => ... }`. */
function tableOf(fn: Fn): string | null {
  const property = fn.node.parent;
  if (property?.type !== "Property") return null;
  let at = property.parent ?? null;
  while (at !== null && /^(?:ObjectExpression|TS(?:Satisfies|As)Expression|CallExpression)$/.test(at.type))
    at = at.parent ?? null;
  if (at?.type === "VariableDeclarator") return identifier(child(at, "id"));
  if (at?.type === "PropertyDefinition") return keyName(child(at, "key")!, at.computed === true);
  return null;
}
