/**
 * A chain whose steps differ in cost and size, as plain data.
 *
 * Step i (1..n) maps state i-1 to state i. Arrays over states have entries 0..n, arrays over steps have entries 0..n of which entry 0 is
 * not used, so that a step and the state it makes share their index. Sizes are whole bytes, costs any one unit.
 */
import { BacksweepError } from "../../trace/failure.js";

/**
 * What a step's tape is:
 * `contained`: the tape of step i holds state i as well (Rotor: Beaumont, Eyraud-Dubois, Herrmann, Joly, Shilova, "Optimal checkpointing
 * for heterogeneous chains", 2019), and pulling step i back reads state i-1 besides;
 * `selfcontained`: the tape is all that pulling back reads, and recording makes state i beside it.
 */
export type TapeModel = "contained" | "selfcontained";

export interface HeteroChain {
  readonly model: TapeModel;
  /** number of steps, >= 1 */
  readonly n: number;
  /** bytes of state i; state 0, the input, is there from the start, is never dropped and counts */
  readonly state: ArrayLike<number>;
  /** bytes of the tape of step i; in the contained model not less than state i */
  readonly tape: ArrayLike<number>;
  /** bytes of the cotangent of state i */
  readonly cotangent: ArrayLike<number>;
  /** running step i, with or without recording */
  readonly forward: ArrayLike<number>;
  /** pulling step i back */
  readonly backward: ArrayLike<number>;
  /** bytes that running, and pulling back, step i takes for itself while it goes on */
  readonly forwardOverhead: ArrayLike<number>;
  readonly backwardOverhead: ArrayLike<number>;
}

/** Cost of a run that records every step once: no schedule is cheaper. */
export function storeAllCost(chain: HeteroChain): number {
  let cost = 0;
  for (let i = 1; i <= chain.n; i++) cost += chain.forward[i] + chain.backward[i];
  return cost;
}

/** @throws BacksweepError "option" for lengths, sizes or costs that make no chain */
export function validateChain(chain: HeteroChain): void {
  const { n } = chain;
  const refuse = (what: string): never => {
    throw new BacksweepError("option", `chain-budget: ${what}`);
  };
  if (!Number.isSafeInteger(n) || n < 1) refuse("a chain has at least one step");
  const whole = (name: string, sizes: ArrayLike<number>, from: number): void => {
    if (sizes.length !== n + 1) refuse(`${name} has ${sizes.length} entries, not ${n + 1}`);
    for (let i = from; i <= n; i++)
      if (!Number.isSafeInteger(sizes[i]) || sizes[i] < 0)
        refuse(`${name} ${i} is ${sizes[i]}, no number of bytes`);
  };
  whole("the size of state", chain.state, 0);
  whole("the size of tape", chain.tape, 1);
  whole("the size of cotangent", chain.cotangent, 0);
  whole("the overhead of running step", chain.forwardOverhead, 1);
  whole("the overhead of pulling back step", chain.backwardOverhead, 1);
  for (const costs of [chain.forward, chain.backward]) {
    if (costs.length !== n + 1) refuse(`there are ${costs.length} costs, not ${n + 1}`);
    for (let i = 1; i <= n; i++)
      if (!(costs[i] >= 0 && costs[i] < Infinity)) refuse(`step ${i} costs ${costs[i]}`);
  }
  if (chain.model === "contained") {
    for (let i = 1; i <= n; i++)
      if (chain.tape[i] < chain.state[i]) refuse(`tape ${i} is smaller than state ${i}, which it contains`);
  }
}
