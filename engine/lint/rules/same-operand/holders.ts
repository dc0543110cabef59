/** What a collection of operands is kept in, and whether a paid node comes out of it. */
import type { FileFacts } from "../../facts.js";
import {
  argumentsOf,
  bare,
  calleeName,
  child,
  children,
  identifier,
  isCall,
  isMember,
  keyName,
  propertyName,
  receiver,
  type Node,
} from "../../tree.js";
import { valuesOf } from "../../values.js";
import { keptAs, parameterNames } from "../shared/nodes.js";

export interface Holder {
  /** field name, or "" */
  readonly field: string;
  /** local name, or "" */
  readonly local: string;
  readonly id: Node | null;
  /** what a function of this name gives */
  readonly asked?: boolean;
  /** a list of such collections, one for each node */
  readonly each?: boolean;
}

export function holderOf(facts: FileFacts, node: Node): Holder | null {
  let at = node;
  while (
    at.parent != null &&
    (bare(at.parent) !== at.parent ||
      at.parent.type === "ConditionalExpression" ||
      at.parent.type === "LogicalExpression" ||
      // `[...new Set(parents)]`: the list has a repeated one once, too
      at.parent.type === "SpreadElement" ||
      (at.parent.type === "ArrayExpression" &&
        at.type === "SpreadElement" &&
        children(at.parent, "elements").length === 1))
  )
    at = at.parent;
  const parent = at.parent;
  if (parent == null) return null;
  if (parent.type === "AssignmentExpression") {
    const left = bare(child(parent, "left")!);
    if (isMember(left)) return { field: propertyName(left) ?? "", local: "", id: left };
    return { field: "", local: identifier(left) ?? "", id: left };
  }
  if (parent.type === "Property" || parent.type === "PropertyDefinition") {
    const key = child(parent, "key");
    return { field: key === null ? "" : (keyName(key, parent.computed === true) ?? ""), local: "", id: key };
  }
  // `() => new Map([[a, 1], [b, 1]])`, kept under a name: what the sweep gets when it asks
  const fn = parent.type === "ReturnStatement" ? facts.enclosing(parent) : facts.functionOf(parent);
  if (fn !== null && (parent.type === "ReturnStatement" || child(parent, "body") === at)) {
    const [name] = [...keptAs(facts, fn), fn.name].filter((one) => one !== "");
    return name === undefined ? null : { field: name, local: "", id: null, asked: true };
  }
  if (parent.type === "VariableDeclarator") {
    const id = child(parent, "id")!;
    return { field: "", local: identifier(id) ?? "", id };
  }
  // one for each node: `this.ids.push(new Set([a, b]))`
  const list = isCall(parent) && calleeName(parent) === "push" ? receiver(parent) : null;
  if (list !== null) {
    const inner = bare(list);
    return isMember(inner)
      ? { field: propertyName(inner) ?? "", local: "", id: inner, each: true }
      : { field: "", local: identifier(inner) ?? "", id: inner, each: true };
  }
  if (parent.type === "NewExpression" || isCall(parent)) {
    // handed to a constructor that keeps it: the field it ends up in
    const names = parameterNames(facts, parent, argumentsOf(parent).indexOf(at));
    return names.length < 2 ? null : { field: names[names.length - 1], local: "", id: null };
  }
  return null;
}

/** `this.prev[*]`, `o.prev[0]`, `prev~3[*][0]`: the paid node comes out of the holder. */
export function through(
  facts: FileFacts,
  operand: string,
  { field, local, id, each }: Holder,
  kind: "Set" | "Map",
): boolean {
  const step = (each === true ? "\\[[^\\]]*\\]" : "") + stepOf(kind);
  if (field !== "") return new RegExp(`\\.${escape(field)}${step}$`).test(operand);
  if (local === "" || id === null) return false;
  const key = valuesOf(facts).key(id);
  return new RegExp(`^${escape(key)}${step}$`).test(operand);
}

/** `partials.forEach((d, q) => (q.grad += d * out.grad))`: the key of an entry comes second. */
export function byKey(
  facts: FileFacts,
  paid: Node | null,
  { field, id }: Holder,
  kind: "Set" | "Map",
): boolean {
  const binding = paid === null || kind === "Set" ? null : facts.binding(paid);
  const fn = binding?.kind === "param" ? facts.functionOf(binding.scope) : null;
  const call = fn?.node.parent;
  if (fn == null || call == null || calleeName(call) !== "forEach" || receiver(call) === null) return false;
  if (fn.params[1] === undefined || facts.binding(fn.params[1]) !== binding) return false;
  const map = valuesOf(facts).key(receiver(call)!);
  return field !== "" ? map.endsWith(`.${field}`) : id !== null && map === valuesOf(facts).key(id);
}

/** `for (const [operand, d] of n.locals()) operand.grad += ...`. */
export function givenBy(
  facts: FileFacts,
  paid: Node | null,
  { field, asked }: Holder,
  kind: "Set" | "Map",
): boolean {
  const stored = (paid === null ? undefined : facts.binding(paid)?.definitions) ?? [];
  const [made, ...more] = stored.filter((one) => one.kind !== "element");
  if (asked !== true || made === undefined || more.length > 0) return false;
  const call = bare(made.expression);
  const path = kind === "Map" ? "[*][0]" : "[*]";
  return isCall(call) && calleeName(call) === field && made.path.join("") === path;
}

const stepOf = (kind: "Set" | "Map"): string =>
  kind === "Map" ? "\\[\\*\\](?:\\[0\\])" : "\\[(?:\\*|\\d)\\]";

export const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
