/** The loops as engines of the harness: plain in one process, rewritten by the loader in another. */
import type { Work } from "../engines/engine.js";
import { importRewritten } from "../rewritten.js";
import * as plain from "./loops.js";

export type LoopName = keyof typeof plain;
export const loopNames = Object.keys(plain) as LoopName[];

export async function loopWork(engine: string, name: string): Promise<Work> {
  const loops = engine === "loop-plain" ? plain : await rewritten();
  const body = loops[name as LoopName];
  const gradient = new Float64Array(0);
  return { run: () => ({ value: body(), gradient }) };
}

async function rewritten(): Promise<typeof plain> {
  const { installRealm } = await import("../../engine/compile/runtime/index.js");
  installRealm(globalThis);
  return importRewritten<typeof plain>("bench/extra/loops.ts");
}
