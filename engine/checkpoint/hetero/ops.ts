/** Operations on a heterogeneous chain, and the referee that replays a list of them and refuses what is not legal. */
import type { HeteroChain } from "./chain.js";

/**
 * `F` runs step i and keeps state i; `T` runs it and keeps its tape; `B` pulls it back, with which its tape, the cotangent of
 * state i and state i itself, where it is still kept, go; `dA` drops state i, `dB` the tape of step i; `demote` keeps of a tape the state it contains.
 */
export type ChainOpKind = "F" | "T" | "B" | "dA" | "dB" | "demote";

export interface ChainOp {
  readonly kind: ChainOpKind;
  readonly i: number;
}

export function printOps(ops: readonly ChainOp[]): string {
  return ops.map(({ kind, i }) => `${kind}${i}`).join(" ");
}

export function parseOps(text: string): ChainOp[] {
  return text.split(" ").map((word) => {
    const [, kind, i] = /^(F|T|B|dA|dB|demote)(\d+)$/.exec(word) ?? [];
    if (kind === undefined) throw new Error(`${word} is no operation on a chain`);
    return { kind: kind as ChainOpKind, i: Number(i) };
  });
}

export interface ChainCost {
  readonly cost: number;
  /** most bytes at once: what is live, what the operation makes, and its overhead, its inputs still being there */
  readonly peak: number;
}

/**
 * Replays operations from {state 0, cotangent n} to {cotangent 0}; O(operations + n).
 * Throws a plain Error at an operation that is not legal, and when the sweep does not end: a list of ours never does that.
 */
export function refereeOps(chain: HeteroChain, ops: Iterable<ChainOp>): ChainCost {
  const { n, state, tape, cotangent } = chain;
  const contained = chain.model === "contained";
  const hasState = new Uint8Array(n + 1);
  const hasTape = new Uint8Array(n + 1);
  hasState[0] = 1;
  let live = state[0] + cotangent[n];
  let peak = live;
  let cost = 0;
  let back = n;
  const available = (i: number): boolean => hasState[i] === 1 || (contained && hasTape[i] === 1);
  for (const { kind, i } of ops) {
    const need = (condition: boolean, why: string): void => {
      if (!condition) throw new Error(`${kind}${i}: ${why}`);
    };
    need(i >= 1 && i <= n, "no such step");
    switch (kind) {
      case "F":
      case "T": {
        need(available(i - 1), `state ${i - 1} is not there`);
        let made = kind === "T" ? tape[i] : state[i];
        if (kind === "F") need(!available(i), "the state is there already");
        else {
          need(hasTape[i] === 0, "the tape is there already");
          if (!contained && hasState[i] === 0) made += state[i];
        }
        peak = Math.max(peak, live + made + chain.forwardOverhead[i]);
        live += made;
        if (kind === "T") hasTape[i] = 1;
        if (kind === "F" || !contained) hasState[i] = 1;
        cost += chain.forward[i];
        break;
      }
      case "B":
        need(back === i, `the cotangent of state ${i} is not there`);
        need(hasTape[i] === 1, "the tape is not there");
        if (contained) need(available(i - 1), `state ${i - 1} is not there`);
        peak = Math.max(peak, live + cotangent[i - 1] + chain.backwardOverhead[i]);
        live += cotangent[i - 1] - cotangent[i] - tape[i];
        hasTape[i] = 0;
        if (hasState[i] === 1) live -= state[i];
        hasState[i] = 0;
        back = i - 1;
        cost += chain.backward[i];
        break;
      case "dA":
        need(hasState[i] === 1, "the state is not there");
        hasState[i] = 0;
        live -= state[i];
        break;
      case "dB":
        need(hasTape[i] === 1, "the tape is not there");
        hasTape[i] = 0;
        live -= tape[i];
        break;
      case "demote":
        need(contained && hasTape[i] === 1, "there is no tape with a state in it");
        hasTape[i] = 0;
        live -= tape[i];
        if (hasState[i] === 0) live += state[i];
        hasState[i] = 1;
    }
  }
  if (back !== 0) throw new Error(`the sweep ends at state ${back}`);
  return { cost, peak };
}
