/** What a schedule does with a node's primal at a position, as a mark and in words; nothing where everything is kept. */
import { CheckpointStates, type PrimalState } from "../../engine/timeline/checkpoints.js";
import type { Timeline } from "../../engine/timeline/timeline.js";
import { SegmentKind } from "../../engine/trace/trace.js";

export type Keep = PrimalState | "snapshot";

export interface Keeping {
  readonly keep: Keep;
  /** how often it has been computed again */
  readonly replays: number;
}

/** Drawn before the word, so that states differ in shape as well. */
const signs: Readonly<Record<Keep, string>> = {
  "not-yet": "",
  stored: "\u25cf",
  snapshot: "\u25c6",
  dropped: "\u25cb",
  replayed: "\u21bb",
  freed: "\u2013",
  "never-needed": "\u00b7",
};

const words: Readonly<Record<Keep, string>> = {
  "not-yet": "",
  stored: "stored",
  snapshot: "snapshot",
  dropped: "dropped",
  replayed: "replayed",
  freed: "freed",
  "never-needed": "never needed",
};

/** "\u21bb replayed \u00d72", "" before the node was computed */
export function keepingText({ keep, replays }: Keeping): string {
  if (keep === "not-yet") return "";
  return `${signs[keep]} ${keepingWords({ keep, replays })}`;
}

/** "replayed \u00d72": for the list, without the mark */
export function keepingWords({ keep, replays }: Keeping): string {
  const again =
    replays === 0 ? "" : keep === "replayed" ? ` \u00d7${replays}` : `, replayed \u00d7${replays}`;
  return `${words[keep]}${again}`;
}

export class NodeKeeping {
  readonly states: CheckpointStates;
  /** state of its region that a node is part of, -1 for none; and the region */
  private readonly state: Int32Array;
  private readonly region: Int32Array;
  private at = -1;
  private slots = new Set<string>();

  constructor(timeline: Timeline) {
    const { segments, edges, nodes } = timeline.trace;
    this.states = new CheckpointStates(timeline);
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
  }

  of(node: number, position: number): Keeping {
    const keep = this.states.stateAt(node, position);
    const replays = this.states.replaysOf(node, position);
    const held = keep === "stored" || keep === "replayed";
    return { keep: held && this.isSnapshot(node, position) ? "snapshot" : keep, replays };
  }

  private isSnapshot(node: number, position: number): boolean {
    if (this.state[node] < 0) return false;
    if (this.at !== position) {
      this.at = position;
      this.slots = new Set(
        this.states
          .slotsAt(position)
          .filter(({ what }) => what === "state")
          .map(({ region, state }) => `${region}:${state}`),
      );
    }
    return this.slots.has(`${this.region[node]}:${this.state[node]}`);
  }
}

const cache = new WeakMap<Timeline, NodeKeeping | null>();

/** Null for a sweep that kept everything: there is nothing to tell. */
export function keepingOf(timeline: Timeline): NodeKeeping | null {
  let keeping = cache.get(timeline);
  if (keeping === undefined) {
    const { segments, events, header } = timeline.trace;
    const scheduled = segments !== undefined && events.a !== undefined && header.complete;
    keeping = scheduled ? new NodeKeeping(timeline) : null;
    cache.set(timeline, keeping);
  }
  return keeping;
}
