/**
 * Operation counts of primal and sweep. For + - * / the ratio (forward + reverse) / forward is at most 5: Baur and
 * Strassen, "The complexity of partial derivatives", Theoretical Computer Science 22 (1983). Each `+=` counts one.
 */
import { primitives } from "../ops/table.js";
import { pullCost } from "../ops/array/shapes.js";
import { arrayPrimitive } from "../ops/array/table.js";
import { sizeOf } from "../tape/ndarray.js";
import { nodeArray, operandArrays, type FlatTape } from "../sweep/flat.js";
import { OP_ARRAY, OP_CUSTOM, OP_CUT, OP_GIVEN } from "../tape/tape.js";
import type { FlopsReport } from "./report.js";

/** Counts the active part of the reverse sweep and the whole forward pass. */
export function flopsReport(flat: FlatTape, active: Uint8Array): FlopsReport {
  let forward = 0;
  let reverse = 0;
  let otherForward = 0;
  let otherReverse = 0;
  for (let v = 0; v < flat.n; v++) {
    const op = flat.op[v];
    const edges = flat.edgeStart[v + 1] - flat.edgeStart[v];
    if (op === OP_ARRAY) {
      const cost = arrayCost(flat, v, active[v] === 1);
      if (cost.basic) {
        forward += cost.forward;
        reverse += cost.reverse;
      } else {
        otherForward += cost.forward;
        otherReverse += cost.reverse;
      }
      continue;
    }
    if (op >= OP_CUT) {
      // given or custom: one product and one addition an edge is all that can be said
      if ((op === OP_GIVEN || op === OP_CUSTOM) && active[v] === 1) otherReverse += 2 * edges;
      continue;
    }
    const row = primitives[op];
    let pulls = 0;
    for (let e = flat.edgeStart[v]; e < flat.edgeStart[v + 1]; e++)
      pulls += row.cost.vjp[flat.edgeSlot[e]] + 1;
    if (row.basic) {
      forward += row.cost.value;
      if (active[v] === 1) reverse += pulls;
    } else {
      otherForward += row.cost.value;
      if (active[v] === 1) otherReverse += pulls;
    }
  }
  return {
    forward,
    reverse,
    ratio: forward === 0 ? 0 : (forward + reverse) / forward,
    other: { forward: otherForward, reverse: otherReverse },
  };
}

/** Array operations made of + - * / alone, to which the bound of Baur and Strassen applies as to scalars. */
const basicArrays = new Set(["add", "sub", "mul", "div", "neg", "sum", "sumTo", "matmul", "dot", "outer"]);

/** Unit operations of an array node, and of its contributions with their accumulation. */
function arrayCost(
  flat: FlatTape,
  v: number,
  active: boolean,
): { readonly basic: boolean; readonly forward: number; readonly reverse: number } {
  const { op, params } = flat.arrays!.get(v)!;
  const row = arrayPrimitive(op!);
  const shapes = operandArrays(flat, v).map((operand) => operand.shape);
  const { shape } = nodeArray(flat, v);
  let reverse = 0;
  for (let e = flat.edgeStart[v]; active && e < flat.edgeStart[v + 1]; e++) {
    const slot = flat.edgeSlot[e];
    reverse += pullCost(row, slot, shapes, shape, params) + sizeOf(shapes[slot]);
  }
  return { basic: basicArrays.has(row.name), forward: row.cost(shapes, shape, params), reverse };
}
