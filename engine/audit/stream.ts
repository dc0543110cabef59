/** The audit's own random numbers: a stream for each case, so that case 137 of seed 5 is the same graph in any run. */
import { philox, philoxUniform } from "../replay/philox.js";

export class CaseStream {
  private count = 0;

  constructor(
    private readonly seed: number,
    private readonly item: number,
  ) {}

  /** In [0, 1). */
  uniform(): number {
    return philoxUniform(philox([this.count++, this.item >>> 0, 0x61756469, 0], [this.seed >>> 0, 0]));
  }

  /** An integer in [0, n). */
  below(n: number): number {
    return Math.min(n - 1, Math.floor(this.uniform() * n));
  }

  chance(probability: number): boolean {
    return this.uniform() < probability;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)];
  }

  /** A multiple of 1/16 in [-2, 2], not near 0: short to print, and no two rules of a graph agree on it by chance. */
  number(): number {
    const x = (4 + this.below(29)) / 16;
    return this.chance(0.35) ? -x : x;
  }
}
