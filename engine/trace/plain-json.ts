/**
 * Results that hold whole numbers beyond the safe integers. `JSON.stringify` refuses a BigInt; these are written as the
 * command line writes them: a number up to 2^53, decimal digits as a string beyond.
 */
const LARGEST = 2n ** 53n;

function plain(value: unknown): unknown {
  if (typeof value === "bigint")
    return value >= -LARGEST && value <= LARGEST ? Number(value) : value.toString();
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, plain(entry)]));
}

/** The same object, which `JSON.stringify` can write. */
export function withJson<T extends object>(result: T): T {
  const toJSON = (): unknown => plain({ ...result });
  return Object.defineProperty(result, "toJSON", { value: toJSON, configurable: true });
}
