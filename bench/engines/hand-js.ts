import { handWork } from "../hand/index.js";
import type { Engine } from "./engine.js";

/** The yardstick: every ratio of the benchmark is to this engine. */
export const handJs: Engine = {
  id: "hand-js",
  title: "hand JavaScript",
  precision: "f64",
  tolerance: 1e-10,
  prepare: (problem) => Promise.resolve(handWork(problem)),
};
