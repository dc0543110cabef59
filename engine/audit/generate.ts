/**
 * Random graphs of the kinds in which hand-written sweeps go wrong: fan-out of intermediate nodes, repeated operands,
 * diamonds in chains, broadcast shapes, branches nothing uses, outputs that are not the last node.
 */
import type { Shape } from "../tape/ndarray.js";
import { sizeOf } from "../tape/ndarray.js";
import {
  isTame,
  stepNode,
  type AuditGraph,
  type AuditInput,
  type AuditNode,
  type AuditStep,
} from "./graph.js";
import type { AuditOperation } from "./operations.js";
import { prune } from "./prune.js";
import type { CaseStream } from "./stream.js";

export interface Limits {
  readonly operations: readonly AuditOperation[];
  /** indices of the operations to use; default all */
  readonly only?: readonly number[];
  /** shapes of leaves, `[[]]` for a scalar engine */
  readonly shapes: readonly Shape[];
  /** the output must be the last node */
  readonly lastIsOutput: boolean;
  /** cotangents of the output to choose from */
  readonly seeds: readonly number[];
}

type Profile = "mixed" | "diamonds" | "repeated" | "hub" | "tree";
const profiles: readonly Profile[] = ["mixed", "diamonds", "repeated", "hub", "tree"];
const TRIES = 12;

class Growing {
  readonly inputs: AuditInput[] = [];
  readonly steps: AuditStep[] = [];
  readonly nodes: AuditNode[] = [];
  readonly uses: number[] = [];

  constructor(
    private readonly stream: CaseStream,
    private readonly limits: Limits,
  ) {}

  input(): number {
    const shape = this.stream.pick(this.limits.shapes);
    const data = Array.from({ length: sizeOf(shape) }, () => this.stream.number());
    this.inputs.push({ shape, data });
    this.nodes.push({ shape, value: Float64Array.from(data) });
    this.uses.push(0);
    return this.nodes.length - 1;
  }

  /** Adds a step if it can be judged. */
  step(op: number, operands: readonly number[]): boolean {
    const row = this.limits.operations[op];
    const values = operands.map((v) => this.nodes[v]);
    if (!isTame(row, values)) return false;
    this.steps.push({ op, operands });
    this.nodes.push(stepNode(row, values));
    this.uses.push(0);
    for (const v of operands) this.uses[v]++;
    return true;
  }
}

function chooseOperands(profile: Profile, arity: number, at: Growing, stream: CaseStream): number[] {
  const n = at.nodes.length;
  const first = at.inputs.length;
  const any = (): number =>
    // the newer ones rather than the older
    stream.chance(0.5) ? n - 1 - stream.below(Math.min(3, n)) : stream.below(n);
  switch (profile) {
    case "repeated": {
      const v = any();
      return Array.from({ length: arity }, () => (stream.chance(0.7) ? v : any()));
    }
    case "diamonds":
      // the node before, along two ways
      return Array.from({ length: arity }, () =>
        stream.chance(0.75) ? n - 1 - stream.below(Math.min(2, n)) : any(),
      );
    case "hub":
      // one intermediate that everybody uses
      return Array.from({ length: arity }, () => (n > first && stream.chance(0.5) ? first : any()));
    case "tree": {
      const free = at.uses.flatMap((uses, v) => (uses === 0 ? [v] : []));
      const out: number[] = [];
      while (out.length < arity && free.length > 0) out.push(...free.splice(stream.below(free.length), 1));
      while (out.length < arity) out.push(any());
      return out;
    }
    default:
      return Array.from({ length: arity }, any);
  }
}

const choices = (limits: Limits): readonly number[] => limits.only ?? limits.operations.map((_, i) => i);

/** Brings loose ends together, so that few nodes are dead. */
function gather(at: Growing, limits: Limits, stream: CaseStream): void {
  const binary = choices(limits).filter((i) => limits.operations[i].arity === 2);
  if (binary.length === 0) return;
  for (let tries = 0; tries < TRIES; tries++) {
    const loose = at.uses.flatMap((uses, v) => (uses === 0 && v !== at.nodes.length - 1 ? [v] : []));
    if (loose.length === 0) return;
    const pair = [at.nodes.length - 1, stream.pick(loose)];
    if (stream.chance(0.5)) pair.reverse();
    at.step(stream.pick(binary), pair);
  }
}

/** A random graph; `item` chooses its kind in turn. */
export function randomAuditGraph(stream: CaseStream, item: number, limits: Limits): AuditGraph {
  return graphOf(profiles[item % profiles.length], stream, limits);
}

/** A random graph in which every node is used once at most. */
export function randomTree(stream: CaseStream, limits: Limits): AuditGraph {
  // what the output does not depend on is no part of a tree: a use that never pays would be a second one
  const graph = prune(graphOf("tree", stream, limits));
  const uses = new Map<number, number>();
  for (const { operands } of graph.steps) for (const v of operands) uses.set(v, (uses.get(v) ?? 0) + 1);
  if ([...uses.values()].every((count) => count === 1)) return graph;
  // where the leaves have run out, the operand that was used before becomes a leaf of its own
  const seen = new Set<number>();
  const inputs = graph.inputs.slice();
  const extra: number[] = [];
  const steps = graph.steps.map(({ op, operands }) => ({
    op,
    operands: operands.map((v) => {
      if (!seen.has(v)) {
        seen.add(v);
        return v;
      }
      extra.push(stream.number());
      return -extra.length;
    }),
  }));
  const first = graph.inputs.length;
  const shape = graph.inputs[0].shape;
  const size = sizeOf(shape);
  for (const x of extra) inputs.push({ shape, data: Array.from({ length: size }, () => x) });
  const move = (v: number): number => (v < 0 ? first - v - 1 : v < first ? v : v + extra.length);
  return {
    inputs,
    steps: steps.map(({ op, operands }) => ({ op, operands: operands.map(move) })),
    output: move(graph.output),
    seed: graph.seed,
  };
}

function graphOf(profile: Profile, stream: CaseStream, limits: Limits): AuditGraph {
  const at = new Growing(stream, limits);
  const inputs = 1 + stream.below(profile === "tree" ? 6 : 4);
  for (let i = 0; i < inputs; i++) at.input();
  const wanted = 1 + stream.below(profile === "tree" ? 6 : 11);
  for (let tries = 0; at.steps.length < wanted && tries < wanted * 4; tries++) {
    const op = stream.pick(choices(limits));
    at.step(op, chooseOperands(profile, limits.operations[op].arity, at, stream));
  }
  for (let tries = 0; at.steps.length === 0 && tries < 64; tries++) {
    const op = stream.pick(choices(limits));
    at.step(
      op,
      Array.from({ length: limits.operations[op].arity }, () => at.input()),
    );
  }
  if (profile === "tree" || stream.chance(0.8)) gather(at, limits, stream);
  const last = at.nodes.length - 1;
  const first = at.inputs.length;
  const inner = !limits.lastIsOutput && last > first && stream.chance(0.15);
  return {
    inputs: at.inputs,
    steps: at.steps,
    output: inner ? first + stream.below(last - first + 1) : last,
    seed: stream.pick(limits.seeds),
  };
}
