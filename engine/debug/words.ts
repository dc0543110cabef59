/** What a stop says: what has just happened where it matters, and what will happen next. */
import { overwrites } from "../report/overwrites.js";
import { contribution, primal, seed, type Quantity } from "../report/quantity.js";
import { short, spoken } from "../report/text/format.js";
import { Event, eventKinds } from "../trace/events.js";
import { nodeExpression, nodeName, nodeTitle } from "../trace/read.js";
import { contributionRows } from "./contributions.js";
import type { Debuggee } from "./debuggee.js";
import { segmentsOf } from "./segments.js";

/** "b hands 18 to a: running sum 18 of 42" */
export function nextWords(debuggee: Debuggee, position: number): string {
  const { timeline, trace } = debuggee;
  const step = position + 1;
  if (step > timeline.steps) return endWords(debuggee);
  const begins = position === timeline.forwardSteps && trace.header.complete ? beginning(debuggee) : "";
  if (debuggee.isEvaluation(step)) return evaluationWords(debuggee, timeline.nodeAt(step));
  if (debuggee.isContribution(step)) return begins + contributionWords(debuggee, step);
  return begins + actionWords(debuggee, step);
}

function endWords({ trace }: Debuggee): string {
  if (!trace.header.complete) return "The recording ends here; continue ends the session";
  return "The sweep is over; continue ends the session";
}

function beginning({ timeline, outputs, trace }: Debuggee): string {
  const seeded = [...outputs].filter((node) => timeline.seed(node) !== undefined);
  const list = seeded
    .slice(0, 3)
    .map((node) => `bar(${nodeTitle(trace, node)}) = ${short(seed(timeline, node))}`)
    .join(", ");
  return `The sweep starts with ${list}${seeded.length > 3 ? ", ..." : ""}; `;
}

function evaluationWords({ trace }: Debuggee, node: number): string {
  const name = nodeName(trace, node);
  const value = spoken(primal(trace, node));
  return `${name === null ? "" : `${name} = `}${nodeExpression(trace, node)} evaluates to ${value}`;
}

/** "b hands 18 to a: running sum 18 of 42" */
function contributionWords({ timeline, trace, running }: Debuggee, step: number): string {
  const edge = timeline.edgeAt(step);
  const node = trace.edges.from[edge];
  const child = nodeTitle(trace, trace.edges.to[edge]);
  const title = nodeTitle(trace, node);
  const value = contribution(timeline, edge);
  if (value === undefined) return `${child} hands nothing to ${title}`;
  const count = timeline.arrived(node, step);
  const hands = `${child} hands ${spoken(value)} to ${title}`;
  const before = count > 1 ? running.after(node, count - 1, step - 1) : seed(timeline, node);
  if (overwrites(trace, node) && before !== undefined)
    return `${hands}, which overwrites ${spoken(before)}: it is lost`;
  const whole = running.after(node, timeline.slots(node), timeline.steps);
  const final = running.at(node, timeline.steps) ?? whole;
  return `${hands}: running sum ${spoken(running.after(node, count, step))} of ${spoken(final)}`;
}

/** A storage action or a replay. */
function actionWords({ timeline, trace, slots }: Debuggee, step: number): string {
  const row = timeline.rowAt(step);
  const { kind, node: nodes, a, b } = trace.events;
  const node = nodes[row];
  const held =
    a === undefined || a[row] < 0
      ? "a state"
      : node === -2
        ? `the tape of step ${a[row]}`
        : `state ${a[row]}`;
  const slot = slots.title(b?.[row] ?? -1);
  const segment = segmentsOf(trace)?.title(row) ?? "a segment";
  switch (kind[row]) {
    case Event.replay:
      return `${nodeTitle(trace, node)} is replayed: ${replayed(trace, row, node)}`;
    case Event.advance:
      return `${segment} advances: it is run, and nothing of it is kept`;
    case Event.record:
      return `${segment} is recorded: it is run, and its tape is kept`;
    case Event.reverse:
      return `the cotangent is pulled back through ${segment}`;
    case Event.uncompute:
      return `${segment} is run backwards, which takes away the state behind it${(b?.[row] ?? -1) < 0 ? "" : `: ${slot} is free`}`;
    case Event.snapshot:
      return `${held} is stored in ${slot}`;
    case Event.restore:
      return `${held} is restored from ${slot}`;
    default:
      return `${eventKinds[kind[row]]}${node < 0 ? "" : ` of ${nodeTitle(trace, node)}`}`;
  }
}

function replayed(trace: Debuggee["trace"], row: number, node: number): string {
  const first = primal(trace, node);
  const again = trace.events.value[row] < 0 ? undefined : trace.values.mean[trace.events.value[row]];
  if (again === undefined || typeof first !== "number" || Object.is(first, again)) return spoken(first);
  return `${short(again)}, where it was ${short(first)}`;
}

/** What is true of the node in focus now: "a is final: 18 + 24 = 42"; "" where there is nothing to say. */
export function focusWords(debuggee: Debuggee, position: number, focus: number): string {
  const { timeline, trace, running } = debuggee;
  if (focus < 0 || position < timeline.forwardSteps || !trace.header.complete) return "";
  const title = nodeTitle(trace, focus);
  const sum = running.at(focus, position);
  if (sum === undefined) return "";
  const arrived = timeline.arrived(focus, position);
  const slots = timeline.slots(focus);
  const text = sumWords(debuggee, focus, position, arrived, sum);
  if (timeline.isFinal(focus, position)) return `${title} is final: ${text}`;
  return `${title} has ${text}, ${arrived} of ${slots} paid`;
}

/** "18 + 24 = 42" of few terms, else the sum alone. */
function sumWords(
  debuggee: Debuggee,
  node: number,
  position: number,
  arrived: number,
  sum: Quantity,
): string {
  if (debuggee.given.has(node) && debuggee.timeline.isFinal(node, position))
    return `${spoken(sum)}, given instead of ${spoken(debuggee.running.after(node, arrived, position))}`;
  const few = arrived > 1 && arrived <= 4 && typeof sum === "number" && !overwrites(debuggee.trace, node);
  if (!few) return spoken(sum);
  const seeded = seed(debuggee.timeline, node, position);
  const values = contributionRows(debuggee, node, position, 0, arrived).map((row) => row.value);
  const list = [...(seeded === undefined ? [] : [seeded]), ...values];
  return `${list.map((value, i) => signed(value, i)).join(" ")} = ${short(sum)}`;
}

function signed(value: Quantity | undefined, index: number): string {
  const text = short(value);
  if (index === 0) return text;
  return text.startsWith("-") ? `- ${text.slice(1)}` : `+ ${text}`;
}
