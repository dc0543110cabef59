/**
 * Determinant by expansion of minors along the first row (GradBench `det`): ell! products, which no one would do, and which
 * makes a graph of ell! paths.
 *
 * @param a [ell ell] row by row
 */
export function determinant(a: readonly number[], ell: number): number {
  const columns = Array.from({ length: ell }, (_, j) => j);
  return minor(a, ell, 0, columns);
}

/** Determinant of what rows from `row` on and the given columns leave. */
function minor(a: readonly number[], ell: number, row: number, columns: readonly number[]): number {
  if (columns.length === 1) return a[row * ell + columns[0]];
  let sum = 0;
  columns.forEach((column, j) => {
    const rest = minor(a, ell, row + 1, [...columns.slice(0, j), ...columns.slice(j + 1)]);
    const term = a[row * ell + column] * rest;
    if (j % 2 === 0) sum += term;
    else sum -= term;
  });
  return sum;
}
