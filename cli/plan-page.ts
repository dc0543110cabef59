/** `plan` for a person. */
import type { Action } from "../engine/checkpoint/actions.js";
import { describeAction } from "../engine/checkpoint/count.js";
import type { Plan } from "../engine/checkpoint/plan.js";
import type { BlockRow, BlockSweep, DepthRow, DepthSweep } from "../engine/checkpoint/sweep-block.js";
import { blockFigure } from "./plan-figure.js";
import type { PlanSections } from "./plan-sections.js";
import { alignColumns, count, show, type Style } from "./style.js";
import { wrapped } from "./usage.js";

const WIDTH = 100;
/** Rows of the tables; `--json` has all. */
const MOST_BLOCKS = 64;

export function* planPage({ plan, actions, blocks, depths }: PlanSections, style: Style): Generator<string> {
  let gap = "";
  if (plan !== null) {
    yield* counts(plan, style);
    gap = "\n";
  }
  if (actions !== null) {
    yield gap;
    yield* actionList(actions, style);
    gap = "\n";
  }
  if (blocks !== null) {
    yield gap;
    yield* blockTable(blocks, style);
    gap = "\n";
  }
  if (depths !== null) {
    yield gap;
    yield* depthTable(depths, style);
  }
}

const number = (value: number | bigint): string => value.toLocaleString("en-US");

function* counts(
  { schedule, steps, countedBy, model, executed, remarks }: Plan,
  style: Style,
): Generator<string> {
  yield `${style.bold(schedule)}  ${count(steps, "step")}\n\n`;
  const row = (name: string, value: number | bigint, modelled: number | null = null): string[] => [
    name,
    modelled === null ? "-" : number(modelled),
    number(value),
  ];
  const onDisk = executed.diskReads > 0 || executed.diskWrites > 0;
  const rows = [
    ["", "model", "executed"],
    row("peak states", executed.peakStates, model?.peakStates),
    row("peak tapes", executed.peakTapes),
    row("peak slots", executed.peakSlots),
    ...(onDisk ? [row("  of them on disk", executed.peakDiskSlots)] : []),
    row("advances", executed.advances),
    row("records", executed.records),
    ...(executed.uncomputes > 0 ? [row("uncomputes", executed.uncomputes)] : []),
    row("total forwards", executed.totalForwards, model === null ? null : steps + model.replays),
    row("extra forwards", executed.extraForwards, model?.replays),
    row("replays", executed.replays, model?.replays),
    row("reads", executed.reads),
    ...(onDisk ? [row("  of them from disk", executed.diskReads)] : []),
    row("writes", executed.writes),
    ...(onDisk ? [row("  of them to disk", executed.diskWrites)] : []),
  ];
  const shown = model === null ? rows.map(([name, , value]) => [name, value]) : rows;
  yield* table(shown, style);
  yield style.dim(
    countedBy === "stream"
      ? "\n  executed: counted by running the schedule's actions, each checked\n"
      : "\n  executed: counted in closed form, the stream being too long to run\n",
  );
  if (remarks.length > 0) yield "\n";
  for (const remark of remarks) {
    const [first, ...others] = wrapped(remark, WIDTH);
    yield `- ${first}\n`;
    for (const line of others) yield `  ${line}\n`;
  }
}

/** Numbers to the right, the first column to the left. */
function* table(rows: readonly (readonly string[])[], style: Style): Generator<string> {
  const right = rows[0].map((_, i) => i > 0);
  for (const [i, cells] of alignColumns(rows, right).entries()) {
    const line = `  ${cells.join("   ")}`.trimEnd();
    yield `${i === 0 ? style.dim(line) : line}\n`;
  }
}

function* actionList(actions: Iterable<Action>, style: Style): Generator<string> {
  yield `${style.bold("Actions")}\n`;
  let index = 0;
  for (const action of actions) yield `  ${String(++index).padStart(6)}  ${describeAction(action)}\n`;
}

function* blockTable(sweep: BlockSweep, style: Style): Generator<string> {
  const { steps, rows, best, storeAll } = sweep;
  yield `${style.bold(`Block lengths 1 to ${steps}`)}  uniform:k on ${count(steps, "step")}\n\n`;
  yield* blockFigure(sweep);
  yield style.dim(
    `  M peak states, R extra forward evaluations, O the best block length (all count model); store-all keeps ${number(storeAll)}\n\n`,
  );
  const listed = rows.length <= MOST_BLOCKS ? rows : chosenBlocks(rows, best.ties);
  const work = (forwards: number): string => (forwards / steps).toFixed(2);
  const body = listed.map(({ blockSize, model, executed }) => [
    `${best.ties.includes(blockSize) ? "*" : " "}${blockSize}`,
    number(model.peakStates),
    number(model.replays),
    work(steps + model.replays),
    number(executed.peakStates),
    number(executed.replays),
    number(executed.totalForwards),
    work(executed.totalForwards),
  ]);
  const head = ["k", "model M(k)", "R(k)", "work/n", "executed states", "replays", "forwards", "work/n"];
  yield* table([head, ...body], style);
  if (listed.length < rows.length)
    yield style.dim(`  ${number(listed.length)} of ${number(rows.length)} lengths (--json has all)\n`);
  const lines = [
    `Best: k = ${best.ties.join(", ")}${best.ties.length > 1 ? ` (${best.blockSize} is taken)` : ""}; M = ${best.peakStateUnits} states against ${storeAll} of store-all, R = ${best.recomputedForwardEvaluations}. sqrt ${steps} = ${show(Number(best.squareRoot.toPrecision(6)))}.`,
    `The square-root rule says "about 2x the compute": the model's work/n is 2 - 1/k, ${work(steps + best.recomputedForwardEvaluations)} at the best k; a run that records every step before its reversal needs more. ` +
      "The rule's cost c + n/c is M(k) with c = n/k, checkpoints plus one block; its \"extra compute n/c\" is one block's, and over a sweep all c blocks are run again: R(k) = n - n/k.",
  ];
  yield "\n";
  for (const line of lines.flatMap((text) => wrapped(text, WIDTH))) yield `${line}\n`;
}

/** Of many lengths: 1, 2, 4, ..., the best ones and their neighbours, the whole chain. */
function chosenBlocks(rows: readonly BlockRow[], ties: readonly number[]): BlockRow[] {
  const chosen = new Set<number>([rows.length]);
  for (let k = 1; k <= rows.length; k *= 2) chosen.add(k);
  for (const k of ties) for (const near of [k - 1, k, k + 1]) chosen.add(near);
  return rows.filter(({ blockSize }) => chosen.has(blockSize));
}

function* depthTable(sweep: DepthSweep, style: Style): Generator<string> {
  const { from, to, rows, roundedIsBest, worstRounded, farthest } = sweep;
  yield `${style.bold(`Best block length of every depth from ${from} to ${to}`)}  count model\n\n`;
  const listed = chosenDepths(rows);
  const body = listed.map((row) => [
    number(row.depth),
    row.squareRoot.toFixed(2),
    row.ties.length > 1 ? `${row.ties[0]}..${row.ties.at(-1)!}` : String(row.blockSize),
    number(row.peakStateUnits),
    (2 * row.squareRoot).toFixed(2),
    number(row.recomputedForwardEvaluations),
    number(row.depth + 1),
  ]);
  yield* table([["L", "sqrt L", "best k", "M(k)", "2 sqrt L", "R(k)", "store-all"], ...body], style);
  if (listed.length < rows.length)
    yield style.dim(`  ${number(listed.length)} of ${number(rows.length)} depths (--json has all)\n`);
  yield "\n";
  const lines = [
    `Of ${count(rows.length, "depth")}, sqrt L rounded to a whole length is a best one at ${number(roundedIsBest)}` +
      (worstRounded.states === 0
        ? "."
        : `; elsewhere it costs up to ${worstRounded.states} states more (L = ${worstRounded.depth}).`),
    `The best peak is never less than 2 sqrt L, and at most ${farthest.states.toFixed(2)} states above it (L = ${farthest.depth}). a..b: first and last of several best lengths; R(k) is that of the smallest.`,
  ];
  for (const line of lines.flatMap((text) => wrapped(text, WIDTH))) yield `${line}\n`;
}

/** All of a few; of many the first, the last, the powers of two and the squares of powers of ten. */
function chosenDepths(rows: readonly DepthRow[]): DepthRow[] {
  if (rows.length <= MOST_BLOCKS) return [...rows];
  const wanted = (depth: number): boolean =>
    Number.isInteger(Math.log2(depth)) || Number.isInteger(Math.log10(depth));
  return rows.filter(({ depth }, i) => i === 0 || i === rows.length - 1 || wanted(depth));
}
