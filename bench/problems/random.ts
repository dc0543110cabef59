/**
 * Numbers that are the same in every process and language: mulberry32, a 32-bit generator in the public domain
 * (Tommy Ettinger). The benchmark's own data come from it, nothing else does.
 */
export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** uniform in [0, 1) */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let t = this.state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  /** `n` numbers, uniform in [-scale, scale) */
  array(n: number, scale: number): Float64Array {
    return Float64Array.from({ length: n }, () => (2 * this.next() - 1) * scale);
  }
}
