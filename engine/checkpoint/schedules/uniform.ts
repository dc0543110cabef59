/**
 * `uniform:k`: blocks of k steps, the last one shorter where k does not divide n. The state before every block is kept in the first
 * sweep; a block is reversed by advancing through it once more, keeping every state, and recording the steps from the last to the
 * first. `sqrt` is the k with the smallest peak of the count model. `uniform-keep-last:k` keeps the states of the last block in the
 * first sweep and does not advance through it twice.
 */
import type { Action, CountsOf, Schedule } from "../actions.js";
import { bestBlock, uniformCheckpointCost } from "../model.js";
import { amount } from "../words.js";

/** Block count and length of the last block. */
function blocksOf(steps: number, k: number): { blocks: number; last: number } {
  const blocks = Math.ceil(steps / k);
  return { blocks, last: steps - (blocks - 1) * k };
}

function* uniformActions(steps: number, k: number, keepLast: boolean): Generator<Action> {
  const { blocks } = blocksOf(steps, k);
  // states of the open block lie behind the slots of the boundaries
  const open = (offset: number): number => blocks + offset - 1;
  for (let block = 0; block < blocks; block++) {
    const start = block * k;
    const end = Math.min(start + k, steps - 1);
    yield { kind: "store", state: start, slot: block };
    if (keepLast && block === blocks - 1) yield* keepStates(start, steps, open);
    else if (end > start) yield { kind: "advance", from: start, to: end };
  }
  let working = steps - 1;
  for (let block = blocks - 1; block >= 0; block--) {
    const start = block * k;
    const end = Math.min(start + k, steps);
    if (!(keepLast && block === blocks - 1)) {
      if (working !== start) yield { kind: "restore", slot: block };
      yield* keepStates(start, end, open);
    }
    for (let step = end - 1; step >= start; step--) {
      const slot = step === start ? block : open(step - start);
      if (step !== end - 1) yield { kind: "restore", slot };
      yield { kind: "free", slot };
      yield { kind: "record", step };
      yield { kind: "reverse", step };
    }
    working = start + 1;
  }
}

/** From state `start`, the working state, to state end - 1, every state kept on the way. */
function* keepStates(start: number, end: number, slot: (offset: number) => number): Generator<Action> {
  for (let state = start + 1; state < end; state++) {
    yield { kind: "advance", from: state - 1, to: state };
    yield { kind: "store", state, slot: slot(state - start), open: true };
  }
}

function counts(steps: number, k: number, keepLast: boolean): CountsOf<bigint> {
  const { blocks, last } = blocksOf(steps, k);
  const big = { n: BigInt(steps), blocks: BigInt(blocks), last: BigInt(last), k: BigInt(k) };
  // every block costs all of its steps but one again; what is kept of the last one is not run twice
  const replays = big.n - big.blocks - (keepLast ? big.last - 1n : 0n);
  const advances = big.n - 1n + replays;
  const atLast = big.blocks + big.last - 1n;
  const before = blocks > 1 ? big.blocks - 1n + big.k - 1n : 0n;
  return {
    peakStates: atLast > before ? atLast : before,
    peakTapes: 1n,
    peakSlots: big.blocks,
    advances,
    records: big.n,
    uncomputes: 0n,
    totalForwards: advances + big.n,
    extraForwards: advances,
    replays,
    // one a state; the working state of the first sweep spares one where it is the state needed first
    reads: big.n - (keepLast || last === 1 ? 1n : 0n),
    writes: big.n,
    diskReads: 0n,
    diskWrites: 0n,
    peakDiskSlots: 0n,
  };
}

/** Why the theorem's numbers are not those of the run. */
function differences(steps: number, k: number, keepLast: boolean): string[] {
  const model = uniformCheckpointCost(steps, k);
  const run = counts(steps, k, keepLast);
  const { blocks, last } = blocksOf(steps, k);
  const lines = [
    `The model (the textbook's theorem on uniform blocks) says ${amount(model.peakStateUnits, "state")} and ${amount(model.recomputedForwardEvaluations, "extra forward evaluation")}; ` +
      `the run held ${amount(run.peakStates, "state")} and replayed ${amount(run.replays, "step")}.`,
  ];
  if (last === k)
    lines.push(
      `States: the first state of the open block is the stored boundary, which the theorem counts twice, so ${model.peakStateUnits} - 1 = ${run.peakStates}.`,
    );
  else
    lines.push(
      `States: the last block has ${last} of ${amount(k, "step")}, and the slot of a block is free before the one before it is opened; the theorem has ceil(L / k) + k.`,
    );
  lines.push(
    `Forwards: the theorem's step is one primitive whose VJP needs its input state only. A run records every step before it is reversed (${amount(steps, "record")}), ` +
      `so ${amount(run.advances, "advance")} + ${amount(steps, "record")} = ${amount(run.totalForwards, "forward")}, where the theorem has ${steps} + ${model.recomputedForwardEvaluations} = ${steps + model.recomputedForwardEvaluations}.`,
  );
  if (keepLast && last > 1)
    lines.push(
      `The last block's ${last - 1} inner states are kept in the first sweep, which saves ${amount(last - 1, "advance")}.`,
    );
  lines.push(
    `Work: ${amount(workRatio(steps + model.recomputedForwardEvaluations, steps), "forward")} a step in the model, ${workRatio(Number(run.totalForwards), steps)} in the run; the square-root rule's "about 2x the compute" is the model's, rounded up. ` +
      `Its cost c + n/c = ${blocks} + ${steps}/${blocks} adds checkpoints and one block's recomputation; over the whole sweep all ${blocks} blocks are recomputed.`,
  );
  return lines;
}

const workRatio = (forwards: number, steps: number): string =>
  String(Number((forwards / steps).toPrecision(3)));

/** @param k block length; clipped to the length of the chain */
export function uniform(name: string, k: number, keepLast = false): Schedule {
  const clip = (steps: number): number => Math.min(k, steps);
  return {
    name,
    actions: (steps) => uniformActions(steps, clip(steps), keepLast),
    model(steps) {
      const cost = uniformCheckpointCost(steps, clip(steps));
      return { peakStates: cost.peakStateUnits, replays: cost.recomputedForwardEvaluations };
    },
    closedForm: (steps) => counts(steps, clip(steps), keepLast),
    length: (steps) => 6 * steps,
    remarks: (steps) => [...clippedBlock(steps, k), ...differences(steps, clip(steps), keepLast)],
  };
}

export function clippedBlock(steps: number, k: number): readonly string[] {
  return k > steps ? [`Blocks of ${k} are longer than the chain: clipped to ${steps}.`] : [];
}

/** `sqrt`: the best whole block length of the model, the smallest of several. */
export function sqrt(name: string): Schedule {
  const at = (steps: number): Schedule => uniform(name, bestBlock(steps).blockSize);
  return {
    name,
    actions: (steps) => at(steps).actions(steps),
    model: (steps) => at(steps).model!(steps),
    closedForm: (steps) => at(steps).closedForm!(steps),
    length: (steps) => 6 * steps,
    remarks(steps) {
      const { blockSize, ties, peakStateUnits, squareRoot } = bestBlock(steps);
      const root = Number(squareRoot.toPrecision(6));
      return [
        `The best block length is ${blockSize} (sqrt ${steps} = ${root})` +
          (ties.length > 1
            ? `; ${ties.join(", ")} have the same model peak of ${amount(peakStateUnits, "state")}, the smallest is taken.`
            : `, the only one with a model peak of ${amount(peakStateUnits, "state")}.`),
        ...at(steps).remarks!(steps),
      ];
    },
    details(steps) {
      const { blockSize, ties } = bestBlock(steps);
      return { blockSize, ties };
    },
  };
}
