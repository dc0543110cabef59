/**
 * Hessian-vector products by forward over reverse (Griewank and Walther 2008, section 5.2; Pearlmutter 1994): tangents
 * forward along the tape, then a reverse sweep that carries the tangent of every cotangent. With local derivatives L of a
 * node's slots, its cotangent g and second partials S, the contribution to slot s has the tangent
 *
 *     L_s * (tangent of g)  +  g * sum_t S_st * tangent_t
 *
 * What no direction changes (L, g, g * S) is computed once, so a further direction costs multiplications and additions
 * only. Zeros are structural, see `pushForward`.
 */
import type { Rounder } from "../ops/dtype.js";
import { OP_CUSTOM } from "../tape/tape.js";
import { operandsOf, type FlatTape } from "./flat.js";
import { customVjpTangent } from "./hvp-custom.js";
import { linearise, type Linearised, type LineariseSettings } from "./hvp-linear.js";
import { MOVES, NOTHING, pullAgain, pushForward } from "./slopes.js";

export interface HvpResult {
  /** derivative along the direction, by node */
  readonly tangent: Float64Array;
  /** H v; meaningful at inputs */
  readonly product: Float64Array;
}

/** Bit of `reached`: the node's cotangent has a tangent. */
const TURNS = 2;

/** One recording at one point, ready for any number of directions. */
export class HessianProducts {
  private readonly linear: Linearised;
  private readonly tangent: Float64Array;
  private readonly product: Float64Array;
  private readonly reached: Uint8Array;

  /** @throws BacksweepError `no-rule` where a node has no derivative rule */
  constructor(
    private readonly flat: FlatTape,
    private readonly settings: LineariseSettings,
  ) {
    this.linear = linearise(flat, settings);
    this.tangent = new Float64Array(flat.n);
    this.product = new Float64Array(flat.n);
    this.reached = new Uint8Array(flat.n);
  }

  /** dL/d(node) of every active node: the gradient, at the inputs. */
  get cotangent(): Float64Array {
    return this.linear.cotangent;
  }

  /**
   * H v for the direction v.
   *
   * @param direction tangent by input node; nodes not named have none
   * @returns columns that the next call writes anew
   * @throws BacksweepError `no-rule` for a user's operation whose rule cannot be differentiated, at its place
   */
  along(direction: Iterable<readonly [node: number, tangent: number]>): HvpResult {
    const { flat, linear, tangent, product, reached } = this;
    const { active, round, customRules } = this.settings;
    tangent.fill(0);
    product.fill(0);
    reached.fill(0);
    for (const [node, t] of direction) {
      if (t === 0) continue;
      tangent[node] = round === null ? t : round(t);
      reached[node] = MOVES;
    }
    pushForward(flat, linear.slopes, active, customRules, round, tangent, reached);
    this.reverse(round);
    return { tangent, product };
  }

  private reverse(round: Rounder | null): void {
    const { flat, tangent, product, reached } = this;
    const { slopes, pairs } = this.linear;
    const { order } = this.settings;
    const { local, exact } = slopes;
    const { start, p, q, weight } = pairs;
    const { edgeStart, edgeFrom } = flat;
    const pay = (to: number, term: number): void => {
      product[to] = round === null ? product[to] + term : round(product[to] + round(term));
      reached[to] |= TURNS;
    };
    for (let i = 0; i < order.length; i++) {
      const v = order[i];
      const first = edgeStart[v];
      const end = edgeStart[v + 1];
      if (first === end) continue;
      if (flat.op[v] === OP_CUSTOM) {
        this.custom(v, pay);
        continue;
      }
      if ((reached[v] & TURNS) !== 0) {
        const g = product[v];
        for (let e = first; e < end; e++) {
          if (exact[e] !== NOTHING)
            pay(edgeFrom[e], exact[e] === 0 ? local[e] * g : pullAgain(flat, v, e, g));
        }
      }
      for (let k = start[v]; k < start[v + 1]; k++) {
        const a = p[k];
        const b = q[k];
        if (b < 0) {
          if ((reached[a] & MOVES) !== 0) pay(a, weight[k] * tangent[a]);
          continue;
        }
        if ((reached[b] & MOVES) !== 0) pay(a, weight[k] * tangent[b]);
        if ((reached[a] & MOVES) !== 0) pay(b, weight[k] * tangent[a]);
      }
    }
  }

  /** A user's operation: its reverse rule is differentiated as a whole. */
  private custom(v: number, pay: (to: number, term: number) => void): void {
    const { flat, tangent, product, reached } = this;
    let moves = (reached[v] & TURNS) !== 0;
    for (let e = flat.edgeStart[v]; e < flat.edgeStart[v + 1]; e++) {
      if ((reached[flat.edgeFrom[e]] & MOVES) !== 0) moves = true;
    }
    if (!moves) return;
    const at = flat.operandStart[v];
    const values = operandsOf(flat, v);
    const tangents = values.map((_, slot) => {
      const from = flat.operand[at + slot];
      return from < 0 ? 0 : tangent[from];
    });
    const terms = customVjpTangent(
      this.settings.customRules.get(v)!,
      {
        values: [this.linear.cotangent[v], flat.value[v], ...values],
        tangents: [product[v], tangent[v], ...tangents],
      },
      flat.site[v],
    );
    for (let e = flat.edgeStart[v]; e < flat.edgeStart[v + 1]; e++) {
      pay(flat.edgeFrom[e], terms[flat.edgeSlot[e]]);
    }
  }
}
