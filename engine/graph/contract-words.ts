/** How the replay contract words its findings. */
import type { Recorder } from "../ops/recorder.js";
import { numberText, type ContractPoint, type ReplayMismatch } from "../replay/mismatch.js";
import type { OutsideDraw } from "../tape/outside.js";
import { placeOf } from "../tape/sites.js";
import { SegmentKind } from "../trace/trace.js";

/** What was replayed, and how it is called. */
export interface Replayed {
  readonly region: { readonly name: string; readonly kind: SegmentKind };
  /** from 0; -1: a node by itself */
  readonly step: number;
  /** the function of a coupling layer that its inverse evaluated */
  readonly inverse?: "f" | "g";
}

/** "chain, step 3" */
export function where({ region, step, inverse }: Replayed): string {
  if (inverse !== undefined) return `${region.name}, ${inverse} of layer ${step}`;
  return region.kind === SegmentKind.checkpoint || step < 0 ? region.name : `${region.name}, step ${step}`;
}

/** A mismatch about a place, without its message; values and distances unknown. */
export function about(
  { region, step }: Replayed,
  point: ContractPoint,
  node: number,
  site: number,
): Omit<ReplayMismatch, "message"> {
  return { point, region: region.name, step, node, site, first: null, replay: null, ulps: null, index: -1 };
}

/** What a draw gave, null where that was no number. */
export const numberOf = (draw: OutsideDraw | undefined): number | null =>
  draw === undefined || Number.isNaN(draw.value) ? null : draw.value;

export function ulpText(ulps: number): string {
  if (!Number.isFinite(ulps)) return "not comparable";
  return `${ulps < 1e6 ? Math.round(ulps * 100) / 100 : ulps.toExponential(2)} ULPs apart`;
}

/** An expression as written, on one line and not too long. */
export function short(expression: string): string {
  const line = expression.replace(/\s+/g, " ").trim();
  return line.length <= 80 ? line : `${line.slice(0, 77)}...`;
}

/** A recorded decision: the condition as written, and what was compared. */
export function comparison(
  { op, left, right, outcome, site }: Recorder["decisions"],
  i: number,
): { condition: string; operands: string; outcome: string; left: number } {
  const expression = placeOf(site.at(i))?.expression;
  const symbol = /^\W+$/.test(op[i]);
  const operands = symbol
    ? `${numberText(left.at(i))} ${op[i]} ${numberText(right.at(i))}`
    : `${op[i]} of ${numberText(left.at(i))}, ${numberText(right.at(i))}`;
  return {
    condition: expression === undefined ? `the condition "${op[i]}"` : `"${short(expression)}"`,
    operands,
    outcome: outcome.at(i) === 1 ? "true" : "false",
    left: left.at(i),
  };
}
