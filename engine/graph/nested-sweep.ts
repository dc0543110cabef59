/** The two sweeps over what an inner function recorded, themselves recorded. No recursion; tape order. */
import { OP_CUSTOM, OP_GIVEN } from "../tape/tape.js";
import { placeOf } from "../tape/sites.js";
import { call, type ScopeHandle } from "../tape/callsite.js";
import { idOf, isTraced, type Operand } from "../tape/traced.js";
import { primitives } from "../ops/table.js";
import { tracedVjp } from "../sweep/hvp-custom.js";
import { RecordedRules } from "./nested-rules.js";
import type { NestedRun } from "./nested-run.js";
import { handleOf, NodeReader } from "./nested-tape.js";

/** Title of what a sweep records for an operation: the operation's own expression behind this sign. */
const SIGN = "∂";

/** Rules that record at the place of the operation they differentiate, and say so in their name. */
class Placed extends RecordedRules {
  constructor(
    private readonly run: NestedRun,
    private readonly region: ScopeHandle,
  ) {
    super(run.recorder);
  }

  /** From now on operations belong to the derivative of what stands at `site`. */
  at(site: number): void {
    this.site = site;
    this.scope = this.region.row();
    const expression = placeOf(site)?.expression;
    const { names } = this.run.recorder;
    this.onRecorded =
      expression === undefined
        ? null
        : (made) => {
            if (isTraced(made)) names.add(idOf(made), `${SIGN} ${expression}`, 0, -1);
          };
  }
}

/** What a node hands to a slot for its cotangent `g`, or for a slot's tangent: linear in it. Null: nothing flows. */
type Hand = (slot: number, g: Operand) => Operand | null;

/** How the node that was read last hands on; for a user's operation everything is made at once. */
function handOf(run: NestedRun, rules: Placed, reader: NodeReader, id: number): Hand {
  const { recorder } = run;
  const { op, site } = reader;
  const operands = reader.operands();
  const y = handleOf(recorder.tape, id);
  if (op < primitives.length) return (slot, g) => rules.pull(op, slot, g, operands, y);
  if (op === OP_GIVEN) {
    const locals = reader.locals.slice(0, reader.slots);
    return (slot, g) => rules.times(g, locals[slot]);
  }
  const rule = recorder.customRules.get(id)!;
  const cache = new Map<Operand, readonly Operand[]>();
  return (slot, g) => {
    let all = cache.get(g);
    if (all === undefined) {
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
      cache.set(g, all);
    }
    return all[slot];
  };
}

/**
 * Cotangents of the inputs, one a number, 0 where nothing arrived.
 *
 * @param seeds output cotangent by node
 */
export function recordedReverse(
  run: NestedRun,
  seeds: ReadonlyMap<number, Operand>,
  region: ScopeHandle,
): Operand[] {
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
      cotangents.set(to, before === undefined ? part : rules.add(before, part));
    }
  }
  return Array.from({ length: copies }, (_, i) => fresh(run, cotangents.get(first + i) ?? 0));
}

/**
 * Tangents of the nodes, by a function of the node (0 for -1 and where no direction arrives).
 *
 * @param given tangent by input node
 */
export function recordedForward(
  run: NestedRun,
  given: ReadonlyMap<number, Operand>,
  region: ScopeHandle,
): (node: number) => Operand {
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
    let sum: Operand | null = null;
    if (reader.op === OP_CUSTOM) sum = customTangent(run, rules, reader, id, references, tangents);
    else {
      const hand = handOf(run, rules, reader, id);
      for (let slot = 0; slot < slots; slot++) {
        const t = references[slot] < first ? undefined : tangents.get(references[slot]);
        // a scalar primitive's pull is linear in its first argument, so it is the push as well
        const part = t === undefined ? null : hand(slot, t);
        if (part !== null) sum = sum === null ? part : rules.add(sum, part);
      }
    }
    if (sum !== null) tangents.set(id, sum);
  }
  return (node) => (node < 0 ? 0 : fresh(run, tangents.get(node) ?? 0));
}

/** A user's operation by its reverse rule for cotangent 1: its local derivatives. */
function customTangent(
  run: NestedRun,
  rules: Placed,
  reader: NodeReader,
  id: number,
  references: readonly number[],
  tangents: ReadonlyMap<number, Operand>,
): Operand | null {
  const hand = handOf(run, rules, reader, id);
  let sum: Operand | null = null;
  references.forEach((from, slot) => {
    const t = from < run.first ? undefined : tangents.get(from);
    const local = t === undefined ? null : hand(slot, 1);
    const part = local === null ? null : rules.times(t!, local);
    if (part !== null) sum = sum === null ? part : rules.add(sum, part);
  });
  return sum;
}

/** A handle of its own for an answer, so that the variable it is assigned to names the node. */
function fresh(run: NestedRun, x: Operand): Operand {
  return isTraced(x) ? handleOf(run.recorder.tape, idOf(x)) : x;
}
