/** The one table of array primitives: the scalar rows lifted element by element, and the operations of their own. */
import { indexed } from "./at.js";
import { broadcasting } from "./broadcast.js";
import { choleskies } from "./cholesky.js";
import { determinants } from "./determinants.js";
import { diagonals } from "./diagonals.js";
import { eigens } from "./eigen.js";
import { einsums } from "./einsum.js";
import { indexing } from "./indexing.js";
import { joining } from "./joining.js";
import { layout } from "./layout.js";
import { linearSystems } from "./linear-systems.js";
import { extremes } from "./extremes.js";
import { masks } from "./masks.js";
import { statistics } from "./statistics.js";
import { softmaxes } from "./softmax.js";
import { cumulative } from "./cumulative.js";
import { losses } from "./losses.js";
import { windows } from "./windows.js";
import { convolutions } from "./convolution.js";
import { pools } from "./pooling.js";
import { normalisations } from "./normalisation.js";
import { network } from "./network.js";
import { lifted } from "./lift.js";
import { enterRow, hasRow, rowOf } from "./lookup.js";
import { products } from "./matmul.js";
import { matrixFunctions } from "./matrix-functions.js";
import { adjoints } from "./moves.js";
import { reductions } from "./reductions.js";
import { repeating } from "./repeating.js";
import type { ArrayPrimitive } from "./row.js";
import { singulars } from "./singular.js";
import { slicing } from "./slicing.js";
import { sorting } from "./sorting.js";
import { vectorProducts } from "./vector-products.js";

export const arrayPrimitives: readonly ArrayPrimitive[] = [
  ...lifted,
  ...indexed,
  ...broadcasting,
  ...reductions,
  ...network,
  ...normalisations,
  ...pools,
  ...convolutions,
  ...windows,
  ...losses,
  ...cumulative,
  ...softmaxes,
  ...statistics,
  ...masks,
  ...extremes,
  ...layout,
  ...products,
  ...vectorProducts,
  ...einsums,
  ...slicing,
  ...joining,
  ...indexing,
  ...repeating,
  ...diagonals,
  ...sorting,
  ...adjoints,
  ...linearSystems,
  ...determinants,
  ...choleskies,
  ...eigens,
  ...matrixFunctions,
  ...singulars,
];

for (const row of arrayPrimitives) enterRow(row);

/** Rows that stand inside other rows' rules and have no name in the library. */
export const innerRows: ReadonlySet<string> = new Set([
  "pull",
  "second",
  "placeAt",
  "sumTo",
  "masked",
  "divOrZero",
  "centre",
  "extremeShare",
  "prodOthers",
  "prodOthersAlong",
  "recurrence",
  "shift",
  "gap",
  "patches",
  "windowMax",
  "firstLargest",
  "frozen",
  "dropoutMask",
  "scatterBack",
  "sortBy",
  "unsortBy",
  "cofactors",
  "cofactorsAlong",
  "detSign",
  "inverseTransposed",
  "svdvals",
]);

/** The row of a name. Throws naming it if there is none. */
export function arrayPrimitive(name: string): ArrayPrimitive {
  return rowOf(name);
}

export function isArrayPrimitive(name: string): boolean {
  return hasRow(name);
}
