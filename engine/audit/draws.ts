/** `Math.random` as a stream of the audit's seed, so that an engine that draws is told the same of every time. */
import { CaseStream } from "./stream.js";

const ITEM = 0x72000000;

/** Runs `body`, in which `Math.random()` draws from the seed's stream; the real one is back when it is over. */
export function withSeededDraws<T>(seed: number, body: () => T): T {
  const stream = new CaseStream(seed, ITEM);
  const own = Object.getOwnPropertyDescriptor(Math, "random")!;
  Object.defineProperty(Math, "random", { ...own, value: () => stream.uniform() });
  try {
    return body();
  } finally {
    Object.defineProperty(Math, "random", own);
  }
}
