/**
 * A recorded graph and its reverse sweep as expressions: what the sweep does with numbers is done with entries of a
 * store, in the sweep's order. Linear in the number of edges; the branches the program took are the ones differentiated.
 */
import { derivativeExpression } from "../expr/derivative.js";
import { instantiate } from "../expr/instantiate.js";
import { add, scale } from "../expr/simplify.js";
import { ExpressionStore } from "../expr/store.js";
import type { CustomRule } from "../ops/recorder.js";
import { primitives } from "../ops/table.js";
import { operandsOf, type FlatTape } from "../sweep/flat.js";
import type { Seed } from "../sweep/reverse.js";
import { OP_ARRAY, OP_CUSTOM, OP_CUT, OP_GIVEN, OP_INPUT } from "../tape/tape.js";
import { BacksweepError } from "../trace/failure.js";

export interface Symbolic {
  readonly store: ExpressionStore;
  /** entry of each active node, -1 for the others */
  readonly node: Int32Array;
  /** entry of the derivative of the weighted sum of outputs in each node; -1: it is 0 */
  readonly cotangent: Int32Array;
  /** first entry that belongs to the sweep alone */
  readonly reverse: number;
}

/**
 * Builds both sweeps.
 *
 * @param order active nodes in the order of the reverse sweep
 * @throws BacksweepError `definition` at the first array operation: its derivative is no expression of numbers
 */
export function symbolicSweep(
  flat: FlatTape,
  active: Uint8Array,
  order: Int32Array,
  seeds: readonly Seed[],
  customRules: ReadonlyMap<number, CustomRule>,
  nameOf: (node: number) => string | null,
): Symbolic {
  const store = new ExpressionStore(flat.n + 2 * flat.edgeFrom.length);
  const node = new Int32Array(flat.n).fill(-1);
  for (let v = 0; v < flat.n; v++) {
    if (active[v] === 1) node[v] = primalEntry(store, flat, v, node, customRules, nameOf);
  }
  store.number(0);
  const reverse = store.size;
  store.frozen = reverse;
  const cotangent = new Int32Array(flat.n).fill(-1);
  for (const seed of seeds) {
    if (seed.cotangent !== 0) cotangent[seed.node] = store.number(seed.cotangent);
  }
  for (const v of order) {
    const g = cotangent[v];
    const first = flat.edgeStart[v];
    const end = flat.edgeStart[v + 1];
    if (g < 0 || first === end) continue;
    const locals = localEntries(store, flat, v, node, customRules);
    for (let e = first; e < end; e++) {
      const term = scale(store, g, locals(flat.edgeSlot[e]));
      if (store.numberOf(term) === 0) continue;
      const p = flat.edgeFrom[e];
      cotangent[p] = cotangent[p] < 0 ? term : add(store, cotangent[p], term);
    }
  }
  return { store, node, cotangent, reverse };
}

/** Entries of a node's operands in slot order. */
function operandEntries(store: ExpressionStore, flat: FlatTape, v: number, node: Int32Array): number[] {
  const out: number[] = [];
  for (let k = flat.operandStart[v]; k < flat.operandStart[v + 1]; k++) {
    const reference = flat.operand[k];
    out.push(reference >= 0 ? node[reference] : store.number(flat.constants[~reference]));
  }
  return out;
}

/** The program's own operations stand as they are, not simplified. */
function primalEntry(
  store: ExpressionStore,
  flat: FlatTape,
  v: number,
  node: Int32Array,
  customRules: ReadonlyMap<number, CustomRule>,
  nameOf: (node: number) => string | null,
): number {
  const op = flat.op[v];
  if (op < primitives.length) {
    const [a, b, c] = operandEntries(store, flat, v, node);
    return store.node(op, a, b, c);
  }
  switch (op) {
    case OP_INPUT:
      return store.symbol(nameOf(v) ?? `#${v}`, flat.value[v]);
    case OP_CUT:
      return store.symbol(nameOf(v) ?? `cut#${v}`, flat.value[v]);
    case OP_CUSTOM:
      return store.opaque(customRules.get(v)!.name, operandEntries(store, flat, v, node), flat.value[v]);
    case OP_GIVEN:
      return store.opaque("given", operandEntries(store, flat, v, node), flat.value[v]);
    default:
      throw new BacksweepError(
        "definition",
        op === OP_ARRAY
          ? "expr writes derivatives of scalar operations; this one is on arrays"
          : `opcode ${op} has no derivative as an expression`,
        flat.site[v],
      );
  }
}

/** Local derivatives of a node as entries, by slot. */
function localEntries(
  store: ExpressionStore,
  flat: FlatTape,
  v: number,
  node: Int32Array,
  customRules: ReadonlyMap<number, CustomRule>,
): (slot: number) => number {
  const op = flat.op[v];
  if (op === OP_GIVEN) return (slot) => store.number(flat.givenLocal![flat.operandStart[v] + slot]);
  const operands = operandEntries(store, flat, v, node);
  if (op === OP_CUSTOM) {
    const { name, vjp } = customRules.get(v)!;
    const values = vjp(1, operandsOf(flat, v), flat.value[v]);
    const mark = (slot: number): string => (operands.length === 1 ? `${name}'` : `${name}'${slot}`);
    return (slot) => store.opaque(mark(slot), operands, values[slot]);
  }
  const { name } = primitives[op];
  return (slot) => instantiate(store, derivativeExpression(name, slot), operands, node[v]);
}
