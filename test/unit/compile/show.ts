/** Any value as text that tells everything apart that a program could: signed zeros, key order, prototypes, names. */
export function show(value: unknown, seen: readonly unknown[] = []): string {
  switch (typeof value) {
    case "number":
      return Object.is(value, -0) ? "-0" : String(value);
    case "bigint":
      return `${value}n`;
    case "string":
      return JSON.stringify(value);
    case "symbol":
      return value.toString();
    case "function":
      return `function ${value.name}/${value.length}`;
    case "object":
      return value === null ? "null" : showObject(value, seen);
    default:
      return String(value);
  }
}

function showObject(value: object, seen: readonly unknown[]): string {
  const depth = seen.indexOf(value);
  if (depth >= 0) return `<cycle ${seen.length - depth}>`;
  const inside = [...seen, value];
  const each = (items: Iterable<unknown>): string => [...items].map((item) => show(item, inside)).join(", ");
  if (value instanceof Error) return `${value.constructor.name}(${value.name}: ${value.message})`;
  if (value instanceof Date) return `Date(${value.getTime()})`;
  if (value instanceof RegExp) return String(value);
  if (value instanceof Map) return `Map{${each([...value].flat())}}`;
  if (value instanceof Set) return `Set{${each(value)}}`;
  if (value instanceof Promise) return "Promise";
  const name =
    (Object.getPrototypeOf(value) as { constructor?: { name?: string } } | null)?.constructor?.name ?? "null";
  if (ArrayBuffer.isView(value) && !(value instanceof DataView))
    return `${name}[${each(value as Uint8Array)}]`;
  const parts: string[] = [];
  for (const key of Reflect.ownKeys(value)) {
    if (Array.isArray(value) && key === "length") continue;
    const descriptor = Object.getOwnPropertyDescriptor(value, key)!;
    const marks = `${descriptor.enumerable ? "" : "~"}${descriptor.get ? "get " : ""}${descriptor.set ? "set " : ""}`;
    parts.push(
      `${marks}${String(key)}: ${descriptor.get || descriptor.set ? "" : show(descriptor.value, inside)}`,
    );
  }
  return `${name}${Array.isArray(value) ? `(${value.length})` : ""}{${parts.join(", ")}}`;
}
