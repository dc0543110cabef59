/**
 * What a schedule keeps, at any step of a trace: the state of a node's primal, the slots, the storage action. As in
 * `Timeline`, nothing is replayed to answer: every answer is a binary search over lists made once from the events.
 */
import { Event, eventKinds, isStep, type EventKind } from "../trace/events.js";
import type { Timeline } from "./timeline.js";

/**
 * Where a node's primal is: not computed yet; there; let go, to be replayed; there again after a replay; read by no rule
 * any more; or never wanted by any rule or slot.
 */
export type PrimalState = "not-yet" | "stored" | "dropped" | "replayed" | "freed" | "never-needed";

export interface SlotAt {
  /** row of the slots table: what `snapshot` and `restore` events name */
  readonly row: number;
  /** the schedule's own number of the slot, within its region and level */
  readonly slot: number;
  readonly level: "ram" | "disk";
  readonly region: number;
  /** the state that lies in it, or the step whose tape does */
  readonly state: number;
  readonly what: "state" | "tape";
  readonly storedAtStep: number;
}

export interface StorageAction {
  readonly kind: EventKind;
  /** row of the segments table: of `advance`, `record`, `reverse` and `uncompute`; else -1 */
  readonly segment: number;
  /** of `snapshot` and `restore`: the state, or the step of the tape; else -1 */
  readonly state: number;
  readonly what: "state" | "tape";
  /** row of the slots table, -1 without one */
  readonly slot: number;
}

/** Lists of (step, what) by owner, in order of time. */
class Changes {
  readonly start: Int32Array;
  readonly step: Int32Array;
  readonly what: Int32Array;

  constructor(owners: number, entries: Iterable<readonly [owner: number, step: number, what: number]>) {
    const all = Array.from(entries);
    this.start = new Int32Array(owners + 1);
    this.step = new Int32Array(all.length);
    this.what = new Int32Array(all.length);
    for (const [owner] of all) this.start[owner + 1]++;
    for (let i = 0; i < owners; i++) this.start[i + 1] += this.start[i];
    const fill = this.start.slice(0, owners);
    for (const [owner, step, what] of all) {
      const at = fill[owner]++;
      this.step[at] = step;
      this.what[at] = what;
    }
  }

  /** One behind the owner's last change up to a position; the owner's start if there is none. */
  upTo(owner: number, position: number): number {
    let low = this.start[owner];
    let high = this.start[owner + 1];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.step[middle] <= position) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

const states: readonly PrimalState[] = ["not-yet", "stored", "dropped", "replayed", "freed", "never-needed"];
const NOT_YET = 0;
const STORED = 1;
const DROPPED = 2;
const REPLAYED = 3;
const FREED = 4;
const NEVER = 5;

export class CheckpointStates {
  private readonly primals: Changes;
  private readonly replays: Changes;
  private readonly slots: Changes;

  constructor(private readonly timeline: Timeline) {
    const { trace } = timeline;
    const n = trace.nodes.n;
    this.primals = new Changes(n, primalChanges(timeline));
    this.replays = new Changes(n, replayChanges(timeline));
    this.slots = new Changes(trace.slots?.n ?? 0, slotChanges(timeline));
  }

  /** The state of a node's primal. */
  stateAt(node: number, position: number): PrimalState {
    const end = this.primals.upTo(node, position);
    return states[end === this.primals.start[node] ? NOT_YET : this.primals.what[end - 1]];
  }

  /** How often the node has been computed again. */
  replaysOf(node: number, position: number): number {
    return this.replays.upTo(node, position) - this.replays.start[node];
  }

  /** What lies in slots, in the order of the slots table. */
  slotsAt(position: number): SlotAt[] {
    const { slots, events } = this.timeline.trace;
    const out: SlotAt[] = [];
    for (let row = 0; row < (slots?.n ?? 0); row++) {
      const end = this.slots.upTo(row, position);
      const event = end === this.slots.start[row] ? -1 : this.slots.what[end - 1];
      if (event < 0) continue;
      out.push({
        row,
        slot: slots!.number[row],
        level: slots!.disk[row] === 1 ? "disk" : "ram",
        region: slots!.region[row],
        state: events.a![event],
        what: events.node[event] === -2 ? "tape" : "state",
        storedAtStep: this.slots.step[end - 1],
      });
    }
    return out;
  }

  /** The storage action that a step is; null for evaluations, replays of single nodes and contributions. */
  actionAt(position: number): StorageAction | null {
    const { events } = this.timeline.trace;
    if (position < 1 || position > this.timeline.steps || events.a === undefined) return null;
    const row = this.timeline.rowAt(position);
    const kind = events.kind[row];
    const slotted = kind === Event.snapshot || kind === Event.restore;
    const run =
      kind === Event.advance || kind === Event.record || kind === Event.reverse || kind === Event.uncompute;
    if (!slotted && !run) return null;
    return {
      kind: eventKinds[kind],
      segment: run ? events.a[row] : -1,
      state: slotted ? events.a[row] : -1,
      what: events.node[row] === -2 ? "tape" : "state",
      slot: events.b![row],
    };
  }
}

function* primalChanges({ trace }: Timeline): Generator<readonly [number, number, number]> {
  const { events, nodes } = trace;
  const wanted = new Uint8Array(nodes.n);
  for (let row = 0; row < events.n; row++) {
    const kind = events.kind[row];
    if ((kind === Event.store || kind === Event.drop) && events.node[row] >= 0) wanted[events.node[row]] = 1;
  }
  const now = new Uint8Array(nodes.n);
  // inputs are there before the first step
  for (let v = 0; v < nodes.n; v++) if (nodes.kind[v] === 1) yield [v, 0, wanted[v] === 1 ? STORED : NEVER];
  let step = 0;
  for (let row = 0; row < events.n; row++) {
    const kind = events.kind[row];
    step += isStep[kind];
    const node = events.node[row];
    if (node < 0) continue;
    let next: number;
    if (kind === Event.eval) next = wanted[node] === 1 ? STORED : NEVER;
    // what comes back without a replay of its own came back with its step
    else if (kind === Event.store) next = now[node] === DROPPED || now[node] === REPLAYED ? REPLAYED : STORED;
    else if (kind === Event.drop) next = DROPPED;
    else if (kind === Event.replay) next = wanted[node] === 1 ? REPLAYED : NEVER;
    else if (kind === Event.free) next = FREED;
    else continue;
    if (now[node] === next) continue;
    now[node] = next;
    yield [node, step, next];
  }
}

function* replayChanges({ trace: { events } }: Timeline): Generator<readonly [number, number, number]> {
  let step = 0;
  for (let row = 0; row < events.n; row++) {
    step += isStep[events.kind[row]];
    if (events.kind[row] === Event.replay) yield [events.node[row], step, row];
  }
}

/** The event that filled a slot, or -1 when it is emptied. */
function* slotChanges({ trace: { events } }: Timeline): Generator<readonly [number, number, number]> {
  if (events.b === undefined) return;
  let step = 0;
  for (let row = 0; row < events.n; row++) {
    const kind = events.kind[row];
    step += isStep[kind];
    if (kind === Event.snapshot) yield [events.b[row], step, row];
    else if ((kind === Event.free && events.node[row] < 0) || kind === Event.uncompute) {
      if (events.b[row] >= 0) yield [events.b[row], step, -1];
    }
  }
}
