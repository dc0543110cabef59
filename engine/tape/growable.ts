/** Append-only number columns in fixed-capacity chunks: nothing but a short beginning is copied when they grow. */
const BITS = 12;
const CHUNK = 1 << BITS;
const MASK = CHUNK - 1;
/** Length of the first chunk at first: 64 bytes of doubles, which the host allocates like any small object. */
const FIRST = 8;

interface NumberArray {
  [index: number]: number;
  readonly length: number;
  readonly BYTES_PER_ELEMENT: number;
  set(array: ArrayLike<number>, offset?: number): void;
  fill(value: number): unknown;
  subarray(begin: number, end: number): NumberArray;
}

abstract class Growable<A extends NumberArray> {
  private readonly chunks: A[] = [];
  private count = 0;

  protected abstract make(length: number): A;

  get length(): number {
    return this.count;
  }

  get bytes(): number {
    return this.chunks.length === 0 ? 0 : this.chunks.length * CHUNK * this.chunks[0].BYTES_PER_ELEMENT;
  }

  /** Appends and returns the index. */
  push(value: number): number {
    const index = this.count;
    if (index >>> BITS === this.chunks.length) this.chunks.push(this.make(index === 0 ? FIRST : CHUNK));
    else if (index < CHUNK && index === this.chunks[0].length) this.widen();
    this.chunks[index >>> BITS][index & MASK] = value;
    this.count = index + 1;
    return index;
  }

  /** The first chunk grows to its full length: most columns, such as those of a step that is replayed, never need it. */
  private widen(): void {
    const [first] = this.chunks;
    const wide = this.make(Math.min(CHUNK, 8 * first.length));
    wide.set(first);
    this.chunks[0] = wide;
  }

  at(index: number): number {
    return this.chunks[index >>> BITS][index & MASK];
  }

  set(index: number, value: number): void {
    this.chunks[index >>> BITS][index & MASK] = value;
  }

  /** Gives every entry one value. */
  fill(value: number): void {
    for (const chunk of this.chunks) chunk.fill(value);
  }

  /** Forgets the entries and keeps the chunks. */
  clear(): void {
    this.count = 0;
  }

  /** Forgets the entries from `length` on. */
  truncate(length: number): void {
    this.count = Math.min(this.count, length);
  }

  /** One array of exactly the length. */
  flat(): A {
    const out = this.make(this.count);
    this.chunks.forEach((chunk, i) => {
      const start = i * CHUNK;
      if (start >= this.count) return;
      out.set(chunk.subarray(0, Math.min(CHUNK, this.count - start)), start);
    });
    return out;
  }
}

export class Ints extends Growable<Int32Array> {
  protected override make(length: number): Int32Array {
    return new Int32Array(length);
  }
}

export class Doubles extends Growable<Float64Array> {
  protected override make(length: number): Float64Array {
    return new Float64Array(length);
  }
}

export class Bytes extends Growable<Uint8Array> {
  protected override make(length: number): Uint8Array {
    return new Uint8Array(length);
  }
}
