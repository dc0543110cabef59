/** Least cost by Dijkstra's search over every configuration of a small chain: independent of all schedules and tables. */

export interface Limits {
  readonly steps: number;
  readonly ram: number;
  readonly disk?: number;
  /** a RAM slot may hold a step's tape instead of a state */
  readonly tapes?: boolean;
  /** of an advance, of a recording, of a disk write and a disk read */
  readonly costs: { readonly uf: number; readonly ur: number; readonly wd: number; readonly rd: number };
}

/** Working state (-1: none of use), sets of states and tapes as bits, steps left, tape held (-1: none). */
interface Configuration {
  readonly working: number;
  readonly ram: number;
  readonly disk: number;
  readonly tapes: number;
  readonly left: number;
}

const size = (set: number): number => {
  let n = 0;
  for (let bits = set; bits > 0; bits &= bits - 1) n++;
  return n;
};

const key = ({ working, ram, disk, tapes, left }: Configuration): string =>
  `${working},${ram},${disk},${tapes},${left}`;

/** The least cost of reversing the whole chain, Infinity when it cannot be done. */
export function leastCost(limits: Limits): number {
  const { steps } = limits;
  const start: Configuration = { working: 0, ram: 0, disk: 0, tapes: 0, left: steps };
  const known = new Map<string, number>([[key(start), 0]]);
  // buckets would do for whole costs; a sorted queue does for all of them
  const queue: { cost: number; at: Configuration }[] = [{ cost: 0, at: start }];
  while (queue.length > 0) {
    let first = 0;
    for (let i = 1; i < queue.length; i++) if (queue[i].cost < queue[first].cost) first = i;
    const { cost, at } = queue[first];
    queue[first] = queue[queue.length - 1];
    queue.pop();
    if (known.get(key(at))! < cost) continue;
    if (at.left === 0) return cost;
    for (const [more, next] of moves(at, limits)) {
      const name = key(next);
      if (cost + more >= (known.get(name) ?? Infinity)) continue;
      known.set(name, cost + more);
      queue.push({ cost: cost + more, at: next });
    }
  }
  return Infinity;
}

function* moves(at: Configuration, limits: Limits): Generator<[number, Configuration]> {
  const { working, ram, disk, tapes, left } = at;
  const { costs } = limits;
  const room = size(ram) + size(tapes) < limits.ram;
  if (working >= 0 && working < left - 1) {
    yield [costs.uf, { ...at, working: working + 1 }];
    const bit = 1 << working;
    if (room && (ram & bit) === 0) yield [0, { ...at, ram: ram | bit }];
    if (size(disk) < (limits.disk ?? 0) && (disk & bit) === 0) yield [costs.wd, { ...at, disk: disk | bit }];
    if (limits.tapes === true && room && (tapes & bit) === 0)
      yield [costs.ur, { ...at, working: working + 1, tapes: tapes | bit }];
  }
  // the last step left is recorded and reversed, or reversed with a tape that is there
  if (working === left - 1) yield [costs.ur, { ...at, working: -1, left: left - 1 }];
  const last = 1 << (left - 1);
  if ((tapes & last) !== 0) yield [0, { ...at, working: -1, tapes: tapes & ~last, left: left - 1 }];
  for (let state = 0; state < left; state++) {
    const bit = 1 << state;
    if ((ram & bit) !== 0) {
      yield [0, { ...at, working: state }];
      yield [0, { ...at, ram: ram & ~bit }];
    }
    if ((disk & bit) !== 0) {
      yield [costs.rd, { ...at, working: state }];
      yield [0, { ...at, disk: disk & ~bit }];
    }
    if ((tapes & bit) !== 0) yield [0, { ...at, tapes: tapes & ~bit }];
  }
}
