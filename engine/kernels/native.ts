/**
 * The WebAssembly module and its memory: instantiated synchronously from the bytes beside this file, or null where there
 * is no WebAssembly, no SIMD, or no room to reserve.
 */
import { Arena } from "./arena.js";
import { binary } from "./binary.js";

/** What the module exports, as numbers in and out; flags are 0 and 1. */
export type NativeFunction = (...args: number[]) => number;

export interface NativeFunctions {
  readonly [name: string]: NativeFunction;
}

/** Runs a function of JavaScript over part of the memory: operation, place of the output, of the operand, count, bytes an element. */
export type FunctionCall = (op: number, out: number, a: number, n: number, size: number) => void;

/** What a replay runs in JavaScript: a node's value, and its contributions. */
export interface Replayed {
  evaluate(node: number): number;
  pull(node: number): void;
}

interface MemoryObject {
  readonly buffer: ArrayBuffer;
}

/** As much of the WebAssembly interface as is used; the engine is compiled without the DOM's types. */
interface WebAssemblyInterface {
  readonly Memory: new (descriptor: { initial: number; maximum: number }) => MemoryObject;
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown };
}

const PAGE = 65536;
/** 256 MiB of address space, or what is granted; pages cost nothing until they are touched. */
const RESERVATIONS = [4096, 1024, 256];

/** Bytes of the memory that the kernels keep for themselves. */
export const Region = {
  /** a number in every lane */
  splat: 1024,
  /** two of them, for the rows of a broadcast */
  rowSplats: 1056,
  /** what `statistics` and other kernels hand back */
  results: 1152,
  /** lanes, stacks and blocks of reductions */
  reduce: 2048,
  words: 8192,
  slots: 57344,
  sums: 65536,
  totals: 69632,
  chain: 77824,
  blocks: 131072,
  product: 131072 + 1048576,
  end: 131072 + 2 * 1048576,
} as const;

/** How much a fused chain may need to run here. */
export const CHAIN_INSTRUCTIONS = Math.floor((Region.slots - Region.words) / 20);
export const CHAIN_BLOCKS = 512;
export const CHAIN_SUMS = 100;
/** Slots of a chain: inputs, outputs and blocks. */
export const CHAIN_SLOTS = (Region.sums - Region.slots) / 8;
export const PRODUCT_SCRATCH = Region.end - Region.product;

export class Native {
  readonly doubles: Float64Array;
  readonly singles: Float32Array;
  readonly integers: Int32Array;
  readonly arena: Arena;
  /** the replay that runs, for its nodes that run in JavaScript */
  replaying: Replayed | null = null;
  /** the chain whose words and constants are in their regions */
  resident: object | null = null;

  constructor(
    readonly run: NativeFunctions,
    readonly buffer: ArrayBuffer,
    /** the function `run` of a module made at run time over the same memory, null where that is refused */
    readonly compile: (code: Uint8Array, finish: NativeFunction) => NativeFunction | null,
  ) {
    this.doubles = new Float64Array(buffer);
    this.singles = new Float32Array(buffer);
    this.integers = new Int32Array(buffer);
    this.arena = new Arena(buffer, Region.end);
  }
}

/** Bytes of a base64 text; the engine has neither Buffer nor atob. */
export function fromBase64(text: string): Uint8Array {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const value = new Uint8Array(128);
  for (let i = 0; i < 64; i++) value[alphabet.charCodeAt(i)] = i;
  const bytes = new Uint8Array(Math.floor((text.replace(/=+$/, "").length * 3) / 4));
  let at = 0;
  for (let i = 0; i < text.length; i += 4) {
    const word =
      (value[text.charCodeAt(i)] << 18) |
      (value[text.charCodeAt(i + 1)] << 12) |
      (value[text.charCodeAt(i + 2)] << 6) |
      value[text.charCodeAt(i + 3)];
    // stores past the end, of a padded last group, are ignored
    bytes[at++] = word >> 16;
    bytes[at++] = word >> 8;
    bytes[at++] = word;
  }
  return bytes;
}

function reserve(api: WebAssemblyInterface): MemoryObject | null {
  for (const pages of RESERVATIONS) {
    try {
      return new api.Memory({ initial: pages, maximum: pages });
    } catch {
      // refused for its size: ask for less
    }
  }
  return null;
}

/** Instantiates the kernels; `call` is what fused chains run functions of JavaScript by. */
export function instantiate(call: (native: () => Native) => FunctionCall): Native | null {
  const api = (globalThis as { WebAssembly?: WebAssemblyInterface }).WebAssembly;
  if (api === undefined) return null;
  let module: object;
  try {
    module = new api.Module(fromBase64(binary));
  } catch {
    // no SIMD, or a policy that forbids code made at run time
    return null;
  }
  const memory = reserve(api);
  if (memory === null || memory.buffer.byteLength < 4 * PAGE) return null;
  let native: Native | null = null;
  const js = {
    call: call(() => native!),
    evaluate: (node: number): number => native!.replaying!.evaluate(node),
    pull: (node: number): void => native!.replaying!.pull(node),
  };
  // given as they are, so that the engine calls its own code for them and not through JavaScript
  const imports = { env: { memory }, js, math: Math };
  const { exports } = new api.Instance(module, imports);
  const compile = (code: Uint8Array, finish: NativeFunction): NativeFunction | null => {
    try {
      const instance = new api.Instance(new api.Module(code), { env: { memory }, js: { finish } });
      return (instance.exports as NativeFunctions).run;
    } catch {
      return null;
    }
  };
  native = new Native(exports as NativeFunctions, memory.buffer, compile);
  return native;
}
