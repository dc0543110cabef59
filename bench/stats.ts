/** Middle values: a benchmark on a shared machine has outliers on one side only. */
export function median(numbers: readonly number[]): number {
  return quantile(numbers, 0.5);
}

/** By linear interpolation between the neighbours; NaN for no numbers. */
export function quantile(numbers: readonly number[], q: number): number {
  if (numbers.length === 0) return NaN;
  const sorted = [...numbers].sort((a, b) => a - b);
  const at = q * (sorted.length - 1);
  const low = Math.floor(at);
  const high = Math.ceil(at);
  return sorted[low] + (at - low) * (sorted[high] - sorted[low]);
}
