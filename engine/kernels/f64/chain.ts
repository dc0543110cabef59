// Generated from ../f32/chain.ts by scripts/kernels.mjs.
/** Runs a fused chain in JavaScript, block by block. */
import { FIRST_FUNCTION, FIRST_UNARY, FIRST_TERNARY, Op } from "../codes.js";
import { INSTRUCTION, chainLength, plan, type Fused, type FusedProgram, type Plan } from "../fuse.js";
import { BLOCK } from "../layout.js";
import { binaryLoop, select, unaryLoop } from "./elementwise.js";
import { functionLoop } from "./functions.js";
import { Pairwise, blockSum } from "./reduce.js";

type Floats = Float64Array;

function mulAdd(
  out: Floats,
  o: number,
  a: Floats,
  p: number,
  b: Floats,
  q: number,
  c: Floats,
  r: number,
  n: number,
): void {
  for (let i = 0; i < n; i++) out[o + i] = a[p + i] * b[q + i] + c[r + i];
}

function mulSub(
  out: Floats,
  o: number,
  a: Floats,
  p: number,
  b: Floats,
  q: number,
  c: Floats,
  r: number,
  n: number,
): void {
  for (let i = 0; i < n; i++) out[o + i] = a[p + i] * b[q + i] - c[r + i];
}

function subMul(
  out: Floats,
  o: number,
  a: Floats,
  p: number,
  b: Floats,
  q: number,
  c: Floats,
  r: number,
  n: number,
): void {
  for (let i = 0; i < n; i++) out[o + i] = c[r + i] - a[p + i] * b[q + i];
}

const constantBlock = (value: number): Floats => new Float64Array(BLOCK).fill(value);

export class JavaScriptChain implements Fused<Floats> {
  readonly sums: Float64Array;
  private readonly plan: Plan;
  /** array of each slot; blocks for constants, scalars and temporaries */
  private readonly slots: Floats[] = [];
  /** offset of each slot in the current block */
  private readonly offsets: Int32Array;
  private readonly totals: Pairwise[];

  constructor(program: FusedProgram) {
    const chain = plan(program);
    this.plan = chain;
    const { inputs, constants, scalars, outputs, temporaries } = chain;
    const none = new Float64Array(0);
    for (let i = 0; i < inputs; i++) this.slots.push(none);
    for (const constant of constants) this.slots.push(constantBlock(constant));
    for (let i = 0; i < scalars; i++) this.slots.push(new Float64Array(BLOCK));
    for (let i = 0; i < outputs; i++) this.slots.push(none);
    for (let i = 0; i < temporaries; i++) this.slots.push(new Float64Array(BLOCK));
    this.offsets = new Int32Array(this.slots.length);
    this.sums = new Float64Array(chain.sums.length);
    this.totals = Array.from(chain.sums, () => new Pairwise());
  }

  compile(): void {
    // nothing is faster here than the loops
  }

  run(inputs: readonly Floats[], outputs: readonly Floats[], scalars: readonly number[] = []): void {
    const chain = this.plan;
    const n = chainLength(chain, inputs, outputs, scalars);
    const { slots, offsets } = this;
    const firstScalar = chain.inputs + chain.constants.length;
    const firstOutput = firstScalar + chain.scalars;
    for (let i = 0; i < inputs.length; i++) slots[i] = inputs[i];
    for (let i = 0; i < scalars.length; i++) slots[firstScalar + i].fill(scalars[i]);
    for (let i = 0; i < outputs.length; i++) slots[firstOutput + i] = outputs[i];
    for (let from = 0; from < n; from += BLOCK) {
      for (let i = 0; i < inputs.length; i++) offsets[i] = from;
      for (let i = 0; i < outputs.length; i++) offsets[firstOutput + i] = from;
      const length = Math.min(BLOCK, n - from);
      this.block(length);
      for (let i = 0; i < this.totals.length; i++) {
        const slot = chain.sums[i];
        this.totals[i].push(blockSum(slots[slot], offsets[slot], offsets[slot] + length));
      }
    }
    for (let i = 0; i < this.totals.length; i++) this.sums[i] = this.totals[i].total();
    // the chain must not keep the arrays of its last run alive
    const none = slots.length > 0 ? slots[slots.length - 1].subarray(0, 0) : null;
    for (let i = 0; i < inputs.length; i++) slots[i] = none!;
    for (let i = 0; i < outputs.length; i++) slots[firstOutput + i] = none!;
  }

  private block(n: number): void {
    const { slots, offsets } = this;
    const words = this.plan.instructions;
    for (let w = 0; w < words.length; w += INSTRUCTION) {
      const op = words[w];
      const out = slots[words[w + 1]];
      const o = offsets[words[w + 1]];
      const a = slots[words[w + 2]];
      const p = offsets[words[w + 2]];
      if (op >= FIRST_FUNCTION) {
        functionLoop(op)(out, o, a, p, n);
        continue;
      }
      if (op >= FIRST_UNARY && op < FIRST_TERNARY) {
        unaryLoop(op)(out, o, a, p, n);
        continue;
      }
      const b = slots[words[w + 3]];
      const q = offsets[words[w + 3]];
      if (op < FIRST_UNARY) {
        binaryLoop(op)(out, o, a, p, 1, b, q, 1, n);
        continue;
      }
      const c = slots[words[w + 4]];
      const r = offsets[words[w + 4]];
      if (op === Op.mulAdd) mulAdd(out, o, a, p, b, q, c, r, n);
      else if (op === Op.mulSub) mulSub(out, o, a, p, b, q, c, r, n);
      else if (op === Op.subMul) subMul(out, o, a, p, b, q, c, r, n);
      else select(out, o, a, p, b, q, c, r, n);
    }
  }
}
