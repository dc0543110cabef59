/** Long chains by blocks: neighbouring steps treated alike are one step of a shorter chain, whose schedules unfold to legal ones. */
import type { HeteroChain } from "./chain.js";
import type { ChainOp } from "./ops.js";

/** A chain of blocks of `block` steps (the last may be shorter); what a block needs inside itself is its overhead. */
export function coarsen(chain: HeteroChain, block: number): HeteroChain {
  const { n, state, tape, cotangent } = chain;
  const contained = chain.model === "contained";
  const m = Math.ceil(n / block);
  const zeros = (): Float64Array => new Float64Array(m + 1);
  const out = {
    model: chain.model,
    n: m,
    state: zeros(),
    tape: zeros(),
    cotangent: zeros(),
    forward: zeros(),
    backward: zeros(),
    forwardOverhead: zeros(),
    backwardOverhead: zeros(),
  };
  out.state[0] = state[0];
  out.cotangent[0] = cotangent[0];
  for (let j = 1; j <= m; j++) {
    const low = (j - 1) * block + 1;
    const high = Math.min(j * block, n);
    let run = 0;
    let record = 0;
    for (let i = low; i <= high; i++) {
      const before = i > low ? state[i - 1] : 0;
      run = Math.max(run, before + state[i] + chain.forwardOverhead[i]);
      out.tape[j] += tape[i];
      const loose = contained ? 0 : before + state[i];
      record = Math.max(record, out.tape[j] + loose + chain.forwardOverhead[i]);
      out.forward[j] += chain.forward[i];
      out.backward[j] += chain.backward[i];
    }
    out.state[j] = state[high];
    out.cotangent[j] = cotangent[high];
    const recorded = out.tape[j] + (contained ? 0 : state[high]);
    out.forwardOverhead[j] = Math.max(0, run - state[high], record - recorded);
    let tapes = out.tape[j];
    let pull = 0;
    for (let i = high; i >= low; i--) {
      pull = Math.max(pull, tapes + cotangent[i] + cotangent[i - 1] + chain.backwardOverhead[i]);
      tapes -= tape[i];
    }
    out.backwardOverhead[j] = Math.max(0, pull - out.tape[j] - cotangent[high] - cotangent[low - 1]);
  }
  return out;
}

/** Operations on blocks as operations on the steps they are made of. */
export function refine(chain: HeteroChain, block: number, ops: readonly ChainOp[]): ChainOp[] {
  const out: ChainOp[] = [];
  for (const { kind, i: j } of ops) {
    const low = (j - 1) * block + 1;
    const high = Math.min(j * block, chain.n);
    switch (kind) {
      case "F":
      case "T":
        for (let i = low; i <= high; i++) {
          out.push({ kind, i });
          const loose = kind === "F" || chain.model === "selfcontained";
          if (i > low && loose) out.push({ kind: "dA", i: i - 1 });
        }
        break;
      case "B":
        for (let i = high; i >= low; i--) out.push({ kind, i });
        break;
      case "dA":
        out.push({ kind, i: high });
        break;
      default:
        // a memory-persistent schedule never gives a tape up
        throw new Error(`${kind}${j} on a block of steps`);
    }
  }
  return out;
}
