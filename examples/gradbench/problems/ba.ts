/**
 * Bundle adjustment (GradBench `ba`, after ADBench, arXiv:1807.10129, section 4.2): where cameras see points, against where
 * features were observed. Every observation has two weighted reprojection residuals and one that keeps its weight near 1.
 */

/** Numbers a camera has: 3 axis-angle, 3 centre, focal length, 2 principal point, 2 radial distortion. */
export const CAMERA = 11;

export type Vector = readonly [number, number, number];

/** Weighted difference, in pixels, between a camera's projection of a point and the observed feature. */
export function reprojectionError(
  camera: readonly number[],
  [x, y, z]: readonly number[],
  weight: number,
  feature: readonly number[],
): [number, number] {
  const [r1, r2, r3, cx, cy, cz, focal, u, v, k1, k2] = camera;
  const [right, down, depth] = rotate([r1, r2, r3], [x - cx, y - cy, z - cz]);
  const px = right / depth;
  const py = down / depth;
  const radius2 = px * px + py * py;
  const distortion = 1 + k1 * radius2 + k2 * radius2 * radius2;
  return [
    weight * (px * distortion * focal + u - feature[0]),
    weight * (py * distortion * focal + v - feature[1]),
  ];
}

export function weightError(weight: number): number {
  return 1 - weight * weight;
}

/** Rodrigues' rotation by |r| radians about r, to first order at r = 0, where |r| has no derivative. */
export function rotate(r: Vector, p: Vector): Vector {
  const angle2 = dot(r, r);
  if (angle2 === 0) {
    const turned = cross(r, p);
    return [p[0] + turned[0], p[1] + turned[1], p[2] + turned[2]];
  }
  const angle = Math.sqrt(angle2);
  const axis: Vector = [r[0] / angle, r[1] / angle, r[2] / angle];
  const cosine = Math.cos(angle);
  const sine = Math.sin(angle);
  const turned = cross(axis, p);
  const along = dot(axis, p) * (1 - cosine);
  return [
    p[0] * cosine + turned[0] * sine + axis[0] * along,
    p[1] * cosine + turned[1] * sine + axis[1] * along,
    p[2] * cosine + turned[2] * sine + axis[2] * along,
  ];
}

function dot(a: Vector, b: Vector): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function cross(a: Vector, b: Vector): Vector {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

export interface BaParameters {
  /** [11 n] cameras */
  readonly cameras: readonly number[];
  /** [3 m] points */
  readonly points: readonly number[];
  /** [p] weights, one an observation */
  readonly weights: readonly number[];
}

export interface BaData {
  /** [p][2] features in pixels */
  readonly features: readonly (readonly number[])[];
  /** [p][2] index of the camera, index of the point */
  readonly observations: readonly (readonly number[])[];
}

/** All residuals: [2 p] reprojection, then [p] weights. */
export function baResiduals(
  { cameras, points, weights }: BaParameters,
  { features, observations }: BaData,
): number[] {
  const residuals: number[] = [];
  observations.forEach(([camera, point], i) => {
    residuals.push(
      ...reprojectionError(
        cameras.slice(CAMERA * camera, CAMERA * (camera + 1)),
        points.slice(3 * point, 3 * point + 3),
        weights[i],
        features[i],
      ),
    );
  });
  for (const weight of weights) residuals.push(weightError(weight));
  return residuals;
}
