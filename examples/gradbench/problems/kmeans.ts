/**
 * Cost of a clustering (GradBench `kmeans`): every point pays its squared distance to the nearest centroid.
 *
 * @param centroids [k d] one after the other
 * @param points [n][d]
 */
export function kmeansCost(centroids: readonly number[], points: readonly (readonly number[])[]): number {
  let cost = 0;
  for (const point of points) {
    const d = point.length;
    const distances: number[] = [];
    for (let first = 0; first < centroids.length; first += d) {
      let distance = 0;
      point.forEach((p, i) => {
        const difference = centroids[first + i] - p;
        distance += difference * difference;
      });
      distances.push(distance);
    }
    cost += Math.min(...distances);
  }
  return cost;
}
