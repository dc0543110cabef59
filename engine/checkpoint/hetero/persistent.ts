/**
 * Rotor's dynamic programme: the cheapest memory-persistent schedule of a heterogeneous chain for every memory up to a budget
 * (Beaumont, Eyraud-Dubois, Herrmann, Joly, Shilova 2019), O(n^3 classes / 6) additions over flat arrays.
 */
import type { HeteroChain } from "./chain.js";
import { cutsOf } from "./cuts.js";

export interface PersistentTable {
  /** cheapest cost for steps s..t in `room` classes; Infinity where it cannot be done */
  cost(s: number, t: number, room: number): number;
  /** 0: record step s; otherwise the c at which to cut. Defined where the cost is finite */
  choice(s: number, t: number, room: number): number;
}

/** Row of steps s..t, 1 <= s <= t <= n, in a triangle. */
const triangle = (s: number, t: number): number => (t * (t - 1)) / 2 + s - 1;

/**
 * @param chain sizes in classes (or bytes, when they are few)
 * @param classes most classes of room that will be asked about
 */
export function persistentTable(chain: HeteroChain, classes: number): PersistentTable {
  const { n, forward, backward } = chain;
  const cuts = cutsOf(chain);
  const width = classes + 1;
  const table = new Float64Array(triangle(n, n) * width + width).fill(Infinity);
  /** least room with a finite cost, by row; Infinity if none. Costs fall with the room, so all above are finite */
  const least = new Float64Array(triangle(n, n) + 1).fill(Infinity);
  /** room in which every step can be recorded once: from there on no cut helps */
  const enough = new Float64Array(triangle(n, n) + 1);
  const prefix = new Float64Array(n + 1);
  for (let i = 1; i <= n; i++) prefix[i] = prefix[i - 1] + forward[i];

  for (let length = 1; length <= n; length++) {
    for (let s = 1; s + length - 1 <= n; s++) {
      const t = s + length - 1;
      const row = triangle(s, t);
      const out = table.subarray(row * width, (row + 1) * width);
      const own = forward[s] + backward[s];
      const record = cuts.record(s, t);
      if (s === t) {
        if (record <= classes) {
          out.fill(own, record);
          least[row] = record;
        }
        enough[row] = record;
        continue;
      }
      let first = Infinity;
      const taped = cuts.taped(s);
      const behind = triangle(s + 1, t);
      const from = Math.max(record, taped + least[behind]);
      enough[row] = Math.max(record, taped + enough[behind]);
      const end = Math.min(classes + 1, enough[row]);
      if (from <= classes) {
        first = from;
        const right = behind * width - taped;
        for (let m = from; m <= classes; m++) out[m] = own + table[right + m];
      }
      for (let c = s + 1; c <= t; c++) {
        const run = cuts.run(s, c, t);
        const kept = cuts.kept(s, c);
        const after = triangle(c, t);
        const before = triangle(s, c - 1);
        const start = Math.max(run, kept + least[after], least[before]);
        if (start > classes) continue;
        first = Math.min(first, start);
        const advance = prefix[c - 1] - prefix[s - 1];
        const right = after * width - kept;
        const left = before * width;
        for (let m = start; m < end; m++) {
          const cost = advance + table[right + m] + table[left + m];
          if (cost < out[m]) out[m] = cost;
        }
      }
      least[row] = first;
    }
  }

  const cost = (s: number, t: number, room: number): number =>
    room < 0 ? Infinity : table[triangle(s, t) * width + room];
  return {
    cost,
    choice: (s, t, room) => {
      if (s === t) return 0;
      let best = Infinity;
      let choice = 0;
      if (cuts.record(s, t) <= room) best = forward[s] + backward[s] + cost(s + 1, t, room - cuts.taped(s));
      for (let c = s + 1; c <= t; c++) {
        if (cuts.run(s, c, t) > room) continue;
        const via = prefix[c - 1] - prefix[s - 1] + cost(c, t, room - cuts.kept(s, c)) + cost(s, c - 1, room);
        if (via < best) {
          best = via;
          choice = c;
        }
      }
      return choice;
    },
  };
}
