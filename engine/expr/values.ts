/** The number every entry of a store stands for: what "evaluate the symbolic derivative" means. */
import { OPCODE_LIMIT, primitives } from "../ops/table.js";
import { Op, type ExpressionStore } from "./store.js";

/**
 * Evaluates all entries by one loop, each operation once.
 *
 * @param symbols values of symbols that differ from the recorded ones, by entry; opaque functions keep theirs
 */
export function valuesOf(store: ExpressionStore, symbols?: ReadonlyMap<number, number>): Float64Array {
  const values = new Float64Array(store.size);
  for (let id = 0; id < values.length; id++) {
    const op = store.opOf(id);
    if (op === Op.number) values[id] = store.numberOf(id)!;
    else if (op === Op.symbol) values[id] = symbols?.get(id) ?? store.recordedValue(id);
    else if (op === Op.opaque) values[id] = store.recordedValue(id);
    else {
      const slots = store.arity(id);
      const a = values[store.arg(id, 0)];
      const b = slots > 1 ? values[store.arg(id, 1)] : 0;
      const c = slots > 2 ? values[store.arg(id, 2)] : 0;
      values[id] = op < OPCODE_LIMIT ? primitives[op].value(a, b, c) : decide(op, a, b, c);
    }
  }
  return values;
}

const truth = (x: number): boolean => x !== 0 && x === x;

function decide(op: number, a: number, b: number, c: number): number {
  switch (op) {
    case Op.choose:
      return truth(a) ? b : c;
    case Op.and:
      return Number(truth(a) && truth(b));
    case Op.or:
      return Number(truth(a) || truth(b));
    case Op.less:
      return Number(a < b);
    case Op.lessOrEqual:
      return Number(a <= b);
    case Op.greater:
      return Number(a > b);
    case Op.greaterOrEqual:
      return Number(a >= b);
    case Op.equal:
      return Number(a === b);
    default:
      return Number(a !== b);
  }
}
