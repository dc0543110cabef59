/** What one store into something that could be a gradient slot is, as the rules see it. */
import { child, children, keyName, type Node } from "./tree.js";

export type WriteForm =
  /** `slot = value` */
  | "assign"
  /** `slot += value`, `slot -= value` */
  | "add"
  /** `slot *= value` and the like */
  | "scale"
  /** `slot ??= value`, `slot ||= value` */
  | "default"
  /** `buffer.set(values)`, `buffer.copyWithin(...)`, `slot.copy(values)` */
  | "buffer-set"
  | "buffer-fill"
  /** `map.set(key, value)` */
  | "map-set"
  /** `Object.assign(node, { slot: value })` */
  | "object-assign"
  /** `Object.assign(record, more)`: every entry of it */
  | "merge"
  /** `[a.slot, b.slot] = values` */
  | "destructure"
  /** `{ ...record, [key]: value }` */
  | "spread"
  /** `slot.add_(value)`, `addInto(slot, value)` as a statement */
  | "adding-call";

export interface Write {
  /** what is reported */
  readonly node: Node;
  /** the written expression as it stands in the text; of a map the map */
  readonly target: Node;
  readonly form: WriteForm;
  /** null for updates and spreads without an expression */
  readonly value: Node;
  /** of a field: the object it belongs to */
  readonly object: Node | null;
  readonly objectKey: string;
  /** of a field its name, of a container the name of the container */
  readonly name: string;
  /** an element of the field or container is written, not the whole */
  readonly element: boolean;
  /** key of the array, map or record an entry of which is written; "" for whole fields */
  readonly container: string;
  readonly index: Node | null;
  readonly indexKey: string;
}

export const FORMS: Readonly<Record<string, WriteForm>> = {
  "=": "assign",
  "+=": "add",
  "-=": "add",
  "??=": "default",
  "||=": "default",
};

const ADDING = /^(?:add|plus|accum|axpy|inc|sum|iadd|merge|combine)|(?:Add|Accum|_add_?|_acc)/;
export const COPYING = /^(?:set|copy|copyFrom|copy_|assign|setFrom|setData|setValues?)$/;

export const addingName = (name: string): boolean => ADDING.test(name);

/** A copy with one entry in the place of another that takes the place of the list. */
export const putsEntry = (call: Node, name: string): boolean =>
  name === "with" &&
  /^(?:AssignmentExpression|ReturnStatement|ArrowFunctionExpression)$/.test(call.parent?.type ?? "");

/** `c` of `{ value: c, writable: true }`. */
export function describedValue(descriptor: Node): Node | null {
  const property = children(descriptor, "properties").find(
    (one) => one?.type === "Property" && keyName(child(one, "key")!, one.computed === true) === "value",
  );
  return property == null ? null : child(property, "value");
}
