/**
 * JSON as the product states it: NaN, Infinity and -Infinity are strings, negative zero is -0, integers beyond 2^53 are
 * decimal strings, so that no number is lost or changed on the way.
 */

/** One number. */
export function jsonNumber(x: number | bigint): string {
  if (typeof x === "bigint") return x > 2n ** 53n || x < -(2n ** 53n) ? `"${x}"` : String(x);
  if (x === 0) return Object.is(x, -0) ? "-0" : "0";
  if (!Number.isFinite(x)) return `"${x}"`;
  if (Math.abs(x) > 2 ** 53) return `"${BigInt(x)}"`;
  return String(x);
}

/** Any plain value, typed arrays as lists; keys whose value is undefined are left out. */
export function jsonValue(value: unknown): string {
  if (value === null || value === undefined) return "null";
  switch (typeof value) {
    case "number":
    case "bigint":
      return jsonNumber(value);
    case "string":
      return JSON.stringify(value);
    case "boolean":
      return String(value);
    case "object":
      break;
    default:
      throw new TypeError(`a ${typeof value} has no JSON`);
  }
  if (Array.isArray(value)) return `[${value.map(jsonValue).join(", ")}]`;
  if (ArrayBuffer.isView(value))
    return `[${Array.from(value as unknown as ArrayLike<number>, jsonNumber).join(", ")}]`;
  const parts: string[] = [];
  for (const [key, child] of Object.entries(value)) {
    if (child !== undefined) parts.push(`${JSON.stringify(key)}: ${jsonValue(child)}`);
  }
  return parts.length === 0 ? "{}" : `{ ${parts.join(", ")} }`;
}
