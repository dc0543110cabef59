import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { Op } from "../../../engine/kernels/kernels.js";
import { binary } from "../../../engine/kernels/binary.js";
import { fromBase64, instantiate } from "../../../engine/kernels/native.js";
import { generated, sourceDigest } from "../../../scripts/kernels.mjs";

const room = resolve(import.meta.dirname, "../../../engine/kernels");
const real = (globalThis as unknown as { WebAssembly: Record<string, new (...args: never[]) => object> })
  .WebAssembly;

describe("the WebAssembly module", () => {
  afterEach(() => vi.unstubAllGlobals());

  it("is decoded as Buffer decodes it", () => {
    for (const text of ["", "a", "ab", "abc", "abcd", "\u00ff\u0000~"]) {
      const bytes = Buffer.from(text, "latin1");
      expect([...fromBase64(bytes.toString("base64"))]).toEqual([...bytes]);
    }
    expect(Buffer.from(fromBase64(binary)).equals(Buffer.from(binary, "base64"))).toBe(true);
  });

  it("is not there without WebAssembly, or where the module is refused", () => {
    const call = () => () => undefined;
    vi.stubGlobal("WebAssembly", undefined);
    expect(instantiate(call)).toBeNull();
    const refuses = class {
      constructor() {
        throw new Error("no code may be made here");
      }
    };
    vi.stubGlobal("WebAssembly", { ...properties(), Module: refuses });
    expect(instantiate(call)).toBeNull();
    vi.stubGlobal("WebAssembly", { ...properties(), Memory: refuses });
    expect(instantiate(call)).toBeNull();
  });

  it("asks for less memory when much is refused, and works in it", () => {
    const asked: number[] = [];
    const sparing = function (descriptor: { initial: number }): object {
      asked.push(descriptor.initial);
      if (descriptor.initial > 1000) throw new RangeError("could not allocate memory");
      return new real.Memory(descriptor as never);
    };
    vi.stubGlobal("WebAssembly", { ...properties(), Memory: sparing });
    const native = instantiate(() => () => undefined)!;
    expect(asked.length).toBeGreaterThan(1);
    expect(native.buffer.byteLength).toBe(asked.at(-1)! * 65536);
    const a = native.arena.copy64([1, 2, 3]);
    native.run.binary_f64(Op.add, a.byteOffset, a.byteOffset, 16, a.byteOffset, 16, 3);
    expect([...a]).toEqual([2, 4, 6]);
  });
});

function properties(): Record<string, unknown> {
  return { Memory: real.Memory, Module: real.Module, Instance: real.Instance };
}

describe("generated sources", () => {
  it("the float64 kernels are those of the float32 sources", async () => {
    const files = await generated();
    expect(files.map(({ path }) => path)).toContain(join(room, "f64/matmul.ts"));
    for (const { path, text } of files) expect(readFileSync(path, "utf8"), path).toBe(text);
    expect(readdirSync(join(room, "f64")).length).toBe(files.length);
  });

  it("the module was made from the sources as they are (node scripts/kernels.mjs --check compiles them)", () => {
    const text = readFileSync(join(room, "binary.ts"), "utf8");
    const bytes = Buffer.from(binary, "base64");
    expect(text).toContain(`sources ${sourceDigest()}`);
    expect(text).toContain(`module ${createHash("sha256").update(bytes).digest("hex")}`);
  });
});
