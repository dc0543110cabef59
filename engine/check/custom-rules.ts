/** Every `custom` node's own rules against difference quotients of its own forward, at the operands it was recorded with. */
import type { CustomRule } from "../ops/recorder.js";
import type { Recording } from "../graph/record.js";
import { flatten, operandsOf } from "../sweep/flat.js";
import { judge, type Verdict } from "./judge.js";
import { lineQuotients, type Along, type Quotient } from "./quotients.js";
import { short } from "./short.js";

export interface CustomCheck {
  readonly name: string;
  readonly node: number;
  readonly site: number;
  /** nodes recorded at this place, all of them checked */
  readonly nodes: number;
  /** operand slot with the largest error */
  readonly slot: number;
  readonly operands: readonly number[];
  /** what the vjp hands to that slot for output cotangent 1 */
  readonly vjp: number;
  readonly quotient: Quotient | null;
  readonly verdict: Verdict;
  /** what is wrong, as a sentence; null: nothing */
  readonly message: string | null;
}

/** Most nodes that are looked at. */
const MOST = 500;
const RELATIVE = 1e-7;
/** An output cotangent that tells a rule which forgets its g. */
const OTHER_G = -1.75;

/** One entry a place in the source, a failing node standing for its place; `skipped` nodes were too many. */
export function checkCustomRules({ recorder }: Recording): { checks: CustomCheck[]; skipped: number } {
  const { customRules, tape } = recorder;
  if (customRules.size === 0) return { checks: [], skipped: 0 };
  const flat = flatten(tape);
  const places = new Map<string, CustomCheck>();
  let seen = 0;
  for (const [node, rule] of customRules) {
    if (seen++ === MOST) break;
    const key = `${rule.name}/${flat.site[node]}`;
    const before = places.get(key);
    const nodes = (before?.nodes ?? 0) + 1;
    const now = {
      ...checkRule(rule, operandsOf(flat, node), flat.value[node]),
      node,
      site: flat.site[node],
      nodes,
    };
    const keep = before !== undefined && worse(before.verdict) >= worse(now.verdict);
    places.set(key, keep ? { ...before, nodes } : now);
  }
  return { checks: [...places.values()], skipped: Math.max(0, customRules.size - MOST) };
}

function worse(verdict: Verdict): number {
  return ["zero", "kink", "unclear", "ok", "failed"].indexOf(verdict);
}

type RuleCheck = Omit<CustomCheck, "node" | "site" | "nodes">;

function checkRule(rule: CustomRule, operands: readonly number[], output: number): RuleCheck {
  const pulled = rule.vjp(1, operands, output);
  const scaled = rule.vjp(OTHER_G, operands, output);
  let worst: RuleCheck | null = null;
  for (let slot = 0; slot < operands.length; slot++) {
    const now = checkSlot(rule, operands, output, slot, pulled[slot], scaled[slot]);
    if (worst === null || worse(now.verdict) > worse(worst.verdict)) worst = now;
  }
  return (
    worst ?? { name: rule.name, slot: 0, operands, vjp: 0, quotient: null, verdict: "zero", message: null }
  );
}

function checkSlot(
  rule: CustomRule,
  operands: readonly number[],
  output: number,
  slot: number,
  vjp: number,
  scaled: number,
): RuleCheck {
  const along: Along = (t) => {
    const moved = operands.map((x, i) => (i === slot ? x + t : x));
    const value = rule.forward(moved);
    return { t: moved[slot] - operands[slot], value, size: Math.abs(value), crossing: null };
  };
  const base = { value: output, size: Math.abs(output), crossing: null };
  const line = lineQuotients(along, base, operands[slot]);
  const { verdict } = judge(vjp, line, RELATIVE, 0, false);
  const quotient = line.central;
  const what = { name: rule.name, slot, operands, vjp, quotient };
  const who = operands.length === 1 ? "" : ` for operand ${slot + 1}`;
  if (verdict === "failed") {
    return {
      ...what,
      verdict,
      message: `vjp gives ${vjp}${who}, the difference quotient of its forward is ${short(quotient!)}`,
    };
  }
  if (!close(scaled, OTHER_G * vjp)) {
    return {
      ...what,
      verdict: "failed",
      message: `vjp is not linear in g: it gives ${vjp}${who} for g = 1 and ${scaled} for g = ${OTHER_G}`,
    };
  }
  const tangent = rule.jvp?.(
    operands.map((_, i) => (i === slot ? 1 : 0)),
    operands,
    output,
  );
  if (tangent !== undefined && !close(tangent, vjp)) {
    const also = verdict === "ok" ? ", which the difference quotient confirms" : "";
    return { ...what, verdict: "failed", message: `jvp gives ${tangent}${who}, vjp gives ${vjp}${also}` };
  }
  return { ...what, verdict, message: null };
}

function close(a: number, b: number): boolean {
  return Object.is(a, b) || Math.abs(a - b) <= RELATIVE * Math.max(Math.abs(a), Math.abs(b));
}
