/** What a schedule does with a node's primal at a position, as a mark and in words; nothing where everything is kept. */
import { CheckpointStates, type PrimalState } from "../../engine/timeline/checkpoints.js";
import type { LayerError } from "../../engine/report/report.js";
import type { Timeline } from "../../engine/timeline/timeline.js";
import { Event, isStep } from "../../engine/trace/events.js";
import { SegmentKind } from "../../engine/trace/trace.js";
import { isPebbling } from "../schedules/families.js";
import { ulpsText } from "../text/ulps.js";
import type { SweepModel } from "./sweep-model.js";

/** "pebble": a snapshot of a schedule that plays the pebble game; "reconstructed": by the inverse of a coupling layer */
export type Keep = PrimalState | "snapshot" | "pebble" | "reconstructed";

export interface Keeping {
  readonly keep: Keep;
  /** how often it has been computed again */
  readonly replays: number;
  /** of a reconstructed value: how far it is from the first run's, in units in the last place; undefined: not known */
  readonly ulps?: number | undefined;
}

/** Drawn before the word, so that states differ in shape as well. */
const signs: Readonly<Record<Keep, string>> = {
  "not-yet": "",
  stored: "\u25cf",
  snapshot: "\u25c6",
  pebble: "\u25c9",
  reconstructed: "\u21a9",
  dropped: "\u25cb",
  replayed: "\u21bb",
  freed: "\u2013",
  "never-needed": "\u00b7",
};

const words: Readonly<Record<Keep, string>> = {
  "not-yet": "",
  stored: "stored",
  snapshot: "snapshot",
  pebble: "pebble",
  reconstructed: "reconstructed",
  dropped: "dropped",
  replayed: "replayed",
  freed: "freed",
  "never-needed": "never needed",
};

/** "\u21bb replayed \u00d72", "" before the node was computed */
export function keepingText(keeping: Keeping): string {
  return keeping.keep === "not-yet" ? "" : `${signs[keeping.keep]} ${keepingWords(keeping)}`;
}

/** "replayed \u00d72", "reconstructed, 1 ULP": for the list, without the mark */
export function keepingWords({ keep, replays, ulps }: Keeping): string {
  if (keep === "reconstructed" && ulps !== undefined)
    return `${words[keep]}, ${ulps === 0 ? "exact" : ulpsText(ulps)}`;
  const again =
    replays === 0 ? "" : keep === "replayed" ? ` \u00d7${replays}` : `, replayed \u00d7${replays}`;
  return `${words[keep]}${again}`;
}

export class NodeKeeping {
  readonly states: CheckpointStates;
  /** state of its region that a node is part of, -1 for none; and the region */
  private readonly state: Int32Array;
  private readonly region: Int32Array;
  /** the step at which the inverse of a layer gave back the state before it, by region and layer */
  private readonly inverted = new Map<string, number>();
  private readonly errors = new Map<string, number>();
  private readonly pebbling: boolean;
  private at = -1;
  private slots = new Set<string>();

  /** `errors`: of coupling layers that were inverted. */
  constructor(timeline: Timeline, errors: readonly LayerError[]) {
    const { segments, edges, nodes, header } = timeline.trace;
    this.states = new CheckpointStates(timeline);
    this.pebbling = isPebbling(header.options.schedule);
    this.state = new Int32Array(nodes.n).fill(-1);
    this.region = new Int32Array(nodes.n).fill(-1);
    const end = new Int32Array(nodes.n);
    const step = new Int32Array(nodes.n);
    for (let row = 0; row < (segments?.n ?? 0); row++) {
      if (segments!.kind[row] === SegmentKind.outside) continue;
      for (let node = segments!.first[row]; node < segments!.end[row]; node++) {
        this.region[node] = segments!.region[row];
        step[node] = segments!.step[row];
        end[node] = segments!.end[row];
      }
    }
    // what a later step reads of a step's values is the state behind it
    for (let e = 0; e < edges.n; e++) {
      const from = edges.from[e];
      if (this.region[from] >= 0 && edges.to[e] >= end[from]) this.state[from] = step[from] + 1;
    }
    this.findInverses(timeline);
    for (const { region, layer, ulps } of errors) this.errors.set(`${region}:${layer}`, ulps);
  }

  private findInverses({ trace: { events, segments } }: Timeline): void {
    let position = 0;
    for (let row = 0; row < events.n && segments !== undefined; row++) {
      position += isStep[events.kind[row]];
      if (events.kind[row] !== Event.uncompute || (events.b?.[row] ?? -1) >= 0) continue;
      const segment = events.a![row];
      this.inverted.set(`${segments.region[segment]}:${segments.step[segment]}`, position);
    }
  }

  of(node: number, position: number): Keeping {
    const keep = this.states.stateAt(node, position);
    const replays = this.states.replaysOf(node, position);
    if (this.state[node] < 0) return { keep, replays };
    const key = `${this.region[node]}:${this.state[node]}`;
    const held = keep === "stored" || keep === "replayed";
    if (held && this.inSlot(key, position)) return { keep: this.pebbling ? "pebble" : "snapshot", replays };
    const back = keep === "replayed" || (keep === "never-needed" && this.between(node, position));
    if (back && this.invertedBy(node, 0, position))
      return { keep: "reconstructed", replays, ulps: this.errors.get(key) };
    return { keep, replays };
  }

  /** The inverse of the layer behind a state (0), or of the one before it (-1), has run. */
  private invertedBy(node: number, layer: 0 | -1, position: number): boolean {
    const at = this.inverted.get(`${this.region[node]}:${this.state[node] + layer}`);
    return at !== undefined && at <= position;
  }

  /** A half of a state that no rule reads is there from the inverse behind it to the one before it, which takes it away. */
  private between(node: number, position: number): boolean {
    return this.invertedBy(node, 0, position) && !this.invertedBy(node, -1, position);
  }

  private inSlot(key: string, position: number): boolean {
    if (this.at !== position) {
      this.at = position;
      this.slots = new Set(
        this.states
          .slotsAt(position)
          .filter(({ what }) => what === "state")
          .map(({ region, state }) => `${region}:${state}`),
      );
    }
    return this.slots.has(key);
  }
}

const cache = new WeakMap<Timeline, NodeKeeping | null>();

/** Null for a sweep that kept everything: there is nothing to tell. */
export function keepingOf({ view }: SweepModel, timeline: Timeline): NodeKeeping | null {
  let keeping = cache.get(timeline);
  if (keeping === undefined) {
    const { segments, events, header } = timeline.trace;
    const scheduled = segments !== undefined && events.a !== undefined && header.complete;
    const errors = view.report?.checkpoint?.reconstruction?.layers ?? [];
    keeping = scheduled ? new NodeKeeping(timeline, errors) : null;
    cache.set(timeline, keeping);
  }
  return keeping;
}
