/** The space-time diagram of what a sweep did, read off the storage events of its trace: one region of it. */
import { Event, isStep } from "../trace/events.js";
import { SegmentKind, type Trace } from "../trace/trace.js";
import { HoldFlag, SpaceTimeBuilder, type SpaceTime } from "./space-time.js";

/** A part of a graph that a schedule can be chosen for. */
export interface ScheduledRegion {
  readonly region: number;
  readonly kind: "chain" | "checkpoint" | "cuts" | "coupling layers";
  readonly name: string;
  readonly steps: number;
  /** storage events say what was done with it; without them everything was kept */
  readonly executed: boolean;
}

const kindNames = {
  [SegmentKind.step]: "chain",
  [SegmentKind.checkpoint]: "checkpoint",
  [SegmentKind.cut]: "cuts",
  [SegmentKind.coupling]: "coupling layers",
} as const;

/** The regions of a trace, in order; none for a graph without chains, checkpoints and cuts. */
export function scheduledRegions(trace: Trace): ScheduledRegion[] {
  const { segments, events, strings } = trace;
  if (segments === undefined) return [];
  const steps = new Map<number, number>();
  const first = new Map<number, number>();
  for (let row = 0; row < segments.n; row++) {
    const region = segments.region[row];
    if (region < 0) continue;
    if (!first.has(region)) first.set(region, row);
    steps.set(region, Math.max(steps.get(region) ?? 0, segments.step[row] + 1));
  }
  const executed = new Set<number>();
  for (let row = 0; row < events.n && events.a !== undefined; row++)
    if (isRun(events.kind[row])) executed.add(segments.region[events.a[row]]);
  return Array.from(steps, ([region, count]) => {
    const row = first.get(region)!;
    const owner = segments.owner[row];
    return {
      region,
      kind: kindNames[segments.kind[row] as keyof typeof kindNames],
      name: owner < 0 ? "" : strings[owner],
      steps: count,
      executed: executed.has(region),
    };
  });
}

function isRun(kind: number): boolean {
  return (
    kind === Event.advance || kind === Event.record || kind === Event.reverse || kind === Event.uncompute
  );
}

/** What was done with a region; marks carry the positions of the timeline at which they begin. */
export function executedSpaceTime(trace: Trace, region: number, steps: number): SpaceTime {
  const { events, segments, slots } = trace;
  const builder = new SpaceTimeBuilder(steps);
  let position = 0;
  for (let row = 0; row < events.n && !builder.full; row++) {
    const kind = events.kind[row];
    position += isStep[kind];
    const a = events.a?.[row] ?? -1;
    const b = events.b?.[row] ?? -1;
    if (isRun(kind) && a >= 0) {
      if (segments!.region[a] !== region) continue;
      const step = segments!.step[a];
      if (kind === Event.advance) builder.advance(step, step + 1, position);
      else if (kind === Event.record) builder.record(step, position);
      else if (kind === Event.reverse) builder.reverse(step, position);
      else builder.uncompute(step, b, position);
    } else if (b >= 0 && slots !== undefined && slots.region[b] === region) {
      const tape = events.node[row] === -2;
      if (kind === Event.snapshot)
        builder.store(a, b, (tape ? HoldFlag.tape : 0) | (slots.disk[b] === 1 ? HoldFlag.disk : 0));
      else if (kind === Event.restore) builder.restore(a, position);
      else if (kind === Event.free) builder.free(b);
    }
  }
  return builder.finish();
}
