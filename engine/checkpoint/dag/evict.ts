/**
 * One greedy rematerialisation: the plain run is followed, and when memory is short the value with the least score is dropped.
 *
 * The score is that of dynamic tensor rematerialization (Kirisame et al., "Dynamic Tensor Rematerialization", ICLR 2021): the cost of
 * computing the value and its dropped neighbourhood again, by its size and its staleness. As the graph is known beforehand, how long
 * the value was not used is replaced by how long it will not be; a value not read any more goes first.
 */
import { givenBytes, type RematOp, type RematProblem } from "./problem.js";
import { childrenOf, type PlainRun } from "./uses.js";

/** Exponents of the three factors, and how much of a random factor is mixed in. */
export interface Score {
  readonly cost: number;
  readonly size: number;
  readonly distance: number;
  readonly noise: number;
  /** above 0: every so many-th value is kept as long as there is another to drop, as a block schedule does */
  readonly grid: number;
}

/**
 * Dropped values looked at around one: as many as lie between two live ones on a chain, three times over, within these limits. Fewer
 * would let gaps grow that cost more than they seem to.
 */
const NEIGHBOURS = [24, 384] as const;
/** Live values compared at one eviction; among more, a sample of so many. */
const MOST_COMPARED = 64;

export class Evictor {
  private readonly children: { start: Int32Array; child: Int32Array };
  private readonly nextUse: Int32Array;
  private readonly where: Int32Array;
  private readonly pins: Int32Array;
  private readonly live: Uint8Array;
  private readonly mark: Int32Array;
  private readonly candidates: number[] = [];
  private readonly walk: number[] = [];
  private readonly base: number;
  private marks = 0;
  private neighbours: number = NEIGHBOURS[0];
  /** values looked at so far, by all plans: the measure of work */
  work = 0;
  private bytes = 0;
  private random = 1;
  private time = 0;

  constructor(
    private readonly problem: RematProblem,
    private readonly run: PlainRun,
  ) {
    const { n } = problem;
    this.children = childrenOf(problem);
    this.nextUse = new Int32Array(n);
    this.where = new Int32Array(n);
    this.pins = new Int32Array(n);
    this.live = new Uint8Array(n);
    this.mark = new Int32Array(n);
    this.base = givenBytes(problem);
  }

  /**
   * Operations within `budget` bytes; null when memory could not be freed, when `work` goes beyond `most`, or when what is
   * computed costs `beat` or more.
   */
  plan(budget: number, score: Score, most: number, beat: number, seed = 1): RematOp[] | null {
    const { problem, run } = this;
    const { demands, parentStart, parent, cost, given } = problem;
    this.nextUse.set(run.useStart.subarray(0, problem.n));
    this.pins.fill(0);
    for (let v = 0; v < problem.n; v++) this.live[v] = given?.[v] ?? 0;
    this.candidates.length = 0;
    this.bytes = this.base;
    this.random = seed;
    const ops: RematOp[] = [];
    let spent = 0;
    let met = 0;

    const stack: number[] = [];
    const reached: number[] = [];
    /** Computes v and what it needs; every frame pins its live parents. False: no room. */
    const compute = (target: number): boolean => {
      stack.push(target);
      reached.push(parentStart[target]);
      while (stack.length > 0) {
        const v = stack[stack.length - 1];
        let j = reached[reached.length - 1];
        const end = parentStart[v + 1];
        while (j < end && this.live[parent[j]] === 1) this.pins[parent[j++]]++;
        reached[reached.length - 1] = j;
        if (j < end) {
          stack.push(parent[j]);
          reached.push(parentStart[parent[j]]);
          continue;
        }
        const reserved = demands[met].before;
        if (!this.makeRoom(problem.size[v], budget - reserved, score, ops)) return false;
        ops.push({ kind: "compute", node: v });
        this.work++;
        spent += cost[v];
        if (this.work > most || spent >= beat) return false;
        this.enter(v);
        for (let i = parentStart[v]; i < end; i++) this.pins[parent[i]]--;
        stack.pop();
        reached.pop();
      }
      return true;
    };

    for (this.time = 0; this.time < run.events.length; this.time++) {
      const event = run.events[this.time];
      if (event >= 0) {
        if (this.live[event] === 0 && !compute(event)) return null;
        for (let j = parentStart[event]; j < parentStart[event + 1]; j++) this.passed(parent[j]);
        continue;
      }
      const { nodes, during } = demands[~event];
      for (let i = 0; i < nodes.length; i++) {
        if (this.live[nodes[i]] === 0 && !compute(nodes[i])) return null;
        this.pins[nodes[i]]++;
      }
      if (!this.makeRoom(0, budget - during, score, ops)) return null;
      ops.push({ kind: "meet", node: ~event });
      met++;
      for (let i = 0; i < nodes.length; i++) {
        this.pins[nodes[i]]--;
        this.passed(nodes[i]);
      }
    }
    return ops;
  }

  /** The use at the present time is over. */
  private passed(v: number): void {
    const end = this.run.useStart[v + 1];
    while (this.nextUse[v] < end && this.run.use[this.nextUse[v]] <= this.time) this.nextUse[v]++;
  }

  private enter(v: number): void {
    this.live[v] = 1;
    this.bytes += this.problem.size[v];
    if (this.problem.size[v] === 0) return;
    this.where[v] = this.candidates.length;
    this.candidates.push(v);
  }

  private leave(v: number): void {
    this.live[v] = 0;
    this.bytes -= this.problem.size[v];
    const last = this.candidates.pop()!;
    if (last === v) return;
    this.candidates[this.where[v]] = last;
    this.where[last] = this.where[v];
  }

  private makeRoom(size: number, budget: number, score: Score, ops: RematOp[]): boolean {
    while (this.bytes + size > budget) {
      const v = this.least(score);
      if (v < 0) return false;
      ops.push({ kind: "drop", node: v });
      this.leave(v);
    }
    return true;
  }

  /** The live value of least score that is not pinned, -1 when there is none. */
  private least(score: Score): number {
    const count = this.candidates.length;
    const gap = Math.ceil((3 * this.problem.n) / Math.max(1, count));
    this.neighbours = Math.min(NEIGHBOURS[1], Math.max(NEIGHBOURS[0], gap));
    let best = -1;
    let bestScore = Infinity;
    const compare = (v: number): void => {
      if (this.pins[v] > 0) return;
      const value = this.score(v, score);
      if (best >= 0 && value >= bestScore) return;
      best = v;
      bestScore = value;
    };
    if (count > MOST_COMPARED)
      for (let i = 0; i < MOST_COMPARED; i++) compare(this.candidates[this.draw() % count]);
    if (best < 0) for (let i = 0; i < count; i++) compare(this.candidates[i]);
    return best;
  }

  private score(v: number, score: Score): number {
    const { problem } = this;
    // a grid is to be cheap: no neighbourhood is looked at
    if (score.grid > 0) {
      const away = Math.max(1, this.useOf(v) - this.time);
      return (v % score.grid === 0 ? 1e12 : 1) / (problem.size[v] * Math.min(away, 1e9));
    }
    const next = this.soonest(v);
    if (next === Infinity) return -1;
    const price = score.cost === 0 ? 1 : this.again(v) ** score.cost;
    const size = score.size === 1 ? problem.size[v] : problem.size[v] ** score.size;
    const distance = Math.max(1, next - this.time) ** score.distance;
    const factor = score.noise === 0 ? 1 : 1 + score.noise * (this.draw() / 0x7fffffff);
    return (price * factor) / (size * distance);
  }

  private useOf(v: number): number {
    const k = this.nextUse[v];
    return k < this.run.useStart[v + 1] ? this.run.use[k] : Infinity;
  }

  /** Time at which v is read next, by the plain run or to compute a dropped value again. */
  private soonest(v: number): number {
    const { start, child } = this.children;
    let next = this.useOf(v);
    this.marks++;
    this.walk.length = 0;
    this.walk.push(v);
    for (let i = 0; i < this.walk.length && i < this.neighbours; i++) {
      const u = this.walk[i];
      this.work++;
      for (let k = start[u]; k < start[u + 1]; k++) {
        const w = child[k];
        if (this.live[w] === 1 || this.mark[w] === this.marks) continue;
        this.mark[w] = this.marks;
        next = Math.min(next, this.useOf(w));
        this.walk.push(w);
      }
    }
    return next;
  }

  /** Cost of computing v again with the dropped values it is computed from. */
  private again(v: number): number {
    const { parentStart, parent, cost } = this.problem;
    let sum = cost[v];
    this.marks++;
    this.walk.length = 0;
    this.walk.push(v);
    for (let i = 0; i < this.walk.length && i < this.neighbours; i++) {
      const u = this.walk[i];
      this.work++;
      for (let j = parentStart[u]; j < parentStart[u + 1]; j++) {
        const p = parent[j];
        if (this.live[p] === 1 || this.mark[p] === this.marks) continue;
        this.mark[p] = this.marks;
        sum += cost[p];
        this.walk.push(p);
      }
    }
    return sum;
  }

  /** A linear congruential generator: plans must not change from run to run. */
  private draw(): number {
    this.random = (Math.imul(this.random, 1103515245) + 12345) & 0x7fffffff;
    return this.random >>> 4;
  }
}
