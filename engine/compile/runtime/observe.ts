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

/** Where a destructuring assignment puts a value: setting `v` tells the write and makes it. */
class Target {
  constructor(
    private readonly module: LoadedModule | undefined,
    private readonly site: number,
    private readonly object: object | null,
    private readonly key: PropertyKey,
    private readonly read: () => unknown,
    private readonly write: (value: unknown) => void,
  ) {}

  set v(value: unknown) {
    const { module, site, object, key } = this;
    if (observed.sink !== null) wrote(value, module, site, "=", object, key, this.read());
    this.write(value);
  }
}

/** A property as the target of a destructuring assignment. */
export function into(
  module: LoadedModule | undefined,
  site: number,
  object: object,
  key: PropertyKey,
): Target {
  const record = object as Record<PropertyKey, unknown>;
  const write = (value: unknown): void => {
    record[key] = value;
  };
  return new Target(module, site, object, key, () => record[key], write);
}

/** A variable or private field as the target of one. */
export function via(
  module: LoadedModule | undefined,
  site: number,
  object: object | null,
  key: string,
  read: () => unknown,
  write: (value: unknown) => void,
): Target {
  return new Target(module, site, object, key, read, write);
}

/** `Object.assign`, a write a property. */
export function assigned(
  module: LoadedModule | undefined,
  site: number,
  object: object,
  ...sources: readonly unknown[]
): unknown {
  if (observed.sink === null || typeof object !== "object" || object === null)
    return Object.assign(object, ...sources);
  const record = object as Record<PropertyKey, unknown>;
  for (const source of sources) {
    if (source === null || source === undefined) continue;
    const from = Object(source) as Record<PropertyKey, unknown>;
    for (const key of Reflect.ownKeys(from)) {
      if (!Object.prototype.propertyIsEnumerable.call(from, key)) continue;
      record[key] = wrote(from[key], module, site, "=", object, key, record[key]);
    }
  }
  return object;
}

/** Hands the result of a random draw or a clock through and tells who listens. */
export function drew<T>(value: T, module: LoadedModule | undefined, site: number): T {
  if (module !== undefined) observed.sink?.draw({ site: module.base + site });
  return value;
}
