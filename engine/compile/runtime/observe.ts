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
  // the method `set` of the user's own, or of a typed array, whose elements are told when it is done
  if (operator === "set" && !(object instanceof Map || object instanceof WeakMap)) return value;
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

type Elements = unknown[] & Record<string, (...given: readonly unknown[]) => unknown>;

const isList = (object: unknown): object is Elements =>
  Array.isArray(object) || (ArrayBuffer.isView(object) && !(object instanceof DataView));

/** A method that may change elements of an array or a typed array: called, and what it changed told. */
export function invoked(
  module: LoadedModule | undefined,
  site: number,
  object: unknown,
  method: string,
  ...given: readonly unknown[]
): unknown {
  const receiver = object as Elements;
  const { sink } = observed;
  if (sink === null || module === undefined || !isList(object)) return receiver[method](...given);
  const before = Array.from(object);
  const result = receiver[method](...given);
  const tell = (operator: string, key: number, value: unknown): void =>
    sink.write({ site: module.base + site, operator, value, object, key, before: before[key] });
  if (method === "push") given.forEach((value, i) => tell("push", before.length + i, value));
  else if (method === "unshift") given.forEach((value, i) => tell("push", i, value));
  else if (object.length === before.length)
    before.forEach((old, i) => {
      if (!Object.is(old, object[i])) tell("=", i, object[i]);
    });
  return result;
}

/** `Reflect.set(node, "grad", c)` */
export function reflected(
  module: LoadedModule | undefined,
  site: number,
  object: object,
  key: PropertyKey,
  value: unknown,
  ...receiver: readonly [unknown?]
): boolean {
  if (observed.sink !== null && receiver.length === 0)
    wrote(value, module, site, "=", object, key, Reflect.get(object, key));
  return Reflect.set(object, key, value, ...receiver);
}

/** `Object.defineProperty(node, "grad", { value: c })` */
export function defined<T extends object>(
  module: LoadedModule | undefined,
  site: number,
  object: T,
  key: PropertyKey,
  descriptor: PropertyDescriptor & ThisType<unknown>,
): T {
  if (observed.sink !== null && "value" in descriptor)
    wrote(descriptor.value as unknown, module, site, "=", object, key, Reflect.get(object, key));
  return Object.defineProperty(object, key, descriptor);
}
