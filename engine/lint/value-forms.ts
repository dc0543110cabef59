/** Words and spellings that tell of a value's form rather than of its content. */
import type { Binding } from "./scopes.js";
import { argumentsOf, bare, child, isMember, literal, propertyName, type Node } from "./tree.js";

/** One look at a slot inside a value. */
export type Read =
  | { readonly kind: "field"; readonly node: Node; readonly object: string; readonly name: string }
  | { readonly kind: "element"; readonly node: Node; readonly container: string; readonly index: string }
  | { readonly kind: "param"; readonly node: Node; readonly binding: Binding };

/** Properties that tell of the form of a value and nothing of its content. */
export const FORM = new Set([
  "length",
  "shape",
  "size",
  "dims",
  "ndim",
  "rank",
  "dtype",
  "type",
  "name",
  "id",
  "label",
  "op",
  "device",
  "rows",
  "cols",
  "requiresGrad",
  "requires_grad",
  "numel",
  "strides",
  "constructor",
  "byteLength",
  "isLeaf",
]);

/** Makers of values that hold nothing of their arguments but the form. */
export const BLANK =
  /^(?:zeros?|ones?|empty|full|fill(?:ed)?|alloc\w*|identity|eye)(?:_?like|Like|Of|Array|Matrix|Tensor|Buffer)?$|zeros|ones(?:_like|Like)|zero(?:Grad|s|Like|Tensor|Matrix|Array|Buffer|Of)|^create\w*(?:Matrix|Array|Buffer|Tensor)$|^allocate/;

/** Calls that give the same elements, in another order or another holder. */
export const SAME_ELEMENTS = new Set([
  "reverse",
  "toReversed",
  "slice",
  "values",
  "filter",
  "sort",
  "toSorted",
  "flat",
  "concat",
  "from",
]);

/** Calls that give one element. */
export const ONE_ELEMENT = new Set(["pop", "shift", "at", "peek", "find", "dequeue"]);

/** A key with one name in it put in the place of another. */
export function replaceRoot(key: string, from: string, to: string): string {
  const parts = key.split(/(?=[.[\]])|(?<=[[(])/);
  return parts.map((part) => (part === from ? to : part)).join("");
}

export function isPropertyPosition(node: Node): boolean {
  const parent = node.parent;
  if (parent === null || parent === undefined) return false;
  if (isMember(parent)) return child(parent, "property") === node && parent.computed !== true;
  if (
    parent.type === "Property" ||
    parent.type === "MethodDefinition" ||
    parent.type === "PropertyDefinition"
  )
    return child(parent, "key") === node && parent.computed !== true && parent.shorthand !== true;
  return false;
}

/** What a key says is read: `bars[t.id]` an element, `x.grad` a field, a name alone nothing of its own. */
export function readAt(node: Node, key: string): Read | null {
  if (!key.endsWith("]")) {
    const field = /^(.+)\.([\w$#]+)$/.exec(key);
    return field === null ? null : { kind: "field", node, object: field[1], name: field[2] };
  }
  let open = 0;
  for (let at = key.length - 1; at > 0; at--)
    if (key[at] === "]") open++;
    else if (key[at] === "[" && --open === 0)
      return { kind: "element", node, container: key.slice(0, at), index: key.slice(at + 1, -1) };
  return null;
}

/** `m.get(k)`, `m.get(k, 0)` of a map that takes a default, `view.getFloat64(k)`. */
export const getsEntry = (name: string, args: readonly Node[]): boolean =>
  (name === "get" && (args.length === 1 || (args.length === 2 && literal(args[1]) === 0))) ||
  (/^getFloat(?:32|64)$/.test(name) && args.length > 0);

/** Where a call looks into what it is called on: an entry of a map, a stretch of a buffer that holds many. */
export function stretchFrom(name: string, args: readonly Node[]): Node | null {
  if (name === "copyWithin") return args[1] ?? null;
  return getsEntry(name, args) || (name === "subarray" && args.length > 0) ? args[0] : null;
}

/** `new Float64Array(n)`, `new Tensor(x.shape)`: no content. */
export const isForm = (made: Node): boolean =>
  argumentsOf(made).every((argument) => {
    const inner = bare(argument);
    return (
      inner.type === "Literal" ||
      inner.type === "BinaryExpression" ||
      (isMember(inner) && FORM.has(propertyName(inner) ?? "")) ||
      (inner.type === "Identifier" &&
        /^(?:n|m|len|length|size|count|shape|dims|rows|cols|N|numel)$/.test(String(inner.name)))
    );
  });

/** What the field that a pattern ends in is taken from: a value, or elements of a list that is no node's own: edges have fields, too. */
export function partHolder(key: string, path: readonly string[]): string | null {
  if (!path.at(-1)?.startsWith(".") || path.includes("...")) return null;
  if (path.length === 1) return key;
  return path.length === 2 && path[0] === "[*]" && /^(?:this\.)?[\w$]+(?:~\d+)?$/.test(key)
    ? `${key}[*]`
    : null;
}
