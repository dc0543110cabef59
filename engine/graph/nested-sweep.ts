/** The two sweeps over what an inner function recorded, themselves recorded. No recursion; tape order. */
import type { ArrayOperand } from "../ops/array/recorder.js";
import { placed } from "../ops/array/third-derivative.js";
import { filled } from "../tape/ndarray.js";
import { OP_ARRAY, OP_CUSTOM, OP_GIVEN } from "../tape/tape.js";
import { placeOf } from "../tape/sites.js";
import { call, type ScopeHandle } from "../tape/callsite.js";
import { isTensor, Tensor } from "../tape/tensor.js";
import { idOf, isTraced, type Operand } from "../tape/traced.js";
import { primitives } from "../ops/table.js";
import { tracedVjp } from "../sweep/hvp-custom.js";
import { WrittenAlgebra } from "./nested-array-rules.js";
import { RecordedRules } from "./nested-rules.js";
import type { NestedRun } from "./nested-run.js";
import { handleOf, NodeReader } from "./nested-tape.js";

/** Title of what a sweep records for an operation: the operation's own expression behind this sign. */
const SIGN = "∂";

/** Rules that record at the place of the operation they differentiate, and say so in their name. */
class Placed extends RecordedRules {
  /** the rules of operations on arrays */
  readonly arrays: WrittenAlgebra;

  constructor(
    private readonly run: NestedRun,
    private readonly region: ScopeHandle,
  ) {
    super(run.recorder);
    this.arrays = new WrittenAlgebra(run.recorder);
  }

  /** The sum of two contributions, numbers or arrays of one shape. */
  sum(a: ArrayOperand, b: ArrayOperand): ArrayOperand {
    return isTensor(a) || isTensor(b) ? this.arrays.add(a, b) : this.add(a, b);
  }

  /** From now on operations belong to the derivative of what stands at `site`. */
  at(site: number): void {
    this.site = site;
    this.scope = this.region.row();
    const expression = placeOf(site)?.expression;
    const { names } = this.run.recorder;
    const named = (made: ArrayOperand): void => {
      const node = isTensor(made) ? Tensor.id(made) : isTraced(made) ? idOf(made) : -1;
      if (node >= 0) names.add(node, `${SIGN} ${expression}`, 0, -1);
    };
    this.onRecorded = expression === undefined ? null : named;
    this.arrays.site = site;
    this.arrays.scope = this.scope;
    this.arrays.onRecorded = expression === undefined ? null : named;
  }
}

/** What a node hands to a slot for its cotangent `g`, or for a slot's tangent: linear in it. Null: nothing flows. */
type Hand = (slot: number, g: ArrayOperand) => ArrayOperand | null;

/** How the node that was read last hands on; for a user's operation everything is made at once. */
function handOf(run: NestedRun, rules: Placed, reader: NodeReader, id: number): Hand {
  const { recorder } = run;
  const { op, site } = reader;
  const output = handleOf(recorder.tape, id);
  if (op === OP_ARRAY) {
    const { op: name, params } = recorder.tape.arrays.get(id)!;
    const row = rules.arrays.row(name!);
    const operands = reader.operands();
    return (slot, g) => placed(site, () => row.vjp(slot, rules.arrays, g, operands, output, params));
  }
  // numbers all the way: an array enters only operations of its own table
  const operands = reader.operands() as Operand[];
  const y = output as Operand;
  if (op < primitives.length) return (slot, g) => rules.pull(op, slot, g as Operand, operands, y);
  if (op === OP_GIVEN) {
    const locals = reader.locals.slice(0, reader.slots);
    return (slot, g) => rules.times(g as Operand, locals[slot]);
  }
  const rule = recorder.customRules.get(id)!;
  // the cotangent that came last and what it gave; a Map with a traced key would be taken for the user's, and a cut be told
  let last: Operand | null = null;
  let all: readonly Operand[] = [];
  return (slot, given) => {
    const g = given as Operand;
    if (last !== g) {
      // arithmetic in the rule stands where the rule says, in the group of this sweep
      const outer = { site: call.site, scope: call.scope };
      call.site = site;
      call.scope = { row: () => rules.scope };
      try {
        all = tracedVjp(recorder, rule, g, operands, y, site, "differentiation inside a graph");
      } finally {
        call.site = outer.site;
        call.scope = outer.scope;
      }
      last = g;
    }
    return all[slot];
  };
}

/**
 * Cotangents of the inputs, one a copied node, 0 where nothing arrived.
 *
 * @param seeds output cotangent by node, of the node's shape
 */
export function recordedReverse(
  run: NestedRun,
  seeds: ReadonlyMap<number, ArrayOperand>,
  region: ScopeHandle,
): ArrayOperand[] {
  const { recorder, first, copies, end, depends } = run;
  const reader = new NodeReader(recorder.tape);
  const rules = new Placed(run, region);
  const cotangents = new Map(seeds);
  for (let id = end - 1; id >= first + copies; id--) {
    const g = cotangents.get(id);
    if (g === undefined) continue;
    cotangents.delete(id);
    reader.read(id);
    if (reader.slots === 0) continue;
    const { slots } = reader;
    const references = reader.references.slice(0, slots);
    rules.at(reader.site);
    const hand = handOf(run, rules, reader, id);
    for (let slot = 0; slot < slots; slot++) {
      const to = references[slot];
      if (to < first || depends[to - first] === 0) continue;
      const part = hand(slot, g);
      if (part === null) continue;
      const before = cotangents.get(to);
      cotangents.set(to, before === undefined ? part : rules.sum(before, part));
    }
  }
  return Array.from({ length: copies }, (_, i) => {
    const array = recorder.tape.arrays.valueOf(first + i);
    const zero = array === null ? 0 : new Tensor(filled(array.shape, 0));
    return fresh(run, cotangents.get(first + i) ?? zero);
  });
}

/**
 * Tangents of the nodes, by a function of the node (null for -1 and where no direction arrives).
 *
 * @param given tangent by input node
 */
export function recordedForward(
  run: NestedRun,
  given: ReadonlyMap<number, ArrayOperand>,
  region: ScopeHandle,
): (node: number) => ArrayOperand | null {
  const { recorder, first, copies, end, depends } = run;
  const reader = new NodeReader(recorder.tape);
  const rules = new Placed(run, region);
  const tangents = new Map(given);
  for (let id = first + copies; id < end; id++) {
    if (depends[id - first] === 0) continue;
    reader.read(id);
    const { slots } = reader;
    const references = reader.references.slice(0, slots);
    if (!references.some((from) => from >= first && tangents.has(from))) continue;
    rules.at(reader.site);
    let sum: ArrayOperand | null = null;
    if (reader.op === OP_CUSTOM) sum = customTangent(run, rules, reader, id, references, tangents);
    else if (reader.op === OP_ARRAY) sum = arrayTangent(run, rules, reader, id, references, tangents);
    else {
      const hand = handOf(run, rules, reader, id);
      for (let slot = 0; slot < slots; slot++) {
        const t = references[slot] < first ? undefined : tangents.get(references[slot]);
        // a scalar primitive's pull is linear in its first argument, so it is the push as well
        const part = t === undefined ? null : hand(slot, t);
        if (part !== null) sum = sum === null ? part : rules.sum(sum, part);
      }
    }
    if (sum !== null) tangents.set(id, sum);
  }
  return (node) => {
    const tangent = node < 0 ? undefined : tangents.get(node);
    return tangent === undefined ? null : fresh(run, tangent);
  };
}

/** An operation of the array table by its forward rule. */
function arrayTangent(
  run: NestedRun,
  rules: Placed,
  reader: NodeReader,
  id: number,
  references: readonly number[],
  tangents: ReadonlyMap<number, ArrayOperand>,
): ArrayOperand | null {
  const { tape } = run.recorder;
  const { op, params } = tape.arrays.get(id)!;
  const given = references.map((from) => (from < run.first ? null : (tangents.get(from) ?? null)));
  return placed(reader.site, () =>
    rules.arrays.row(op!).jvp(rules.arrays, given, reader.operands(), handleOf(tape, id), params),
  );
}

/** A user's operation by its reverse rule for cotangent 1: its local derivatives. */
function customTangent(
  run: NestedRun,
  rules: Placed,
  reader: NodeReader,
  id: number,
  references: readonly number[],
  tangents: ReadonlyMap<number, ArrayOperand>,
): Operand | null {
  const hand = handOf(run, rules, reader, id);
  let sum: Operand | null = null;
  references.forEach((from, slot) => {
    const t = from < run.first ? undefined : tangents.get(from);
    const local = t === undefined ? null : hand(slot, 1);
    const part = local === null ? null : rules.times(t as Operand, local as Operand);
    if (part !== null) sum = sum === null ? part : rules.add(sum, part);
  });
  return sum;
}

/** A handle of its own for an answer, so that the variable it is assigned to names the node. */
function fresh(run: NestedRun, x: ArrayOperand): ArrayOperand {
  const { tape } = run.recorder;
  if (isTensor(x)) return Tensor.tape(x) === null ? x : handleOf(tape, Tensor.id(x));
  return isTraced(x) ? handleOf(tape, idOf(x)) : x;
}
