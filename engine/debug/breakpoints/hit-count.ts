/** Hit conditions: "3" or "= 3" (that hit only), ">= 3", "> 3", "< 3", "<= 3", "% 3" (every third). */
export type HitTest = (hit: number) => boolean;

const tests: Readonly<Record<string, (hit: number, n: number) => boolean>> = {
  "": (hit, n) => hit === n,
  "=": (hit, n) => hit === n,
  "==": (hit, n) => hit === n,
  "===": (hit, n) => hit === n,
  ">": (hit, n) => hit > n,
  ">=": (hit, n) => hit >= n,
  "<": (hit, n) => hit < n,
  "<=": (hit, n) => hit <= n,
  "%": (hit, n) => n > 0 && hit % n === 0,
};

/** Null: the text is no hit condition. Hits count from 1. */
export function parseHitCount(text: string): HitTest | null {
  const found = /^\s*(={1,3}|>=?|<=?|%)?\s*(\d+)\s*$/.exec(text);
  if (found === null) return null;
  const test = tests[found[1] ?? ""];
  const n = Number(found[2]);
  return (hit) => test(hit, n);
}
