/** Which build runs: the WebAssembly one where the engine has SIMD, else, or when forced, the JavaScript one. */
import { Arena } from "./arena.js";
import { functionLoop as functionLoop32 } from "./f32/functions.js";
import { JavaScriptKernels as JavaScript32 } from "./f32/javascript.js";
import { WebAssemblyKernels as WebAssembly32 } from "./f32/webassembly.js";
import { functionLoop as functionLoop64 } from "./f64/functions.js";
import { JavaScriptKernels as JavaScript64 } from "./f64/javascript.js";
import { WebAssemblyKernels as WebAssembly64 } from "./f64/webassembly.js";
import type { KernelSet } from "./kernels.js";
import { instantiate, type FunctionCall, type Native } from "./native.js";

function javaScript(arena: Arena): KernelSet {
  return { backend: "javascript", f64: new JavaScript64(), f32: new JavaScript32(), arena };
}

/** A fused chain's call of a function of JavaScript, on blocks in the memory. */
function caller(native: () => Native): FunctionCall {
  return (op, out, a, n, size) => {
    if (size === 8) {
      const { doubles } = native();
      functionLoop64(op)(doubles, out >>> 3, doubles, a >>> 3, n);
    } else {
      const { singles } = native();
      functionLoop32(op)(singles, out >>> 2, singles, a >>> 2, n);
    }
  };
}

let native: Native | null | undefined;
let current: KernelSet | null = null;
let forced = false;

/** The module and its memory, made at the first call; null where only JavaScript runs. */
export function nativeKernels(): Native | null {
  if (native === undefined) native = instantiate(caller);
  return native;
}

/** The kernels, made at the first call. */
export function kernels(): KernelSet {
  return (current ??= make());
}

function make(): KernelSet {
  const module = nativeKernels();
  if (module === null) return javaScript(new Arena(null));
  if (forced) return javaScript(module.arena);
  return {
    backend: "wasm",
    f64: new WebAssembly64(module),
    f32: new WebAssembly32(module),
    arena: module.arena,
  };
}

/**
 * For tests: kernels in JavaScript until called with false. The arena stays the same, so arrays taken from it are usable
 * in both.
 */
export function forceJavaScript(on = true): void {
  if (forced === on) return;
  forced = on;
  current = null;
}

/** Bytes of address space that the module's memory reserves (V8 counts them as used), and those it may have touched. */
export function memoryUse(): { readonly reserved: number; readonly touched: number } {
  if (native === undefined || native === null) return { reserved: 0, touched: 0 };
  return { reserved: native.doubles.byteLength, touched: native.arena.peak };
}
