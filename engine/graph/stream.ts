/**
 * The graph's own random stream: keyed by the graph's seed, the path of enclosing `scope` instances, and the count of
 * draws within that instance. Inserting a draw in one scope leaves the draws of every other scope as they were.
 */
import type { Recorder } from "../ops/recorder.js";
import { philox, type Block } from "../replay/philox.js";

interface Frame {
  /** two words that stand for the path of scope names and instances */
  readonly key: readonly [number, number];
  draws: number;
  readonly children: Map<string, number>;
}

export class RandomStream {
  private readonly frames: Frame[];

  constructor(seed: number) {
    const low = seed >>> 0;
    const high = Math.floor(seed / 0x100000000) >>> 0;
    this.frames = [{ key: [low, high], draws: 0, children: new Map() }];
  }

  /** Enters a named scope; its n-th instance under the same parent has a key of its own. */
  enter(name: string): void {
    const parent = this.frames[this.frames.length - 1];
    const instance = parent.children.get(name) ?? 0;
    parent.children.set(name, instance + 1);
    const [h0, h1] = hashText(name);
    const block = philox([h0, h1, instance, 0x5c0be], parent.key);
    this.frames.push({ key: [block[0], block[1]], draws: 0, children: new Map() });
  }

  leave(): void {
    this.frames.pop();
  }

  /** The next block of the innermost scope. */
  next(): Block {
    const frame = this.frames[this.frames.length - 1];
    const n = frame.draws++;
    return philox([n >>> 0, Math.floor(n / 0x100000000), 0, 0], frame.key);
  }
}

/** FNV-1a over UTF-16 units, two offsets (Fowler, Noll, Vo). */
function hashText(text: string): [number, number] {
  let a = 0x811c9dc5;
  let b = 0x01000193;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, 0x01000193) >>> 0;
    b = Math.imul(b ^ (unit + i), 0x01000193) >>> 0;
  }
  return [a, b];
}

const streams = new WeakMap<Recorder, RandomStream>();

/** Gives the recording its stream. */
export function seedStream(recorder: Recorder, seed: number): void {
  streams.set(recorder, new RandomStream(seed));
}

export function randomStream(recorder: Recorder): RandomStream {
  let stream = streams.get(recorder);
  if (stream === undefined) streams.set(recorder, (stream = new RandomStream(0)));
  return stream;
}

/** Runs `fn` with a stream begun anew at `seed`; what was drawn before goes on where it was. */
export function withStream<T>(recorder: Recorder, seed: number, fn: () => T): T {
  const outer = randomStream(recorder);
  seedStream(recorder, seed);
  try {
    return fn();
  } finally {
    streams.set(recorder, outer);
  }
}
