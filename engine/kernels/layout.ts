/** Sizes that both builds agree on. */

/** Elements of a block of a sum and of a fused chain: a few blocks stay in the first-level cache. */
export const BLOCK = 256;

/**
 * What `statistics` writes, by index. Sums and extremes are over the finite elements alone (0, 0, Infinity, -Infinity
 * for none).
 */
export const Statistic = { sum: 0, sumSquares: 1, min: 2, max: 3, nonfinite: 4 } as const;
export const STATISTICS = 5;
