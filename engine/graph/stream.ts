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

/** Two words that stand for a place: the seed and the path of enclosing instances. */
export type StreamKey = readonly [number, number];

export class RandomStream {
  private readonly frames: Frame[];

  /** @param start an integer seed, or the key of a place at which a stream begins that is independent of what ran before */
  constructor(start: number | StreamKey) {
    const key: StreamKey =
      typeof start === "number" ? [start >>> 0, Math.floor(start / 0x100000000) >>> 0] : start;
    this.frames = [{ key, draws: 0, children: new Map() }];
  }

  /** The key of the innermost instance. */
  get key(): StreamKey {
    return this.frames[this.frames.length - 1].key;
  }

  /** Enters a named scope; its n-th instance under the same parent has a key of its own. */
  enter(name: string): void {
    const parent = this.frames[this.frames.length - 1];
    const instance = parent.children.get(name) ?? 0;
    parent.children.set(name, instance + 1);
    this.frames.push({ key: instanceKey(parent.key, name, instance), draws: 0, children: new Map() });
  }

  /** Enters the instance with this number, for example the i-th step of a chain, whatever was entered before. */
  enterNumbered(name: string, instance: number): void {
    this.frames.push({ key: instanceKey(this.key, name, instance), draws: 0, children: new Map() });
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

/** The key of the n-th instance of a name within the place that `parent` stands for. */
export function instanceKey(parent: StreamKey, name: string, instance: number): StreamKey {
  const [h0, h1] = hashText(name);
  const block = philox([h0, h1, instance, 0x5c0be], parent);
  return [block[0], block[1]];
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
export function seedStream(recorder: Recorder, seed: number | StreamKey): void {
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
