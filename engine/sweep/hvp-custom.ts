/**
 * The derivative of a user's own reverse rule. The rule is called once with traced numbers on a tape of its own, and
 * tangents are sent through what it recorded; so it needs no second rule, and no differences are taken. A rule that loses
 * its arguments on the way (an index, a typed array, code that was not loaded) is refused, because the part lost would be
 * a silent zero.
 */
import { Recorder, withRecorder, type CustomRule } from "../ops/recorder.js";
import { call } from "../tape/callsite.js";
import { Tape } from "../tape/tape.js";
import { idOf, isTraced, NOT_LOADED, type Operand } from "../tape/traced.js";
import { BacksweepError } from "../trace/failure.js";
import { flatten } from "./flat.js";
import { MOVES, pushForward, slopesOf } from "./slopes.js";

/** Number of times values were cut from their gradient path so far. */
function cuts(recorder: Recorder): number {
  let sum = recorder.notesDropped;
  for (const note of recorder.notes) if (note.code === "cut") sum += note.count;
  return sum;
}

/**
 * Calls a rule's `vjp` with operands that may be traced, in the active recording.
 *
 * @param needs what asks for it, for the message: "a Hessian-vector product"
 * @throws BacksweepError `no-rule` naming the operation, at its place, where derivatives would get lost
 */
export function tracedVjp(
  recorder: Recorder,
  rule: CustomRule,
  g: Operand,
  operands: readonly Operand[],
  output: Operand,
  site: number,
  needs: string,
): readonly Operand[] {
  const before = cuts(recorder);
  let result: readonly Operand[];
  try {
    result = rule.tracedVjp(g, operands, output);
  } catch (error) {
    if (!(error instanceof TypeError) || error.message !== NOT_LOADED) throw error;
    throw refused(rule, needs, "it does plain arithmetic in a file that was not loaded by Backsweep", site);
  }
  if (cuts(recorder) === before) return result;
  const text = recorder.notes.filter((note) => note.code === "cut").at(-1)?.text ?? "a value is cut off";
  throw refused(rule, needs, text, site);
}

function refused(rule: CustomRule, needs: string, why: string, site: number): BacksweepError {
  return new BacksweepError(
    "no-rule",
    `${rule.name}: ${needs} needs the derivative of its vjp, which cannot be taken: ${why}`,
    site,
  );
}

/**
 * Tangent of each contribution of a user's operation.
 *
 * @param point values and tangents of the cotangent, the output, then the operands
 */
export function customVjpTangent(
  rule: CustomRule,
  point: { readonly values: readonly number[]; readonly tangents: readonly number[] },
  site: number,
): number[] {
  const recorder = new Recorder(new Tape(), null);
  const outer = { site: call.site, scope: call.scope };
  call.scope = null;
  let contributions: readonly Operand[];
  try {
    contributions = withRecorder(recorder, () => {
      const [g, output, ...operands] = point.values.map((x, i) => recorder.input(`${i}`, x, site));
      return tracedVjp(recorder, rule, g, operands, output, site, "a Hessian-vector product");
    });
  } finally {
    call.site = outer.site;
    call.scope = outer.scope;
  }
  const flat = flatten(recorder.tape);
  const tangent = new Float64Array(flat.n);
  const reached = new Uint8Array(flat.n);
  point.tangents.forEach((t, i) => {
    tangent[i] = t;
    reached[i] = t === 0 ? 0 : MOVES;
  });
  const every = new Uint8Array(flat.n).fill(1);
  const slopes = slopesOf(flat, every, recorder.customRules);
  pushForward(flat, slopes, every, recorder.customRules, null, tangent, reached);
  return contributions.map((x) => (isTraced(x) ? tangent[idOf(x)] : 0));
}
