/** What computing a node, and pulling its cotangent back, costs in unit operations, by the tables. */
import { pullCost } from "../ops/array/shapes.js";
import { arrayPrimitive } from "../ops/array/table.js";
import { primitives } from "../ops/table.js";
import { sizeOf } from "../tape/ndarray.js";
import { OP_ARRAY, OP_CUT } from "../tape/tape.js";
import { nodeArray, operandArrays, type FlatTape } from "./flat.js";

/** Cost of the operation; of a user's own one, or a value that is given, 1. */
export function forwardCost(flat: FlatTape, v: number): number {
  const op = flat.op[v];
  if (op === OP_ARRAY) {
    const { op: name, params } = flat.arrays!.get(v)!;
    return arrayPrimitive(name!).cost(
      operandArrays(flat, v).map(({ shape }) => shape),
      nodeArray(flat, v).shape,
      params,
    );
  }
  return op >= OP_CUT ? 1 : primitives[op].cost.value;
}

/** Cost of the contributions along all its edges with their accumulation. */
export function reverseCost(flat: FlatTape, v: number): number {
  const op = flat.op[v];
  let cost = 0;
  const shapes = op === OP_ARRAY ? operandArrays(flat, v).map(({ shape }) => shape) : null;
  for (let e = flat.edgeStart[v]; e < flat.edgeStart[v + 1]; e++) {
    const slot = flat.edgeSlot[e];
    if (shapes !== null) {
      const { op: name, params } = flat.arrays!.get(v)!;
      const row = arrayPrimitive(name!);
      cost += pullCost(row, slot, shapes, nodeArray(flat, v).shape, params) + sizeOf(shapes[slot]);
    } else cost += op >= OP_CUT ? 2 : primitives[op].cost.vjp[slot] + 1;
  }
  return cost;
}

/** Bytes of a node's primal: 8 for a number, 8 an element of an array. */
export function primalBytes(flat: FlatTape, v: number): number {
  const record = flat.arrays?.get(v);
  return Float64Array.BYTES_PER_ELEMENT * (record === undefined ? 1 : sizeOf(record.shape));
}
