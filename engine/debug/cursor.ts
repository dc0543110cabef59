/**
 * The debugger's place in a sweep: a position of the timeline and the node a person is looking at there. Moving is
 * setting the index; nothing runs.
 *
 * In the forward part the focus is the node that is evaluated next, as in any debugger. In the sweep it is the node that
 * was just paid into; after a step back, the node whose contribution was just taken back.
 */
import type { Debuggee } from "./debuggee.js";
import { homeOf, isWithin } from "./places.js";
import { Event } from "../trace/events.js";
import type { SegmentRows } from "./segments.js";
import { segmentsOf } from "./segments.js";

export type Thread = "forward" | "reverse";
export type Direction = 1 | -1;
export type Granularity = "contribution" | "statement";

export interface Spot {
  readonly position: number;
  readonly focus: number;
}

export class Cursor {
  position = 0;
  focus: number;
  /** places that a step into a forward evaluation came from: stepping out goes back there */
  private readonly returns: Spot[] = [];
  private readonly segments: SegmentRows | null;

  constructor(private readonly debuggee: Debuggee) {
    this.segments = segmentsOf(debuggee.trace);
    this.focus = this.focusAt(0, 1);
  }

  get steps(): number {
    return this.debuggee.timeline.steps;
  }

  get thread(): Thread {
    return this.threadAt(this.position);
  }

  threadAt(position: number): Thread {
    const { timeline, trace } = this.debuggee;
    return position < timeline.forwardSteps || !trace.header.complete ? "forward" : "reverse";
  }

  /** Goes to a position; `focus` absent: what a person looks at after a move in this direction. */
  moveTo(position: number, direction: Direction, focus?: number): void {
    this.position = Math.max(0, Math.min(this.steps, position));
    this.focus = focus ?? this.focusAt(this.position, direction);
  }

  goTo({ position, focus }: Spot): void {
    this.returns.length = 0;
    this.moveTo(position, 1, focus);
  }

  focusAt(position: number, direction: Direction): number {
    const { timeline, trace } = this.debuggee;
    if (this.threadAt(position) === "forward") {
      for (let step = position + 1; step <= this.steps; step++)
        if (this.debuggee.isEvaluation(step)) return timeline.nodeAt(step);
      return trace.nodes.n - 1;
    }
    const at = direction === 1 ? position : position + 1;
    const acting = at <= this.steps && at > timeline.forwardSteps ? this.actionFocus(at) : -1;
    if (acting >= 0) return acting;
    for (let step = at; step <= this.steps && step > timeline.forwardSteps; step -= direction) {
      if (this.debuggee.isContribution(step)) return timeline.nodeAt(step);
    }
    for (const output of this.debuggee.outputs) return output;
    return trace.nodes.n - 1;
  }

  /** The node a storage action is about: the replayed one, or the first of the segment; -1 for other steps. */
  private actionFocus(step: number): number {
    const { timeline } = this.debuggee;
    if (!this.debuggee.isAction(step)) return -1;
    const node = timeline.nodeAt(step);
    if (node >= 0) return node;
    const kind = timeline.kindAt(step);
    const ofSegment =
      kind === Event.advance || kind === Event.record || kind === Event.reverse || kind === Event.uncompute;
    return ofSegment ? (this.segments?.firstNode(timeline.rowAt(step)) ?? -1) : -1;
  }

  /** Position after the next evaluation or contribution; storage actions and replays between are passed over. */
  next(): number {
    for (let step = this.position + 1; step <= this.steps; step++)
      if (!this.debuggee.isAction(step)) return step;
    return this.steps;
  }

  /** Position before the last evaluation or contribution. */
  back(): number {
    for (let step = this.position; step >= 1; step--) if (!this.debuggee.isAction(step)) return step - 1;
    return 0;
  }

  /** Position at which the next statement begins: another line or another pass through it evaluates or pays. */
  nextStatement(): number {
    let key: string | null = null;
    for (let step = this.position + 1; step <= this.steps; step++) {
      if (this.debuggee.isAction(step)) continue;
      const at = this.statementAt(step);
      if (key !== null && at !== key) return step - 1;
      key = at;
    }
    return this.steps;
  }

  backStatement(): number {
    let key: string | null = null;
    for (let step = this.position; step >= 1; step--) {
      if (this.debuggee.isAction(step)) continue;
      const at = this.statementAt(step);
      if (key !== null && at !== key) return step;
      key = at;
    }
    return 0;
  }

  /** The statement that works in a step: the line of what is evaluated, or of what pays, in its pass. */
  private statementAt(step: number): string {
    const { trace, timeline } = this.debuggee;
    const contribution = this.debuggee.isContribution(step);
    const node = contribution ? this.debuggee.payerAt(step) : timeline.nodeAt(step);
    const site = trace.nodes.site[node];
    const place = site < 0 ? `node ${node}` : `${trace.sites.file[site]}:${trace.sites.line[site]}`;
    return `${contribution ? "pay" : "run"} ${place} in ${trace.nodes.scope[node]}`;
  }

  /** Goes to just before the forward evaluation of a node, to come back by stepping out. False: it is not evaluated. */
  enterEvaluation(node: number): boolean {
    const step = this.debuggee.timeline.evaluationStep(node);
    if (step < 1) return false;
    this.returns.push({ position: this.position, focus: this.focus });
    this.moveTo(step - 1, 1, node);
    return true;
  }

  /** Where a step into an evaluation came from, if this is still inside one. */
  leave(): Spot | null {
    return this.returns.pop() ?? null;
  }

  /** Moves on without a way back. */
  forgetReturns(): void {
    this.returns.length = 0;
  }

  /** Position after the rest of the function instance in focus, or of the replay that is under way. */
  out(): number {
    const { trace, timeline } = this.debuggee;
    if (this.inReplay()) {
      for (let step = this.position + 1; step <= this.steps; step++)
        if (!this.debuggee.isAction(step)) return step - 1;
      return this.steps;
    }
    const home = this.focus < 0 ? 0 : homeOf(trace, trace.nodes.scope[this.focus]);
    const end = this.thread === "forward" ? timeline.forwardSteps : this.steps;
    if (home === 0) return end;
    for (let step = this.position + 1; step <= end; step++) {
      if (this.debuggee.isAction(step)) continue;
      const node = this.debuggee.isContribution(step) ? this.debuggee.payerAt(step) : timeline.nodeAt(step);
      if (!isWithin(trace, trace.nodes.scope[node], home)) return step - 1;
    }
    return end;
  }

  /** The last and the next step are storage actions or replays. */
  private inReplay(): boolean {
    const { position } = this;
    if (position >= this.steps || position <= this.debuggee.timeline.forwardSteps) return false;
    return this.debuggee.isAction(position) && this.debuggee.isAction(position + 1);
  }
}
