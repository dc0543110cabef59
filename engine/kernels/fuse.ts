/**
 * Fused chains: several element-wise operations in one pass through memory. A program is a list of steps over values;
 * it is planned once (dead steps dropped, products merged into a following sum, temporaries given few slots) and then
 * run block by block, so that temporaries stay in the first-level cache. The results are those of the single kernels.
 */
import { Op, arity, opName } from "./codes.js";
import { count, refuse } from "./check.js";

/**
 * A chain. Values are numbered: the inputs, then the constants, then the scalars (numbers given at each run), then the
 * steps' results.
 */
export interface FusedProgram {
  readonly inputs: number;
  readonly constants?: readonly number[];
  readonly scalars?: number;
  /** operation and the values it takes, each numbered below the step's own result */
  readonly steps: readonly (readonly [op: number, a: number, b?: number, c?: number])[];
  /** values written to the outputs, in their order */
  readonly outputs: readonly number[];
  /** values whose sums are taken in the same pass, in the order of `sum` */
  readonly sums?: readonly number[];
}

export interface Fused<A extends Float32Array | Float64Array> {
  /** Results of the last run: one for each of the program's `sums`. */
  readonly sums: Float64Array;
  /**
   * Runs the chain. All arrays have one length. An output may be one of the inputs itself (`y = y + g * b`), but no
   * other output, and must not overlap an input otherwise.
   */
  run(inputs: readonly A[], outputs: readonly A[], scalars?: readonly number[]): void;
  /**
   * Makes code of its own for the chain now, where that is possible; else that is done once it has run often. The results
   * are the same with and without.
   */
  compile(): void;
}

/** Words of an instruction: operation, destination slot, three operand slots. */
export const INSTRUCTION = 5;

/** A planned chain. Slots are numbered: inputs, constants, scalars, outputs, temporaries. */
export interface Plan {
  readonly inputs: number;
  readonly constants: readonly number[];
  readonly scalars: number;
  readonly outputs: number;
  readonly temporaries: number;
  readonly instructions: Int32Array;
  /** slots to sum after each block */
  readonly sums: Int32Array;
}

interface Step {
  op: number;
  /** value the step defines */
  value: number;
  operands: number[];
}

/** Checks a program; returns its steps with their operand lists. */
function read(program: FusedProgram): { steps: Step[]; first: number } {
  const constants = program.constants?.length ?? 0;
  const scalars = program.scalars ?? 0;
  count("fuse", program.inputs, scalars);
  const first = program.inputs + constants + scalars;
  const known = (value: number | undefined, limit: number): number => {
    if (value === undefined || !Number.isInteger(value) || value < 0 || value >= limit) {
      refuse("fuse", `a step or output reads value ${value}, of ${limit} known there`);
    }
    return value;
  };
  const steps = program.steps.map(([op, ...given], i) => {
    const operands = given.slice(0, arity(op));
    if (arity(op) === 0) refuse("fuse", `${opName(op)} is not known`);
    if (operands.length !== arity(op)) refuse("fuse", `${opName(op)} takes ${arity(op)} values`);
    return { op, value: first + i, operands: operands.map((value) => known(value, first + i)) };
  });
  for (const value of [...program.outputs, ...(program.sums ?? [])]) known(value, first + steps.length);
  return { steps, first };
}

/** Merges a product that is read once, by a sum or difference, into it: one pass over the block in place of two. */
function mergeProducts(steps: Step[], kept: ReadonlySet<number>, first: number): Step[] {
  const reads = new Map<number, number>();
  for (const step of steps) for (const value of step.operands) reads.set(value, (reads.get(value) ?? 0) + 1);
  const merged = new Set<number>();
  const product = (value: number): number[] | null => {
    const step = value >= first ? steps[value - first] : undefined;
    if (step?.op !== Op.mul || reads.get(value) !== 1 || kept.has(value)) return null;
    merged.add(value);
    return step.operands;
  };
  for (const step of steps) {
    const [a, b] = step.operands;
    if (step.op === Op.add) {
      const left = product(a);
      const right = left === null ? product(b) : null;
      if (left !== null) [step.op, step.operands] = [Op.mulAdd, [...left, b]];
      else if (right !== null) [step.op, step.operands] = [Op.mulAdd, [...right, a]];
    } else if (step.op === Op.sub) {
      const left = product(a);
      const right = left === null ? product(b) : null;
      if (left !== null) [step.op, step.operands] = [Op.mulSub, [...left, b]];
      else if (right !== null) [step.op, step.operands] = [Op.subMul, [...right, a]];
    }
  }
  return steps.filter((step) => !merged.has(step.value));
}

/** Drops steps that nothing reads. */
function live(steps: Step[], kept: ReadonlySet<number>): Step[] {
  const needed = new Set(kept);
  const alive: Step[] = [];
  for (let i = steps.length - 1; i >= 0; i--) {
    if (!needed.has(steps[i].value)) continue;
    alive.push(steps[i]);
    for (const value of steps[i].operands) needed.add(value);
  }
  return alive.reverse();
}

/**
 * Plans a program.
 *
 * @throws BacksweepError of kind `internal` for a step or output that reads a value not known there
 */
export function plan(program: FusedProgram): Plan {
  const { steps: all, first } = read(program);
  const sums = program.sums ?? [];
  const kept = new Set([...program.outputs, ...sums]);
  const alive = live(all, kept);
  const position = new Map(alive.map((step, i) => [step.value, first + i]));
  const renamed = (value: number): number => (value < first ? value : position.get(value)!);
  const keptRenamed = new Set([...kept].map(renamed));
  const steps = mergeProducts(
    alive.map((step, i) => ({ op: step.op, value: first + i, operands: step.operands.map(renamed) })),
    keptRenamed,
    first,
  );

  const last = new Map<number, number>();
  let lastInput = -1;
  steps.forEach((step, i) => {
    for (const value of step.operands) {
      last.set(value, i);
      if (value < program.inputs) lastInput = i;
    }
  });
  const end = steps.length;
  for (const value of keptRenamed) last.set(value, end);

  const firstTemporary = first + program.outputs.length;
  const slots = new Map<number, number>();
  for (let value = 0; value < first; value++) slots.set(value, value);
  const free: number[] = [];
  let temporaries = 0;
  const words: number[] = [];
  const outputs = program.outputs.map(renamed);
  const summed = sums.map(renamed);
  const direct = new Set<number>();
  steps.forEach((step, i) => {
    const operands = step.operands.map((value) => slots.get(value)!);
    for (const value of new Set(step.operands)) {
      const slot = slots.get(value)!;
      if (last.get(value) === i && slot >= firstTemporary) free.push(slot);
    }
    // an output may be an input's own array: it is written in place only once no later step reads an input
    const output =
      i >= lastInput && !summed.some((value) => value < program.inputs) ? outputs.indexOf(step.value) : -1;
    let slot: number;
    if (output >= 0 && !outputs.some((value) => value < program.inputs)) {
      slot = first + output;
      direct.add(output);
    } else {
      slot = free.pop() ?? firstTemporary + temporaries++;
    }
    slots.set(step.value, slot);
    words.push(step.op, slot, operands[0], operands[1] ?? operands[0], operands[2] ?? operands[0]);
  });
  // inputs handed through are written before nothing else can be, results after them
  const late = outputs.map((value, index) => ({ value, index })).filter(({ index }) => !direct.has(index));
  const through = late.filter(({ value }) => value < program.inputs);
  const staged = through.map(({ value, index }) => ({ value, index, slot: firstTemporary + temporaries++ }));
  for (const { value, slot } of staged) words.push(Op.copy, slot, value, value, value);
  const sumSlots = summed.map((value) => {
    const slot = slots.get(value)!;
    if (value >= program.inputs) return slot;
    const copy = firstTemporary + temporaries++;
    words.push(Op.copy, copy, slot, slot, slot);
    return copy;
  });
  for (const { index, slot } of staged) words.push(Op.copy, first + index, slot, slot, slot);
  for (const { value, index } of late) {
    if (value < program.inputs) continue;
    const slot = slots.get(value)!;
    words.push(Op.copy, first + index, slot, slot, slot);
  }
  return {
    inputs: program.inputs,
    constants: program.constants ?? [],
    scalars: program.scalars ?? 0,
    outputs: outputs.length,
    temporaries,
    instructions: Int32Array.from(words),
    sums: Int32Array.from(sumSlots),
  };
}

/** Checks what a run was given; returns the common length. */
export function chainLength(
  chain: Plan,
  inputs: readonly ArrayLike<number>[],
  outputs: readonly ArrayLike<number>[],
  scalars: readonly number[],
): number {
  if (
    inputs.length !== chain.inputs ||
    outputs.length !== chain.outputs ||
    scalars.length !== chain.scalars
  ) {
    refuse(
      "fuse",
      `${inputs.length} inputs, ${outputs.length} outputs and ${scalars.length} scalars where ${chain.inputs}, ${chain.outputs} and ${chain.scalars} are needed`,
    );
  }
  const length = inputs.length > 0 ? inputs[0].length : outputs.length > 0 ? outputs[0].length : 0;
  for (const array of [...inputs, ...outputs]) {
    if (array.length !== length) refuse("fuse", `arrays of ${length} and ${array.length} elements`);
  }
  for (let i = 1; i < outputs.length; i++) {
    if (outputs.indexOf(outputs[i]) < i) refuse("fuse", "one array for two outputs");
  }
  return length;
}
