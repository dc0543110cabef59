/**
 * Hand tracking (GradBench `ht`, after ADBench, arXiv:1807.10129, section 4.3): a skinned hand model is posed by forward
 * kinematics and linear blend skinning, and compared with measured points.
 */
export type Matrix = readonly (readonly number[])[];

export interface HandModel {
  /** bone 0 is the wrist, then four bones a finger, the last is the forearm; -1 for a root */
  readonly parents: readonly number[];
  /** [bones][4][4] from a bone's frame to its parent's, at rest */
  readonly base_relatives: readonly Matrix[];
  /** [bones][4][4] from the model's frame to a bone's, at rest */
  readonly inverse_base_absolutes: readonly Matrix[];
  /** [vertices][4] homogeneous, at rest */
  readonly base_positions: Matrix;
  /** [vertices][bones] of the skinning, each vertex's sum to 1 */
  readonly weights: Matrix;
  /** [triangles][3] vertices */
  readonly triangles: Matrix;
  readonly is_mirrored: boolean;
}

export interface HandData {
  readonly model: HandModel;
  /** [c] the vertex that each measured point belongs to; a triangle where barycentric coordinates are given */
  readonly correspondences: readonly number[];
  /** [c][3] measured points */
  readonly points: Matrix;
}

/** A rotation and a shift: x maps to rotation x + shift. */
interface Pose {
  readonly rotation: Matrix;
  readonly shift: readonly number[];
}

const straight: Matrix = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

/**
 * Measured points minus the model's, three coordinates a correspondence.
 *
 * @param theta [6 + 4 fingers] global rotation (axis times radians), global shift, then for each finger the bend and spread
 *   of its second bone and the bends of the next two
 * @param us [2 c] barycentric coordinates in a triangle; empty when the points belong to vertices
 * @returns [3 c]
 */
export function handResiduals(theta: readonly number[], us: readonly number[], data: HandData): number[] {
  const { model, correspondences, points } = data;
  const bones = poseBones(theta, model);
  const global = aboutAxis(theta.slice(0, 3));
  const at = (vertex: number): number[] => {
    const skinned = skin(vertex, bones, model);
    return product(global, skinned).map((coordinate, i) => coordinate + theta[3 + i]);
  };
  const residuals: number[] = [];
  correspondences.forEach((target, i) => {
    let hand: number[];
    if (us.length === 0) hand = at(target);
    else {
      const [a, b, c] = model.triangles[target].map(at);
      const u = us[2 * i];
      const v = us[2 * i + 1];
      hand = a.map((_, j) => u * a[j] + v * b[j] + (1 - u - v) * c[j]);
    }
    hand.forEach((coordinate, j) => residuals.push(points[i][j] - coordinate));
  });
  return residuals;
}

/** Where each bone's frame stands in the model's, parents before children. */
function poseBones(theta: readonly number[], model: HandModel): Pose[] {
  const bones: Pose[] = [];
  model.parents.forEach((parent, bone) => {
    const rest = model.base_relatives[bone];
    const shift = rest.slice(0, 3).map((row) => row[3]);
    const turn = bend(theta, bone, model.parents.length);
    const rotation = turn === null ? rest.slice(0, 3).map((row) => row.slice(0, 3)) : times(rest, turn);
    if (parent < 0) bones.push({ rotation, shift });
    else {
      const base = bones[parent];
      bones.push({
        rotation: times(base.rotation, rotation),
        shift: product(base.rotation, shift).map((coordinate, i) => coordinate + base.shift[i]),
      });
    }
  });
  return bones;
}

/** The rotation that theta gives a bone, null for one that cannot move: wrist, palm, forearm. */
function bend(theta: readonly number[], bone: number, count: number): Matrix | null {
  const joint = (bone - 1) % 4;
  if (bone === 0 || bone === count - 1 || joint === 0) return null;
  const first = 6 + 4 * Math.floor((bone - 1) / 4);
  if (joint > 1) return aboutX(theta[first + joint]);
  return times(aboutZ(theta[first + 1]), aboutX(theta[first]));
}

function aboutX(angle: number): Matrix {
  const c = Math.cos(angle);
  const s = Math.sin(angle);
  return [
    [1, 0, 0],
    [0, c, -s],
    [0, s, c],
  ];
}

function aboutZ(angle: number): Matrix {
  const c = Math.cos(angle);
  const s = Math.sin(angle);
  return [
    [c, -s, 0],
    [s, c, 0],
    [0, 0, 1],
  ];
}

/** Rodrigues' rotation matrix; the identity below 1e-4 radians, as ADBench has it, and so without derivative there. */
function aboutAxis([rx, ry, rz]: readonly number[]): Matrix {
  const angle = Math.sqrt(rx * rx + ry * ry + rz * rz);
  if (angle < 1e-4) return straight;
  const x = rx / angle;
  const y = ry / angle;
  const z = rz / angle;
  const c = Math.cos(angle);
  const s = Math.sin(angle);
  const t = 1 - c;
  return [
    [x * x * t + c, x * y * t - z * s, x * z * t + y * s],
    [x * y * t + z * s, y * y * t + c, y * z * t - x * s],
    [x * z * t - y * s, y * z * t + x * s, z * z * t + c],
  ];
}

/** Linear blend skinning: the mean of where the bones that hold a vertex would carry it. */
function skin(vertex: number, bones: readonly Pose[], model: HandModel): number[] {
  const sum = [0, 0, 0];
  model.weights[vertex].forEach((weight, bone) => {
    if (weight === 0) return;
    const { rotation, shift } = bones[bone];
    const own = product(model.inverse_base_absolutes[bone], model.base_positions[vertex]);
    product(rotation, own).forEach((coordinate, i) => {
      sum[i] += weight * (coordinate + shift[i]);
    });
  });
  return model.is_mirrored ? [-sum[0], sum[1], sum[2]] : sum;
}

/** The first three entries of a matrix times a vector of as many entries as its rows have, or of the first of them. */
function product(matrix: Matrix, vector: readonly number[]): number[] {
  return [0, 1, 2].map((i) => {
    let sum = matrix[i][0] * vector[0];
    for (let j = 1; j < Math.min(vector.length, matrix[i].length); j++) sum += matrix[i][j] * vector[j];
    return sum;
  });
}

/** Product of the 3 x 3 parts of two matrices. */
function times(a: Matrix, b: Matrix): number[][] {
  return [0, 1, 2].map((i) =>
    [0, 1, 2].map((j) => a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j]),
  );
}
