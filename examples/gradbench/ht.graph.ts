import { graph } from "backsweep";
import { handResiduals, type HandModel } from "./problems/ht.js";

/** A frame at rest that stands `away` from its parent's along y. */
const along = (away: number): number[][] => [
  [1, 0, 0, 0],
  [0, 1, 0, away],
  [0, 0, 1, 0],
  [0, 0, 0, 1],
];

// A hand with one finger, drawn straight: wrist, palm, three joints that bend, forearm. Each bone is as long as 1.
const model: HandModel = {
  parents: [-1, 0, 1, 2, 3, 0],
  base_relatives: [along(0), along(1), along(1), along(1), along(1), along(-1)],
  inverse_base_absolutes: [along(0), along(-1), along(-2), along(-3), along(-4), along(1)],
  base_positions: [
    [0.2, 2.9, 0, 1],
    [0, 4.8, 0.1, 1],
  ],
  weights: [
    [0, 0, 0.5, 0.5, 0, 0],
    [0, 0, 0, 0, 1, 0],
  ],
  triangles: [],
  is_mirrored: false,
};

// Two points of it against two measured ones. A joint's rotation is used by every bone beyond it: the bones are a tree on the
// tape too.
export const ht = graph({ theta: [0.1, -0.2, 0.3, 0.5, 0.2, -0.1, 0.4, 0.1, 0.5, 0.3] }, ({ theta }) =>
  handResiduals(theta, [], {
    model,
    correspondences: [0, 1],
    points: [
      [0.6, 3.0, 0.5],
      [0.4, 4.1, 2.0],
    ],
  }),
);
