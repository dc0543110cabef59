/**
 * Local derivatives for sweeps that go over one recording more than once: computed once, then multiplied with. Where a
 * multiplication would not do what the slot's own rule does (a piece not taken hands on exactly 0, a slope out of range
 * hides a finite product), the edge is marked and the rule is called each time.
 */
import type { Rounder } from "../ops/dtype.js";
import type { CustomRule } from "../ops/recorder.js";
import { primitives } from "../ops/table.js";
import { BacksweepError } from "../trace/failure.js";
import { OP_CUSTOM, OP_CUT, OP_GIVEN, OP_INPUT } from "../tape/tape.js";
import { operandsOf, operandValue, type FlatTape } from "./flat.js";

export interface Slopes {
  /** local derivative by edge, of active consumers */
  readonly local: Float64Array;
  /** ASK where the slot's own rule (`pullAgain`) is asked instead, NOTHING where the slot hands nothing on */
  readonly exact: Uint8Array;
}

export const ASK = 1;
export const NOTHING = 2;

const SMALLEST_NORMAL = 2.2250738585072014e-308;

/**
 * The local derivative of a slot that reads nothing is a constant (1, -1 or 0), found once by calling its rule. NaN: the
 * rule must be called each time. Entry 3 * opcode + slot.
 */
const CONSTANT = new Float64Array(3 * primitives.length).fill(NaN);
/** 1 for slots with a rule of their own. */
const PULLS = new Uint8Array(3 * primitives.length);
primitives.forEach((row, op) => {
  row.saves.forEach((saved, slot) => {
    if (saved.length === 0) CONSTANT[3 * op + slot] = row.local[slot](1, 1, 1, 1);
    if (row.vjp?.[slot] !== undefined) PULLS[3 * op + slot] = 1;
  });
});

/**
 * Slopes of every edge into an active node.
 *
 * @throws BacksweepError `no-rule` for an opcode without a derivative rule
 */
export function slopesOf(
  flat: FlatTape,
  active: Uint8Array,
  customRules: ReadonlyMap<number, CustomRule>,
): Slopes {
  const local = new Float64Array(flat.edgeFrom.length);
  const exact = new Uint8Array(flat.edgeFrom.length);
  for (let v = 0; v < flat.n; v++) {
    const first = flat.edgeStart[v];
    const end = flat.edgeStart[v + 1];
    if (first === end || active[v] === 0) continue;
    const op = flat.op[v];
    if (op >= primitives.length) {
      if (op === OP_CUT || op === OP_INPUT) continue;
      besideTable(flat, v, customRules, local);
      continue;
    }
    const row = primitives[op];
    const at = flat.operandStart[v];
    const a = operandValue(flat, flat.operand[at]);
    const b = row.arity > 1 ? operandValue(flat, flat.operand[at + 1]) : 0;
    const c = row.arity > 2 ? operandValue(flat, flat.operand[at + 2]) : 0;
    const y = flat.value[v];
    for (let e = first; e < end; e++) {
      const slot = flat.edgeSlot[e];
      const constant = CONSTANT[3 * op + slot];
      if (constant === constant) {
        local[e] = constant;
        // nothing flows here, of an infinite cotangent neither
        if (constant === 0) exact[e] = NOTHING;
        continue;
      }
      const slope = (local[e] = row.local[slot](a, b, c, y));
      if (PULLS[3 * op + slot] === 1) {
        const size = Math.abs(slope);
        if (!(size >= SMALLEST_NORMAL && size < Infinity)) exact[e] = ASK;
      }
    }
  }
  return { local, exact };
}

function besideTable(
  flat: FlatTape,
  v: number,
  customRules: ReadonlyMap<number, CustomRule>,
  local: Float64Array,
): void {
  const op = flat.op[v];
  const first = flat.edgeStart[v];
  const end = flat.edgeStart[v + 1];
  if (op === OP_GIVEN) {
    const at = flat.operandStart[v];
    for (let e = first; e < end; e++) local[e] = flat.givenLocal![at + flat.edgeSlot[e]];
  } else if (op === OP_CUSTOM) {
    const pulled = customRules.get(v)!.vjp(1, operandsOf(flat, v), flat.value[v]);
    for (let e = first; e < end; e++) local[e] = pulled[flat.edgeSlot[e]];
  } else {
    throw new BacksweepError("no-rule", `opcode ${op} has no derivative rule here`, flat.site[v]);
  }
}

/** What edge `e` of node `v` hands on for `g`, a cotangent of `v` or a tangent of the slot, by the table's own rule. */
export function pullAgain(flat: FlatTape, v: number, e: number, g: number): number {
  const op = flat.op[v];
  const row = primitives[op];
  const slot = flat.edgeSlot[e];
  const at = flat.operandStart[v];
  const a = operandValue(flat, flat.operand[at]);
  const b = row.arity > 1 ? operandValue(flat, flat.operand[at + 1]) : 0;
  const c = row.arity > 2 ? operandValue(flat, flat.operand[at + 2]) : 0;
  const pull = row.vjp?.[slot];
  return pull === undefined ? g * row.local[slot](a, b, c, flat.value[v]) : pull(g, a, b, c, flat.value[v]);
}

/** Bit of `reached`: a tangent direction reaches the node. */
export const MOVES = 1;

/**
 * Tangents forward along the tape (Griewank and Walther 2008, algorithm 3.1), of active nodes only. Zeros are structural:
 * a node that no direction reaches has no tangent, instead of a tangent 0 that an infinite slope would turn into NaN.
 *
 * @param tangent holds the direction at the inputs, 0 elsewhere; the rest is written
 * @param reached has MOVES at the inputs of the direction, which spreads
 */
export function pushForward(
  flat: FlatTape,
  { local, exact }: Slopes,
  active: Uint8Array,
  customRules: ReadonlyMap<number, CustomRule>,
  round: Rounder | null,
  tangent: Float64Array,
  reached: Uint8Array,
): void {
  const { edgeStart, edgeFrom } = flat;
  for (let v = 0; v < flat.n; v++) {
    const first = edgeStart[v];
    const end = edgeStart[v + 1];
    if (first === end || active[v] === 0) continue;
    let sum = 0;
    let moves = 0;
    for (let e = first; e < end; e++) {
      const from = edgeFrom[e];
      if ((reached[from] & MOVES) === 0 || exact[e] === NOTHING) continue;
      moves = MOVES;
      const t = tangent[from];
      const term = exact[e] === 0 ? local[e] * t : pullAgain(flat, v, e, t);
      sum = round === null ? sum + term : round(sum + round(term));
    }
    if (moves === 0) continue;
    reached[v] |= MOVES;
    const rule = flat.op[v] === OP_CUSTOM ? customRules.get(v)! : null;
    tangent[v] = rule === null || rule.jvp === null ? sum : ownTangent(flat, v, rule, tangent, round);
  }
}

/** The tangent of a user's operation that has a rule for it. */
function ownTangent(
  flat: FlatTape,
  v: number,
  rule: CustomRule,
  tangent: Float64Array,
  round: Rounder | null,
): number {
  const operands = operandsOf(flat, v);
  const tangents = operands.map(() => 0);
  for (let e = flat.edgeStart[v]; e < flat.edgeStart[v + 1]; e++) {
    tangents[flat.edgeSlot[e]] = tangent[flat.edgeFrom[e]];
  }
  const t = rule.jvp!(tangents, operands, flat.value[v]);
  return round === null ? t : round(t);
}
