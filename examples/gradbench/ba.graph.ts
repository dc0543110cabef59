import { graph } from "backsweep";
import { reprojectionError, weightError } from "./problems/ba.js";

const feature = [271.760969, 834.209256];

// One camera sees one point. Three outputs, so a sweep that seeds each with 1 adds three rows of the Jacobian; the option
// `cotangent` picks one row instead. The angle of the rotation has the most uses: axis, sine and cosine.
const observation = {
  camera: [
    -0.758453, -1.109613, -0.845551, 34.556073, 39.676747, 53.881673, 419.194514, 5.864426, -8.51887,
    0.087812, 0.002739,
  ],
  point: [7.203245, 0.001144, 3.023326],
  weight: 0.417022,
};

export const ba = graph(observation, ({ camera, point, weight }) => {
  const [horizontal, vertical] = reprojectionError(camera, point, weight, feature);
  return { horizontal, vertical, spare: weightError(weight) };
});

export const baHorizontal = graph(
  observation,
  ({ camera, point, weight }) => reprojectionError(camera, point, weight, feature),
  { cotangent: [1, 0] },
);
