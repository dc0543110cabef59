// Generated from ../f32/webassembly-chain.ts by scripts/kernels.mjs.
/** Runs a fused chain in WebAssembly; one that is too large, or given arrays from elsewhere, runs in JavaScript. */
import { chainLength, plan, INSTRUCTION, type Fused, type FusedProgram, type Plan } from "../fuse.js";
import { BLOCK } from "../layout.js";
import {
  CHAIN_BLOCKS,
  CHAIN_INSTRUCTIONS,
  CHAIN_SLOTS,
  CHAIN_SUMS,
  Region,
  type Native,
  type NativeFunction,
  type NativeFunctions,
} from "../native.js";
import { chainCode, encodable, stackOf } from "../chain-code.js";
import { JavaScriptChain } from "./chain.js";

type Floats = Float64Array;

const SIZE = Float64Array.BYTES_PER_ELEMENT;
const BLOCK_BYTES = BLOCK * SIZE;
const LANES = 16 / SIZE;

/**
 * Steps times elements after which a chain gets code of its own: making it costs up to a millisecond, about what the
 * interpreter has cost by then.
 */
const WORTH_CODE = 3_000_000;

export class WebAssemblyChain implements Fused<Floats> {
  readonly sums: Float64Array;
  private readonly plan: Plan;
  private readonly code: NativeFunctions;
  private readonly cells: Floats;
  /** the slots that are blocks: constants, scalars and temporaries */
  private readonly blocks: number;
  private readonly fits: boolean;
  private readonly steps: number;
  private elsewhere: JavaScriptChain | null = null;
  /** steps times elements, until code is made */
  private interpreted = 0;
  /** null: refused, or the chain is not one for code */
  private own: NativeFunction | null | undefined;

  constructor(
    private readonly program: FusedProgram,
    private readonly native: Native,
  ) {
    const chain = plan(program);
    this.plan = chain;
    this.code = native.run;
    this.cells = native.doubles;
    this.sums = new Float64Array(chain.sums.length);
    this.blocks = chain.constants.length + chain.scalars + chain.temporaries;
    this.steps = chain.instructions.length / INSTRUCTION;
    this.fits =
      this.steps <= CHAIN_INSTRUCTIONS &&
      this.blocks <= CHAIN_BLOCKS &&
      this.blocks + chain.inputs + chain.outputs <= CHAIN_SLOTS &&
      chain.sums.length <= CHAIN_SUMS;
  }

  compile(): void {
    if (this.own !== undefined) return;
    this.own = encodable(this.plan)
      ? this.native.compile(chainCode(this.plan, SIZE), this.code.finish_f64)
      : null;
  }

  run(inputs: readonly Floats[], outputs: readonly Floats[], scalars: readonly number[] = []): void {
    const { plan: chain, native } = this;
    const n = chainLength(chain, inputs, outputs, scalars);
    if (!this.fits || !this.reachable(inputs) || !this.reachable(outputs)) {
      this.inJavaScript(inputs, outputs, scalars);
      return;
    }
    if (this.own === undefined && (this.interpreted += n * this.steps) > WORTH_CODE) this.compile();
    if (this.own) {
      this.runCode(this.own, n, inputs, outputs, scalars);
      return;
    }
    const { arena, integers } = native;
    let slot = Region.slots / 4;
    let block: number = Region.blocks;
    for (const input of inputs) {
      integers[slot++] = arena.place(input);
      integers[slot++] = BLOCK_BYTES;
    }
    const fresh = native.resident !== this;
    for (const constant of chain.constants) {
      if (fresh) this.code.fillBlock_f64(block, constant);
      integers[slot++] = block;
      integers[slot++] = 0;
      block += BLOCK_BYTES;
    }
    for (const scalar of scalars) {
      this.code.fillBlock_f64(block, scalar);
      integers[slot++] = block;
      integers[slot++] = 0;
      block += BLOCK_BYTES;
    }
    for (const output of outputs) {
      integers[slot++] = arena.place(output);
      integers[slot++] = BLOCK_BYTES;
    }
    for (let i = 0; i < chain.temporaries; i++) {
      integers[slot++] = block;
      integers[slot++] = 0;
      block += BLOCK_BYTES;
    }
    if (fresh) {
      integers.set(chain.instructions, Region.words / 4);
      integers.set(chain.sums, Region.sums / 4);
      native.resident = this;
    }
    this.code.chain_f64(
      Region.words,
      this.steps,
      Region.slots,
      chain.inputs + chain.outputs + this.blocks,
      Region.sums,
      chain.sums.length,
      Region.totals,
      n,
      Region.chain,
    );
    for (let i = 0; i < this.sums.length; i++) this.sums[i] = native.doubles[Region.totals / 8 + i];
  }

  private runCode(
    code: NativeFunction,
    n: number,
    inputs: readonly Floats[],
    outputs: readonly Floats[],
    scalars: readonly number[],
  ): void {
    const { plan: chain, native } = this;
    const { arena, integers } = native;
    // the blocks of a chain that is interpreted are written over
    native.resident = null;
    const firstOutput = chain.inputs + chain.constants.length + chain.scalars;
    for (let i = 0; i < inputs.length; i++) integers[Region.slots / 4 + 2 * i] = arena.place(inputs[i]);
    for (let i = 0; i < outputs.length; i++) {
      integers[Region.slots / 4 + 2 * (firstOutput + i)] = arena.place(outputs[i]);
    }
    let at = Region.blocks / SIZE;
    for (const constant of chain.constants) {
      for (let lane = 0; lane < LANES; lane++) this.cells[at++] = constant;
    }
    for (const scalar of scalars) {
      for (let lane = 0; lane < LANES; lane++) this.cells[at++] = scalar;
    }
    for (let i = 0; i < this.sums.length; i++) this.code.clear(stackOf(i));
    code(n);
    for (let i = 0; i < this.sums.length; i++) this.sums[i] = this.code.total_f64(stackOf(i));
  }

  private reachable(arrays: readonly Floats[]): boolean {
    for (const array of arrays) if (this.native.arena.place(array) < 0) return false;
    return true;
  }

  private inJavaScript(
    inputs: readonly Floats[],
    outputs: readonly Floats[],
    scalars: readonly number[],
  ): void {
    this.elsewhere ??= new JavaScriptChain(this.program);
    this.elsewhere.run(inputs, outputs, scalars);
    this.sums.set(this.elsewhere.sums);
  }
}
