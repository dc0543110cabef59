/** A number with what it counts: `1 step`, `8 steps`. Text is a number that has been rounded already. */
export function amount(n: number | bigint | string, one: string): string {
  return `${n} ${String(n) === "1" ? one : `${one}s`}`;
}
