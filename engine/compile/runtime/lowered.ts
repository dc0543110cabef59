/** What lowered TypeScript declarations need: enum members and mutable exports of namespaces. */

/** Sets an enum member; a number also maps back to its name. Answers the value. */
export function member<T>(holder: Record<PropertyKey, unknown>, name: string, value: T): T {
  holder[name] = value;
  if (typeof value !== "string") holder[value as number] = name;
  return value;
}

/** Makes an exported `let` of a namespace a property that is the variable itself. */
export function expose(
  holder: object,
  name: string,
  get: () => unknown,
  set: (value: unknown) => void,
): void {
  Object.defineProperty(holder, name, { get, set, enumerable: true, configurable: true });
}
