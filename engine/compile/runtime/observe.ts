/** What code that was loaded to be observed calls around its assignments (see `tape/writes.ts`). */
import { observed } from "../../tape/writes.js";
import type { LoadedModule } from "./frames.js";

export { observed as o } from "../../tape/writes.js";

function entryOf(object: unknown, key: unknown): unknown {
  return object instanceof Map || (object instanceof WeakMap && typeof key === "object" && key !== null)
    ? (object as Map<unknown, unknown>).get(key)
    : undefined;
}

/** Hands the value of an assignment through and tells who listens. */
export function wrote<T>(
  value: T,
  module: LoadedModule | undefined,
  site: number,
  operator: string,
  object?: unknown,
  key?: unknown,
  before?: unknown,
): T {
  const { sink } = observed;
  if (sink === null || module === undefined) return value;
  if (operator === "set" && !(object instanceof Map || object instanceof WeakMap)) {
    // the method of a typed array or of the user's own; elements of a typed array are told as a copy
    if (!ArrayBuffer.isView(object)) return value;
    sink.write({
      site: module.base + site,
      operator: "copy",
      value,
      object,
      key: "elements",
      before: undefined,
    });
    return value;
  }
  const old = operator === "set" ? entryOf(object, key) : before;
  sink.write({ site: module.base + site, operator, value, object: object ?? null, key, before: old });
  return value;
}

/** Hands the result of a random draw or a clock through and tells who listens. */
export function drew<T>(value: T, module: LoadedModule | undefined, site: number): T {
  if (module !== undefined) observed.sink?.draw({ site: module.base + site });
  return value;
}
