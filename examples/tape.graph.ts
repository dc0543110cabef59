import { tape } from "backsweep";

// A tape as it is written down in a lecture: (value, parents), a parent being (index, local derivative).
export const seedTape = tape([
  { name: "x", value: 2 },
  { name: "y", value: 3 },
  {
    name: "a",
    value: 6,
    parents: [
      [0, 3],
      [1, 2],
    ],
  },
  {
    name: "b",
    value: 8,
    parents: [
      [2, 1],
      [0, 1],
    ],
  },
  {
    name: "c",
    value: 18,
    parents: [
      [2, 3],
      [1, 6],
    ],
  },
  {
    name: "L",
    value: 144,
    parents: [
      [3, 18],
      [4, 8],
    ],
  },
]);
