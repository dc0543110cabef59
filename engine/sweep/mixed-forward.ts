/**
 * Tangents over a tape of scalars and arrays, and Hessian-vector products by forward over reverse: each node's rule from
 * the array table (a scalar operation by its lifted row), run on arrays and on pairs of array and tangent.
 */
import { DualAlgebra, type Dual } from "../ops/array/dual.js";
import { NumericAlgebra, numeric } from "../ops/array/numeric.js";
import type { ArrayPrimitive, Params } from "../ops/array/row.js";
import { arrayPrimitive } from "../ops/array/table.js";
import { placed } from "../ops/array/third-derivative.js";
import type { Rounder } from "../ops/dtype.js";
import type { CustomRule } from "../ops/recorder.js";
import { primitives } from "../ops/table.js";
import { scalar, type NDArray } from "../tape/ndarray.js";
import { OP_ARRAY, OP_CUSTOM, OP_CUT, OP_GIVEN } from "../tape/tape.js";
import { nodeArray, operandArrays, operandsOf, type FlatTape } from "./flat.js";
import { customVjpTangent } from "./hvp-custom.js";
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

/** The elements as a number format holds them. */
export function rounded(x: NDArray, round: Rounder | null): NDArray {
  return round === null ? x : { shape: x.shape, data: x.data.map((element) => round(element)) };
}

/** Tangent of every node along a direction; null: zero. */
export class MixedForward {
  readonly tangents: (NDArray | null)[];
  private readonly k: NumericAlgebra;

  /**
   * @param direction tangent by input node, in the node's shape
   * @throws BacksweepError `no-rule` at the place of an operation whose derivative the table does not have
   */
  constructor(
    private readonly flat: FlatTape,
    direction: ReadonlyMap<number, NDArray>,
    readonly customRules: ReadonlyMap<number, CustomRule>,
    private readonly round: Rounder | null,
  ) {
    this.k = round === null ? numeric : new NumericAlgebra(round);
    this.tangents = new Array<NDArray | null>(flat.n).fill(null);
    for (let v = 0; v < flat.n; v++) {
      const given = direction.get(v);
      this.tangents[v] = given === undefined ? this.push(v) : rounded(given, round);
    }
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
      return placed(flat.site[v], () =>
        rule.row.jvp(this.k, tangents, operandArrays(flat, v), nodeArray(flat, v), rule.params),
      );
    if (flat.op[v] === OP_CUSTOM) return rounded(scalar(this.custom(v, tangents)), this.round);
    if (flat.op[v] !== OP_GIVEN) return null;
    let sum = 0;
    tangents.forEach((t, slot) => {
      if (t !== null) sum += flat.givenLocal![flat.operandStart[v] + slot] * t.data[0];
    });
    return rounded(scalar(sum), this.round);
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
 * H v: the tangent of every cotangent.
 *
 * @param order the nodes in a reverse topological order; null: tape order
 * @throws BacksweepError `no-rule` where a rule cannot be differentiated, at its place
 */
export function mixedProducts(
  flat: FlatTape,
  forward: MixedForward,
  seeds: readonly Seed[],
  round: Rounder | null,
  order: Int32Array | null = null,
): MixedProducts {
  const k = new DualAlgebra<NDArray>(round === null ? numeric : new NumericAlgebra(round));
  const cotangents = new Map<number, Dual<NDArray>>();
  for (const { node, cotangent, array } of seeds)
    cotangents.set(node, { primal: rounded(array ?? scalar(cotangent), round), tangent: null });
  const count = order?.length ?? flat.n;
  for (let i = 0; i < count; i++) {
    const v = order === null ? flat.n - 1 - i : order[i];
    const g = cotangents.get(v);
    if (g === undefined || flat.edgeStart[v] === flat.edgeStart[v + 1]) continue;
    const parts = contributions(flat, v, k, g, forward);
    for (let e = flat.edgeStart[v]; e < flat.edgeStart[v + 1]; e++) {
      const part = parts(flat.edgeSlot[e]);
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

type Contribution = (slot: number) => Dual<NDArray> | null;

/** What a node hands to each of its slots, with its tangent. */
function contributions(
  flat: FlatTape,
  v: number,
  k: DualAlgebra<NDArray>,
  g: Dual<NDArray>,
  forward: MixedForward,
): Contribution {
  const tangents = forward.operandTangents(v);
  const rule = ruleOf(flat, v);
  if (rule !== null) {
    const operands = operandArrays(flat, v).map((primal, i) => ({ primal, tangent: tangents[i] }));
    const output = { primal: nodeArray(flat, v), tangent: forward.tangents[v] };
    return (slot) => placed(flat.site[v], () => rule.row.vjp(slot, k, g, operands, output, rule.params));
  }
  if (flat.op[v] === OP_GIVEN)
    return (slot) => k.mul(g, k.number(flat.givenLocal![flat.operandStart[v] + slot]));
  return customContributions(flat, v, g, tangents, forward);
}

/** A user's own primitive: its reverse rule, and the tangent of that as a whole. */
function customContributions(
  flat: FlatTape,
  v: number,
  g: Dual<NDArray>,
  tangents: readonly (NDArray | null)[],
  forward: MixedForward,
): Contribution {
  const rule = forward.customRules.get(v)!;
  const operands = operandsOf(flat, v);
  const pulled = rule.vjp(g.primal.data[0], operands, flat.value[v]);
  const moves = g.tangent !== null || tangents.some((t) => t !== null);
  if (!moves) return (slot) => ({ primal: scalar(pulled[slot]), tangent: null });
  const number = (t: NDArray | null): number => (t === null ? 0 : t.data[0]);
  const along = customVjpTangent(
    rule,
    {
      values: [g.primal.data[0], flat.value[v], ...operands],
      tangents: [number(g.tangent), number(forward.tangents[v]), ...tangents.map(number)],
    },
    flat.site[v],
  );
  return (slot) => ({ primal: scalar(pulled[slot]), tangent: scalar(along[slot]) });
}
