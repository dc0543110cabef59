/** Sums of products over names, with whole numbers in front of them: what an index comes to. */

/** Products by their factors (`"#0*H~3"`, `""` for the constant), with what each is multiplied by. */
export type Sum = ReadonlyMap<string, number>;

/** A sum of more products is no index. */
const LARGEST = 12;

export const factorsOf = (product: string): string[] => (product === "" ? [] : product.split("*"));

export const constant = (number: number): Sum => new Map(number === 0 ? [] : [["", number]]);

export const atom = (key: string): Sum => new Map([[key.replaceAll("*", "^"), 1]]);

export const numberOf = (sum: Sum): number | null =>
  sum.size === 0 ? 0 : sum.size === 1 && sum.has("") ? sum.get("")! : null;

export function plus(a: Sum, b: Sum, sign: number): Sum | null {
  const out = new Map(a);
  for (const [product, number] of b) {
    const all = (out.get(product) ?? 0) + sign * number;
    if (all === 0) out.delete(product);
    else out.set(product, all);
  }
  return out.size > LARGEST ? null : out;
}

export function times(a: Sum, b: Sum): Sum | null {
  const out = new Map<string, number>();
  for (const [one, m] of a)
    for (const [two, n] of b) {
      const factors = [...factorsOf(one), ...factorsOf(two)];
      const product = factors.sort().join("*");
      out.set(product, (out.get(product) ?? 0) + m * n);
    }
  return out.size > LARGEST ? null : out;
}
