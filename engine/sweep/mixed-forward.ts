/**
 * Tangents over a tape of scalars and arrays, and Hessian-vector products by forward over reverse: each node's rule from
 * the array table (a scalar operation by its lifted row), run on arrays and on pairs of array and tangent.
 */
import { DualAlgebra, type Dual } from "../ops/array/dual.js";
import { NumericAlgebra, numeric } from "../ops/array/numeric.js";
import type { ArrayPrimitive, Params } from "../ops/array/row.js";
import { arrayPrimitive } from "../ops/array/table.js";
import type { Rounder } from "../ops/dtype.js";
import type { CustomRule } from "../ops/recorder.js";
import { primitives } from "../ops/table.js";
import { scalar, type NDArray } from "../tape/ndarray.js";
import { OP_ARRAY, OP_CUSTOM, OP_CUT, OP_GIVEN } from "../tape/tape.js";
import { BacksweepError } from "../trace/failure.js";
import { nodeArray, operandArrays, operandsOf, type FlatTape } from "./flat.js";
import type { Seed } from "./reverse.js";

interface Rule {
  readonly row: ArrayPrimitive;
  readonly params: Params;
}

const none: Params = Object.freeze({});

/** The array row of an operation of either table, or null for what has none (custom, given, cut, input). */
function ruleOf(flat: FlatTape, v: number): Rule | null {
  const op = flat.op[v];
  if (op === OP_ARRAY) {
    const { op: name, params } = flat.arrays!.get(v)!;
    return { row: arrayPrimitive(name!), params };
  }
  return op >= OP_CUT ? null : { row: arrayPrimitive(primitives[op].name), params: none };
}

/** Tangent of every node along a direction; null: zero. */
export class MixedForward {
  readonly tangents: (NDArray | null)[];
  private readonly k: NumericAlgebra;

  /** @param direction tangent by input node, in the node's shape */
  constructor(
    private readonly flat: FlatTape,
    direction: ReadonlyMap<number, NDArray>,
    private readonly customRules: ReadonlyMap<number, CustomRule>,
    round: Rounder | null,
  ) {
    this.k = round === null ? numeric : new NumericAlgebra(round);
    this.tangents = new Array<NDArray | null>(flat.n).fill(null);
    for (let v = 0; v < flat.n; v++) this.tangents[v] = direction.get(v) ?? this.push(v);
  }

  /** Tangents of a node's operands in slot order; constants have none. */
  operandTangents(v: number): (NDArray | null)[] {
    const { flat } = this;
    const out: (NDArray | null)[] = [];
    for (let i = flat.operandStart[v]; i < flat.operandStart[v + 1]; i++)
      out.push(flat.operand[i] < 0 ? null : this.tangents[flat.operand[i]]);
    return out;
  }

  private push(v: number): NDArray | null {
    const { flat } = this;
    const tangents = this.operandTangents(v);
    if (tangents.every((t) => t === null)) return null;
    const rule = ruleOf(flat, v);
    if (rule !== null)
      return rule.row.jvp(this.k, tangents, operandArrays(flat, v), nodeArray(flat, v), rule.params);
    if (flat.op[v] === OP_CUSTOM) return scalar(this.custom(v, tangents));
    if (flat.op[v] !== OP_GIVEN) return null;
    let sum = 0;
    tangents.forEach((t, slot) => {
      if (t !== null) sum += flat.givenLocal![flat.operandStart[v] + slot] * t.data[0];
    });
    return scalar(sum);
  }

  private custom(v: number, tangents: readonly (NDArray | null)[]): number {
    const { flat } = this;
    const rule = this.customRules.get(v)!;
    const operands = operandsOf(flat, v);
    const numbers = tangents.map((t) => t?.data[0] ?? 0);
    if (rule.jvp !== null) return rule.jvp(numbers, operands, flat.value[v]);
    const pulled = rule.vjp(1, operands, flat.value[v]);
    return numbers.reduce((sum, t, slot) => sum + t * pulled[slot], 0);
  }
}

/** dL/d(node) and its derivative along the direction, by node; null: none. */
export interface MixedProducts {
  readonly cotangent: ReadonlyMap<number, NDArray>;
  readonly product: ReadonlyMap<number, NDArray>;
}

/**
 * H v: the tangent of every cotangent, in tape order.
 *
 * @throws BacksweepError `no-rule` for a user's own primitive, whose rule takes plain numbers only
 */
export function mixedProducts(
  flat: FlatTape,
  forward: MixedForward,
  seeds: readonly Seed[],
  round: Rounder | null,
): MixedProducts {
  const inner = round === null ? numeric : new NumericAlgebra(round);
  const k = new DualAlgebra<NDArray>(inner);
  const cotangents = new Map<number, Dual<NDArray>>();
  for (const { node, cotangent, array } of seeds)
    cotangents.set(node, { primal: array ?? scalar(cotangent), tangent: null });
  for (let v = flat.n - 1; v >= 0; v--) {
    const g = cotangents.get(v);
    if (g === undefined || flat.edgeStart[v] === flat.edgeStart[v + 1]) continue;
    const tangents = forward.operandTangents(v);
    const operands = operandArrays(flat, v).map((primal, i) => ({ primal, tangent: tangents[i] }));
    const output = { primal: nodeArray(flat, v), tangent: forward.tangents[v] };
    for (let e = flat.edgeStart[v]; e < flat.edgeStart[v + 1]; e++) {
      const part = contribution(flat, v, flat.edgeSlot[e], k, g, operands, output);
      if (part === null) continue;
      const from = flat.edgeFrom[e];
      const before = cotangents.get(from);
      cotangents.set(from, before === undefined ? part : k.add(before, part));
    }
  }
  const cotangent = new Map<number, NDArray>();
  const product = new Map<number, NDArray>();
  for (const [node, { primal, tangent }] of cotangents) {
    cotangent.set(node, primal);
    if (tangent !== null) product.set(node, tangent);
  }
  return { cotangent, product };
}

function contribution(
  flat: FlatTape,
  v: number,
  slot: number,
  k: DualAlgebra<NDArray>,
  g: Dual<NDArray>,
  operands: readonly Dual<NDArray>[],
  output: Dual<NDArray>,
): Dual<NDArray> | null {
  const rule = ruleOf(flat, v);
  if (rule !== null) return rule.row.vjp(slot, k, g, operands, output, rule.params);
  if (flat.op[v] === OP_GIVEN) {
    const local = flat.givenLocal![flat.operandStart[v] + slot];
    return k.mul(g, k.number(local));
  }
  throw new BacksweepError(
    "no-rule",
    "a Hessian-vector product in a graph with arrays goes through no operation of your own (custom)",
    flat.site[v],
  );
}
