/**
 * The memory limit inside the realm: heap and array bytes together, above what the realm held before user code ran.
 * Large allocations are refused before they are made; everything else is seen by samples the watch asks for. Garbage
 * does not count: before a refusal it is collected and the rest measured again.
 */
import v8 from "node:v8";
import vm from "node:vm";
import { recordingMemoryUse } from "../engine/recording/create.js";
import { memoryUse } from "../engine/kernels/instance.js";
import { memoryMessage } from "./lost.js";
import { SAMPLES, USED_KB } from "./monitor.js";
import type { StopState } from "./stop.js";

/** Allocations below this are left to the samples. */
const LARGE_BYTES = 2 ** 20;
const MOST_COLLECTIONS = 3;
/** Bytes an element of an ordinary array takes. */
const ELEMENT_BYTES = 8;

type ArrayConstructor = new (...args: unknown[]) => object;

type Collect = (options?: { readonly type: "minor" }) => void;

let collect: Collect | null = null;

/** V8 has its collector only under a flag, which holds for contexts made after it. */
function collector(): Collect {
  if (collect === null) {
    v8.setFlagsFromString("--expose-gc");
    collect = vm.runInNewContext("gc") as Collect;
    v8.setFlagsFromString("--no-expose-gc");
  }
  return collect;
}

/** A full collection. */
export function collectGarbage(): void {
  collector()();
}

/** A collection of what was allocated lately. */
export function collectYoung(): void {
  collector()({ type: "minor" });
}

/** Bytes of heap and arrays, garbage that was not collected included. */
export function memoryInUse(): number {
  const { used_heap_size, external_memory } = v8.getHeapStatistics();
  // these are reserved whole and touched as they are needed
  const parts = [memoryUse(), recordingMemoryUse()];
  const untouched = parts.reduce((sum, { reserved, touched }) => sum + reserved - touched, 0);
  return used_heap_size + external_memory - untouched;
}

export class MemoryGuard {
  private readonly base: number;

  constructor(
    private readonly limit: number,
    private readonly monitor: Int32Array,
    private readonly stop: StopState,
  ) {
    this.base = memoryInUse();
  }

  /** Bytes in use above the base; may include garbage. */
  used(): number {
    return Math.max(0, memoryInUse() - this.base);
  }

  /** True if the limit is passed, garbage not counted. */
  passed(more = 0): boolean {
    let used = this.used();
    // buffers are freed beside the collection that finds them dead, and counted as free by the one after it
    for (let i = 0; i < MOST_COLLECTIONS && used + more > this.limit; i++) {
      collectGarbage();
      used = this.used();
    }
    this.monitor[USED_KB] = used / 1024;
    this.monitor[SAMPLES]++;
    return used + more > this.limit;
  }

  /** Called before an allocation of so many bytes. */
  account(bytes: number): void {
    if (bytes >= LARGE_BYTES && (bytes > this.limit || this.passed(bytes))) this.refuse();
  }

  refuse(): never {
    return this.stop.stop("memory", memoryMessage(this.limit, null));
  }

  /** Puts the large allocators of the realm under account. */
  install(realm: typeof globalThis): void {
    const globals = realm as unknown as Record<string, ArrayConstructor>;
    for (const name of typedArrays) {
      const bytes = (globals[name] as unknown as { BYTES_PER_ELEMENT: number }).BYTES_PER_ELEMENT;
      this.guardConstructor(globals, name, (first) => lengthOf(first) * bytes);
    }
    for (const name of ["ArrayBuffer", "SharedArrayBuffer"]) {
      this.guardConstructor(globals, name, (first) => (typeof first === "number" ? first : 0));
    }
    this.guardMethod(realm.Array.prototype, "fill", (self) => lengthOf(self) * ELEMENT_BYTES);
    this.guardMethod(realm.Array, "from", (_, source) => lengthOf(source) * ELEMENT_BYTES);
    this.guardMethod(realm.String.prototype, "repeat", (self, times) => String(self).length * Number(times));
    this.guardMethod(realm.String.prototype, "split", (self, separator) =>
      separator === "" ? String(self).length * ELEMENT_BYTES : 0,
    );
    for (const name of ["padStart", "padEnd"] as const) {
      this.guardMethod(realm.String.prototype, name, (_, length) => Number(length));
    }
  }

  private guardConstructor(
    globals: Record<string, ArrayConstructor>,
    name: string,
    bytesOf: (first: unknown) => number,
  ): void {
    const original = globals[name];
    const guarded: ArrayConstructor = new Proxy(original, {
      construct: (target, args, newTarget) => {
        const bytes = bytesOf(args[0]);
        if (bytes >= LARGE_BYTES) this.account(bytes);
        // an array made on behalf of the stand-in would be of a kind of its own, which all code that reads it is slow on
        return Reflect.construct(target, args, newTarget === guarded ? target : newTarget) as object;
      },
    });
    Object.defineProperty(globals, name, {
      value: guarded,
      configurable: true,
      writable: true,
      enumerable: false,
    });
    Object.defineProperty(original.prototype, "constructor", {
      value: guarded,
      configurable: true,
      writable: true,
    });
  }

  private guardMethod(owner: object, name: string, bytesOf: (self: unknown, first: unknown) => number): void {
    const original = (owner as Record<string, (...args: unknown[]) => unknown>)[name];
    const guarded = new Proxy(original, {
      apply: (target, self: unknown, args: unknown[]) => {
        const bytes = bytesOf(self, args[0]);
        if (bytes >= LARGE_BYTES) this.account(bytes);
        return Reflect.apply(target, self, args);
      },
    });
    Object.defineProperty(owner, name, {
      value: guarded,
      configurable: true,
      writable: true,
      enumerable: false,
    });
  }
}

const typedArrays = [
  "Int8Array",
  "Uint8Array",
  "Uint8ClampedArray",
  "Int16Array",
  "Uint16Array",
  "Int32Array",
  "Uint32Array",
  "Float32Array",
  "Float64Array",
  "BigInt64Array",
  "BigUint64Array",
] as const;

/** Elements a constructor or method is about to make: a length given as a number, or that of an array-like. */
function lengthOf(first: unknown): number {
  if (typeof first === "number") return first;
  if (typeof first !== "object" || first === null || first instanceof ArrayBuffer) return 0;
  const { length } = first as { length?: unknown };
  return typeof length === "number" ? length : 0;
}
