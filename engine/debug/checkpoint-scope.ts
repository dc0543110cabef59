/** The scope of checkpoints: what is stored for the rest of the sweep, slot by slot under a schedule. */
import { Event, isStep } from "../trace/events.js";
import { nodeTitle } from "../trace/read.js";
import type { Debuggee } from "./debuggee.js";
import { listOf, named, type Children, type Variable } from "./variables.js";

/** Primals held and actions done by step, made once a sweep. */
class Counts {
  readonly stored: Int32Array;
  readonly freed: Int32Array;
  readonly replayed: Int32Array;

  constructor({ trace, timeline }: Debuggee) {
    const { kind, node, n } = trace.events;
    const { steps } = timeline;
    this.stored = new Int32Array(steps + 1);
    this.freed = new Int32Array(steps + 1);
    this.replayed = new Int32Array(steps + 1);
    for (let row = 0, step = 0; row < n; row++) {
      if (isStep[kind[row]] === 1) step++;
      if (kind[row] === Event.store) this.stored[step]++;
      else if (kind[row] === Event.free && node[row] >= 0) this.freed[step]++;
      else if (kind[row] === Event.replay) this.replayed[step]++;
    }
    for (const column of [this.stored, this.freed, this.replayed])
      for (let step = 1; step <= steps; step++) column[step] += column[step - 1];
  }
}

const counts = new WeakMap<Debuggee, Counts>();

export function checkpointVariables(debuggee: Debuggee, position: number): Children {
  let known = counts.get(debuggee);
  if (known === undefined) counts.set(debuggee, (known = new Counts(debuggee)));
  const { slots, trace } = debuggee;
  const held = known.stored[position] - known.freed[position];
  const summary: Variable[] = [
    { name: "schedule", value: trace.header.options.schedule },
    { name: "stored primals", value: String(Math.max(0, held)), type: "count" },
    { name: "freed primals", value: String(known.freed[position]), type: "count" },
    { name: "replayed operations", value: String(known.replayed[position]), type: "count" },
  ];
  const last = lastAction(debuggee, position);
  if (last !== null) summary.push({ name: "last action", value: last });
  if (slots.n === 0) return named(summary);
  const rows = listOf(slots.n, (slot) => slotVariable(debuggee, slot, position));
  return named([...summary, { name: "slots", value: `${slots.n} used by this schedule`, children: rows }]);
}

function slotVariable({ slots }: Debuggee, slot: number, position: number): Variable {
  const held = slots.at(slot, position);
  const what =
    held === undefined ? "" : held.what === "tape" ? `tape of step ${held.state}` : `state ${held.state}`;
  return {
    name: slots.title(slot),
    value: held === undefined ? "free" : `${what}, stored at step ${held.storedAtStep}`,
    evaluateName: `slot(${slot})`,
    watch: { slot },
  };
}

/** The storage action or replay that the last step was. */
function lastAction(debuggee: Debuggee, position: number): string | null {
  const { timeline, trace } = debuggee;
  if (position < 1 || !debuggee.isAction(position)) return null;
  const row = timeline.rowAt(position);
  const node = trace.events.node[row];
  const what = node < 0 ? "" : ` of ${nodeTitle(trace, node)}`;
  const names: Record<number, string> = {
    [Event.advance]: "advance",
    [Event.record]: "record",
    [Event.restore]: "restore",
    [Event.snapshot]: "snapshot",
    [Event.replay]: "replay",
    [Event.reverse]: "reverse",
    [Event.uncompute]: "uncompute",
  };
  return `${names[trace.events.kind[row]] ?? "action"}${what}`;
}
