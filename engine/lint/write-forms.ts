/** What one store into something that could be a gradient slot is, as the rules see it. */
import type { Node } from "./tree.js";

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
