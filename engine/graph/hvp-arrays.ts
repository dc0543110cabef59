/** Second derivatives of a recording with arrays: the same questions as of scalars, element by element. */
import type { Rounder } from "../ops/dtype.js";
import type { CustomRule } from "../ops/recorder.js";
import type { FlatTape } from "../sweep/flat.js";
import type { Port } from "../sweep/jacobian-mixed.js";
import { portsSize } from "../sweep/jacobian-mixed.js";
import { MixedForward, mixedProducts } from "../sweep/mixed-forward.js";
import type { Seed } from "../sweep/reverse.js";
import { sizeOf, type NDArray } from "../tape/ndarray.js";
import { byNode } from "./directions.js";

/** Hessian-vector products by element of the inputs. */
export interface ElementProducts {
  /** the gradient */
  gradient(): Float64Array;
  /** gradient times direction, and H v */
  along(direction: Float64Array): { readonly jvp: number; readonly product: Float64Array };
  /** groups of elements that meet in no second derivative, by element; null where no structure is known */
  groups(): { readonly group: ArrayLike<number>; readonly groups: number } | null;
}

export interface ArrayProductsSettings {
  readonly seeds: readonly Seed[];
  readonly order: Int32Array;
  readonly round: Rounder | null;
  readonly customRules: ReadonlyMap<number, CustomRule>;
}

/** Every direction goes forward and back over the one recording. */
export class ArrayProducts implements ElementProducts {
  private known: Float64Array | null = null;

  constructor(
    private readonly flat: FlatTape,
    private readonly ports: readonly Port[],
    private readonly settings: ArrayProductsSettings,
  ) {}

  gradient(): Float64Array {
    if (this.known === null) this.along(new Float64Array(portsSize(this.ports)));
    return this.known!;
  }

  along(direction: Float64Array): { jvp: number; product: Float64Array } {
    const { flat, ports } = this;
    const { seeds, order, round, customRules } = this.settings;
    const forward = new MixedForward(flat, byNode(direction, ports), customRules, round);
    const { cotangent, product } = mixedProducts(flat, forward, seeds, round, order);
    this.known ??= vectorOf(cotangent, ports);
    let jvp = 0;
    for (const { node, cotangent: one, array } of seeds) {
      const weights = array?.data ?? [one];
      forward.tangents[node]?.data.forEach((t, i) => (jvp += weights[i] * t));
    }
    return { jvp, product: vectorOf(product, ports) };
  }

  groups(): null {
    return null;
  }
}

/** Arrays by node as a vector over the elements of the ports; 0 where there is none. */
function vectorOf(arrays: ReadonlyMap<number, NDArray>, ports: readonly Port[]): Float64Array {
  const out = new Float64Array(portsSize(ports));
  let at = 0;
  for (const { node, shape } of ports) {
    const array = arrays.get(node);
    if (array !== undefined) out.set(array.data, at);
    at += sizeOf(shape);
  }
  return out;
}
