/** What something is, as messages say it. */
export function describe(value: unknown): string {
  if (value === null) return "null";
  if (ArrayBuffer.isView(value)) return "a typed array";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "string") return `the string ${JSON.stringify(value.slice(0, 20))}`;
  if (typeof value === "undefined") return "undefined";
  return `${typeof value === "object" ? "an" : "a"} ${typeof value}`;
}
