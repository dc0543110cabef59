/**
 * The arena: arrays over one buffer of fixed size, the memory of the WebAssembly kernels. The buffer is reserved whole
 * and never grows, so views never detach; the system commits pages as they are first touched. A view of it costs
 * 40 ns where an array of its own costs a microsecond, and the kernels work on it in place.
 *
 * Blocks are taken from a free list of their size class or from the top; `mark` and `release` give back everything taken
 * in between at once. When the arena is full, or there is no WebAssembly, ordinary arrays are handed out: the kernels
 * take them with the same results.
 */
import { refuse } from "./check.js";

/** Where a view begins in the arena's buffer; kept on the view, since reading `buffer` and `byteOffset` costs 60 ns. */
const PLACE = Symbol("place in the arena");

interface Placed {
  [PLACE]?: number;
}

export type Floats = Float32Array | Float64Array;

/** Views that are remembered. */
const VIEWS = 4096;

/** Bytes in front of a block: its class, and whether it is in use. */
const HEADER = 16;
const IN_USE = 0x6b736200;
const FREE = 0x6b736600;

/** Size classes in bytes: multiples of 16 to 128, then four to each power of two. */
export function sizeClass(bytes: number): number {
  if (bytes <= 128) return Math.max(1, (bytes + 15) >> 4);
  const last = bytes - 1;
  const exponent = 31 - Math.clz32(last);
  return 9 + ((exponent - 7) << 2) + ((last >> (exponent - 2)) & 3);
}

/** Bytes of a block by class, up to more than any memory has. */
const CLASS_BYTES = Array.from({ length: 120 }, (_, index) => {
  const step = index - 9;
  return index <= 8 ? index << 4 : ((step & 3) + 5) * 2 ** ((step >> 2) + 5);
});

/** Bytes of a block of a class. */
export function classBytes(index: number): number {
  return CLASS_BYTES[index];
}

interface Level {
  /** where the level begins */
  readonly start: number;
  /** free blocks by class, as the views they last had */
  readonly free: Floats[][];
}

export class Arena {
  /** Tests set it: what is handed out is filled with NaN, so that a read of unset memory shows. */
  poison = false;
  private readonly words: Int32Array;
  /** the views handed out last, by place: a program that runs again asks for the same ones */
  private readonly views = new Map<number, Float64Array>();
  private readonly levels: Level[];
  private top: number;
  private highest: number;

  /**
   * @param buffer the memory, null for none
   * @param base first byte to hand out
   */
  constructor(
    private readonly buffer: ArrayBuffer | null,
    private readonly base = 0,
  ) {
    this.words = new Int32Array(buffer ?? new ArrayBuffer(0));
    this.top = base;
    this.highest = base;
    this.levels = [{ start: base, free: [] }];
  }

  /** Bytes that can be handed out, headers included. */
  get capacity(): number {
    return this.buffer === null ? 0 : this.buffer.byteLength - this.base;
  }

  /** Bytes below the highest block in use or on a free list. */
  get used(): number {
    return this.top - this.base;
  }

  /** The most that `used` has been: what the arena may have made resident. */
  get peak(): number {
    return this.highest - this.base;
  }

  /** An array of n numbers whose contents are unspecified. */
  float64(n: number): Float64Array {
    const at = this.take(n * 8);
    if (at < 0) return this.ordinary64(n);
    const known = this.views.get(at);
    const view = known !== undefined && known.length === n ? known : this.view64(at, n);
    if (this.poison) view.fill(NaN);
    return view;
  }

  private view64(at: number, n: number): Float64Array {
    const view = new Float64Array(this.buffer!, at, n);
    (view as Placed)[PLACE] = at;
    if (this.views.size >= VIEWS) this.views.clear();
    this.views.set(at, view);
    return view;
  }

  /** An array of n single-precision numbers whose contents are unspecified. */
  float32(n: number): Float32Array {
    const at = this.take(n * 4);
    if (at < 0) return this.ordinary32(n);
    const kept = this.reused;
    const view =
      kept instanceof Float32Array && kept.length === n ? kept : new Float32Array(this.buffer!, at, n);
    (view as Placed)[PLACE] = at;
    if (this.poison) view.fill(NaN);
    return view;
  }

  /** True if n numbers can be had from it now; else an ordinary array would be. */
  has64(n: number): boolean {
    return this.buffer !== null && this.top + HEADER + classBytes(sizeClass(n * 8)) <= this.buffer.byteLength;
  }

  zeros64(n: number): Float64Array {
    return this.float64(n).fill(0);
  }

  zeros32(n: number): Float32Array {
    return this.float32(n).fill(0);
  }

  /** A copy of these numbers. */
  copy64(values: ArrayLike<number>): Float64Array {
    const view = this.float64(values.length);
    view.set(values);
    return view;
  }

  /** A copy of these numbers, rounded to single precision. */
  copy32(values: ArrayLike<number>): Float32Array {
    const view = this.float32(values.length);
    view.set(values);
    return view;
  }

  /**
   * Gives a block back; an ordinary array is left to the collector. The array must not be used any more.
   *
   * @throws BacksweepError of kind `internal` if it was given back before, or is only part of a block
   */
  free(view: Floats): void {
    const at = this.place(view);
    if (at < 0) return;
    const header = (at - HEADER) >> 2;
    const state = this.words[header];
    if ((state & ~0xff) === FREE) refuse("arena", "an array is given back twice");
    const index = sizeClass(view.byteLength);
    if (at >= this.top || state !== (IN_USE | index)) refuse("arena", "an array given back is no block");
    this.words[header] = FREE | index;
    let level = this.levels.length - 1;
    while (at < this.levels[level].start) level--;
    (this.levels[level].free[index] ??= []).push(view);
  }

  /** Begins a stretch; `release` of the value it returns gives back all that is taken from here on. */
  mark(): number {
    this.levels.push({ start: this.top, free: [] });
    return this.levels.length - 1;
  }

  /**
   * Gives back everything taken since the mark, inner marks included.
   *
   * @throws BacksweepError of kind `internal` for a mark that was released before
   */
  release(mark: number): void {
    if (mark < 1 || mark >= this.levels.length) refuse("arena", `mark ${mark} is not set`);
    this.top = this.levels[mark].start;
    this.levels.length = mark;
  }

  /** Byte at which an array begins in the arena's buffer, -1 for an array elsewhere. */
  place(view: Floats): number {
    const known = (view as Placed)[PLACE];
    if (known !== undefined) return known;
    if (this.buffer === null || view.buffer !== this.buffer) return -1;
    (view as Placed)[PLACE] = view.byteOffset;
    return view.byteOffset;
  }

  private reused: Floats | null = null;

  /** Byte of a block for this many, -1 if there is no room. */
  private take(bytes: number): number {
    if (this.buffer === null) return -1;
    const index = sizeClass(bytes);
    const list = this.levels[this.levels.length - 1].free[index];
    if (list !== undefined && list.length > 0) {
      const view = list.pop()!;
      const at = (view as Placed)[PLACE]!;
      this.words[(at - HEADER) >> 2] = IN_USE | index;
      this.reused = view;
      return at;
    }
    this.reused = null;
    const at = this.top + HEADER;
    const end = at + classBytes(index);
    if (!(end <= this.buffer.byteLength)) return -1;
    this.words[this.top >> 2] = IN_USE | index;
    this.top = end;
    if (end > this.highest) this.highest = end;
    return at;
  }

  private ordinary64(n: number): Float64Array {
    const view = new Float64Array(n);
    return this.poison ? view.fill(NaN) : view;
  }

  private ordinary32(n: number): Float32Array {
    const view = new Float32Array(n);
    return this.poison ? view.fill(NaN) : view;
  }
}
