/** Second derivatives of a recording of scalars: every element of the inputs is a node. */
import { flatten, type FlatTape } from "../sweep/flat.js";
import { HessianProducts } from "../sweep/hvp.js";
import type { LineariseSettings } from "../sweep/hvp-linear.js";
import { separableGroups } from "../sweep/hvp-sparsity.js";
import { activeNodes } from "../sweep/order.js";
import type { Seed } from "../sweep/reverse.js";
import type { ElementProducts } from "./hvp-arrays.js";
import type { LeasedRecording } from "./leased.js";

type Groups = ReturnType<typeof separableGroups>;

/** By the generated sweep: primitives of the table in double precision, in tape order. */
export class RecordedProducts implements ElementProducts {
  private known: Float64Array | null = null;

  constructor(
    private readonly leased: LeasedRecording,
    private readonly nodes: readonly number[],
    private readonly seeds: readonly Seed[],
  ) {}

  gradient(): Float64Array {
    if (this.known === null) this.along(new Float64Array(this.nodes.length));
    return this.known!;
  }

  along(direction: Float64Array): { jvp: number; product: Float64Array } {
    const { nodes, seeds } = this;
    const { gradient, ...rest } = this.leased.swept((t) =>
      t.hvpOf(
        seeds.map(({ node }) => node),
        nodes,
        direction,
        seeds.map(({ cotangent }) => cotangent),
      ),
    );
    this.known ??= gradient;
    return rest;
  }

  groups(): Groups {
    const flat = flatten(this.leased.recorded.recorder.tape);
    return separableGroups(
      flat,
      this.nodes,
      activeNodes(
        flat,
        this.seeds.map(({ node }) => node),
      ),
    );
  }
}

/** By the sweep over the flat tape: a user's own operations, other number formats and other orders too. */
export class SweptProducts implements ElementProducts {
  private readonly products: HessianProducts;

  constructor(
    private readonly flat: FlatTape,
    private readonly nodes: readonly number[],
    private readonly sweep: LineariseSettings,
  ) {
    this.products = new HessianProducts(flat, sweep);
  }

  gradient(): Float64Array {
    const { cotangent } = this.products;
    const { active } = this.sweep;
    return Float64Array.from(this.nodes, (node) => (active[node] === 1 ? cotangent[node] : 0));
  }

  along(direction: Float64Array): { jvp: number; product: Float64Array } {
    const { nodes } = this;
    const { tangent, product } = this.products.along(nodes.map((node, i) => [node, direction[i]] as const));
    let jvp = 0;
    for (const { node, cotangent } of this.sweep.seeds) jvp += cotangent * tangent[node];
    return { jvp, product: Float64Array.from(nodes, (node) => product[node]) };
  }

  groups(): Groups {
    return separableGroups(this.flat, this.nodes, this.sweep.active);
  }
}
