/** Names of the elements of an array, in row-major order. */

/** `x` for a number; `W[0][0]`, `W[0][1]`, ... for an array. */
export function elementLabels(name: string, shape: readonly number[]): string[] {
  let labels = [name];
  for (const length of shape)
    labels = labels.flatMap((label) => Array.from({ length }, (_, i) => `${label}[${i}]`));
  return labels;
}
