/** What a checkpoint schedule does in a step, in plain words. */
import { Event } from "../../engine/trace/events.js";
import { nodeTitle } from "../../engine/trace/read.js";
import { SegmentKind, type Trace } from "../../engine/trace/trace.js";
import type { Timeline } from "../../engine/timeline/timeline.js";
import { primal } from "../../engine/report/quantity.js";
import { spoken } from "../../engine/report/text/format.js";
import type { Words } from "./sentence.js";

const plain = (text: string): Words => ({ text, kind: "plain" });
const name = (text: string): Words => ({ text, kind: "node" });
const number = (text: string): Words => ({ text, kind: "number" });

/** "step 3 of time": of a segment row */
function segmentName({ segments, strings }: Trace, row: number): string {
  const owner = segments!.owner[row];
  const of = owner < 0 ? "" : ` of ${strings[owner]}`;
  const kind = segments!.kind[row];
  const what = kind === SegmentKind.cut ? "piece" : kind === SegmentKind.coupling ? "layer" : "step";
  const step = segments!.step[row];
  return step < 0 ? `segment${of}` : `${what} ${step}${of}`;
}

/** "slot 2", "slot 1 on disk" */
function slotName({ slots }: Trace, row: number): string {
  if (slots === undefined || row < 0) return "a slot";
  return `slot ${slots.number[row]}${slots.disk[row] === 1 ? " on disk" : ""}`;
}

/** Words of a step that is neither an evaluation nor a contribution. */
export function storageWords(timeline: Timeline, position: number): Words[] {
  const { trace } = timeline;
  const row = timeline.rowAt(position);
  const { events } = trace;
  const kind = events.kind[row];
  const node = events.node[row];
  const [a, b] = [events.a?.[row] ?? -1, events.b?.[row] ?? -1];
  const again = position > timeline.forwardSteps;
  const segment = (): Words => name(a < 0 || trace.segments === undefined ? "a step" : segmentName(trace, a));
  const held = (capital: string): Words[] =>
    node === -2
      ? [plain(`${capital}he tape of `), name(`step ${a}`)]
      : [plain(capital === "T" ? "State " : "state "), name(String(a))];
  switch (kind) {
    case Event.advance:
      return [
        plain("Advance: "),
        segment(),
        plain(` runs${again ? " again" : ""} and nothing of it is kept.`),
      ];
    case Event.record:
      return [plain("Record: "), segment(), plain(` runs${again ? " again" : ""} and its tape is held.`)];
    case Event.reverse:
      return [plain("Reverse: the sweep comes to "), segment(), plain(".")];
    case Event.snapshot:
      return [...held("T"), plain(" is put into "), number(slotName(trace, b)), plain(".")];
    case Event.restore:
      return [...held("T"), plain(" comes back from "), number(slotName(trace, b)), plain(".")];
    case Event.uncompute:
      return b < 0
        ? [plain("Uncompute: "), segment(), plain(" runs backwards, from its result to its operands.")]
        : [
            plain("Uncompute: "),
            segment(),
            plain(" runs again, which empties "),
            number(slotName(trace, b)),
            plain("."),
          ];
    case Event.replay:
      return [
        name(nodeTitle(trace, node)),
        plain(" is computed again: "),
        number(spoken(primal(trace, node))),
        plain("."),
      ];
    default:
      return [plain(`Step ${position}: `), name(node < 0 ? "the sweep" : nodeTitle(trace, node)), plain(".")];
  }
}

/** What stands over the scrub bar's thumb: "state 4 into slot 2"; "" where nothing is stored or restored. */
export function storageMark(timeline: Timeline, position: number): string {
  if (position < 1 || position > timeline.steps) return "";
  const { events } = timeline.trace;
  const row = timeline.rowAt(position);
  const kind = events.kind[row];
  if (kind !== Event.snapshot && kind !== Event.restore) return "";
  const what = `${events.node[row] === -2 ? "tape" : "state"} ${events.a?.[row] ?? 0}`;
  const slot = slotName(timeline.trace, events.b?.[row] ?? -1);
  return kind === Event.snapshot ? `${what} into ${slot}` : `${what} from ${slot}`;
}
