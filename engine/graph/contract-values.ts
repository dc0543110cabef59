/**
 * The replay contract by value: primals as a part of the recording first computed them, numbers whole and arrays as
 * fingerprints, against what a replay leaves at the same nodes.
 */
import { fingerprint, type Fingerprint } from "../replay/hash.js";
import { numberText, type ContractPoint, type ReplayMismatch } from "../replay/mismatch.js";
import { ulpsApart } from "../sweep/spread.js";
import { placeOf } from "../tape/sites.js";
import { OP_CUSTOM, type Tape } from "../tape/tape.js";
import { codeText } from "./code-name.js";
import { about, short, ulpText, where, type Replayed } from "./contract-words.js";
import type { Kept } from "./kept.js";

/** A primal that is another. */
interface OtherValue {
  readonly node: number;
  /** null: the elements of the first run are no longer held */
  readonly before: number | null;
  readonly now: number | null;
  /** of an array; -1 a number, or unknown */
  readonly element: number;
}

/** Primals of nodes first .. end - 1 of a tape, as they were when this was made. */
export class FirstValues {
  private readonly values: Float64Array;
  private readonly arrays = new Map<number, Fingerprint>();

  constructor(
    private readonly tape: Tape,
    private readonly first: number,
    end: number,
  ) {
    this.values = new Float64Array(end - first);
    for (let v = first; v < end; v++) {
      const array = tape.arrays.valueOf(v);
      if (array === null) this.values[v - first] = tape.valueAt(v);
      else this.arrays.set(v, fingerprint(array.data));
    }
  }

  /**
   * The first of nodes `from` to `end` - 1 whose primal on the tape is another now; null: none.
   *
   * @param kept elements of the first run as far as views hold them
   */
  other(from: number, end: number, kept: (node: number) => Kept | undefined): OtherValue | null {
    const { tape } = this;
    for (let node = from; node < end; node++) {
      const print = this.arrays.get(node);
      if (print === undefined) {
        const now = tape.valueAt(node);
        const before = this.values[node - this.first];
        if (!Object.is(now, before)) return { node, before, now, element: -1 };
        continue;
      }
      const array = tape.arrays.valueOf(node);
      const now = array === null ? null : fingerprint(array.data);
      if (now !== null && now[0] === print[0] && now[1] === print[1]) continue;
      const elements = kept(node)?.data ?? [];
      let i = 0;
      while (i < elements.length && Object.is(elements[i], array?.data[i])) i++;
      return i < elements.length && array !== null
        ? { node, before: elements[i], now: array.data[i], element: i }
        : { node, before: null, now: null, element: -1 };
    }
    return null;
  }
}

/**
 * The mismatch about a primal.
 *
 * @param rounded the replay rounds to another format than the first run
 */
export function valueMismatch(
  what: Replayed,
  tape: Tape,
  { node, before, now, element }: OtherValue,
  rounded: boolean,
): ReplayMismatch {
  const site = tape.siteAt(node);
  const expression = placeOf(site)?.expression;
  const code = codeText(tape, node);
  const named = expression === undefined ? `${code} (node ${node})` : `"${short(expression)}"`;
  const ulps = before === null || now === null ? null : ulpsApart(now, before, "f64");
  const values =
    before === null || now === null
      ? "its elements are others; the first run's are no longer held"
      : `${numberText(now)}, in the first run ${numberText(before)} (${ulpText(ulps!)})`;
  return {
    ...about(what, pointOf(tape, node, rounded), node, site),
    message: `the replay of ${where(what)} computes another value: ${element < 0 ? "" : `element ${element} of `}${named}: ${values}`,
    first: before,
    replay: now,
    ulps,
    index: element,
  };
}

/** An operation of the engine's gives the same for the same operands; a rule of the user's may look elsewhere. */
function pointOf(tape: Tape, node: number, rounded: boolean): ContractPoint {
  if (rounded) return "format";
  return tape.opAt(node) === OP_CUSTOM ? "state" : "write";
}
