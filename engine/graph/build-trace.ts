/** Recorder + sweep -> trace: the only writer of the tables for our own engine. */
import type { Recorder } from "../ops/recorder.js";
import { localDerivatives } from "../sweep/local.js";
import type { Seed, SweepResult } from "../sweep/reverse.js";
import type { FlatTape } from "../sweep/flat.js";
import { meanOf } from "../sweep/mixed.js";
import type { NDArray } from "../tape/ndarray.js";
import { OP_ARRAY, OP_CUSTOM, OP_CUT, OP_INPUT } from "../tape/tape.js";
import {
  NodeKind,
  type EventsTable,
  type NotesTable,
  type SegmentsTable,
  type SlotsTable,
  type Trace,
  type TraceHeader,
} from "../trace/trace.js";
import { buildEvents } from "./build-events.js";
import { buildArrays } from "./build-arrays.js";
import { codeName, operationName } from "./code-name.js";
import type { NodeNames } from "./node-names.js";
import type { Interner } from "./interner.js";
import type { Kept } from "./kept.js";
import type { Shown, ShownSweep } from "./shown.js";
import { SiteCollector } from "./site-collector.js";
import type { Note } from "../report/report.js";

/** The tables every sweep over one recording shares. */
export interface ForwardTables {
  readonly flat: FlatTape;
  /** what is shown of values the tape has dropped; null: it has them all */
  readonly shown: Shown | null;
  readonly strings: Interner;
  readonly base: Pick<Trace, "files" | "sites" | "scopes" | "nodes" | "constants" | "decisions" | "draws">;
  readonly local: Float64Array;
  /** constant operands that are arrays, and for each row of `constants` which of them it is, -1 for numbers */
  readonly constantArrays: readonly (NDArray | Kept)[];
  readonly constantArray: Int32Array;
}

/**
 * Builds the tables that do not depend on the sweep.
 *
 * @param shown values as they were first computed, where the tape has dropped them
 * @param locals local derivatives by edge, where they were taken piece by piece
 */
export function forwardTables(
  recorder: Recorder,
  flat: FlatTape,
  names: NodeNames,
  root: string,
  shown: Shown | null = null,
  locals: Float64Array | null = null,
): ForwardTables {
  const { strings } = names;
  const sites = new SiteCollector(strings, root);
  const { n } = flat;
  const opName = new Int32Array(256).fill(-1);
  const opOf = (code: number): number => {
    if (opName[code] < 0) opName[code] = strings.add(codeName(code));
    return opName[code];
  };
  const nodes = {
    n,
    op: new Int32Array(n),
    kind: new Uint8Array(n),
    ...names.columns,
    label: new Int32Array(n).fill(-1),
    site: new Int32Array(n),
    scope: flat.scope.slice(),
    value: new Int32Array(n),
  };
  const constantNode: number[] = [];
  const constantSlot: number[] = [];
  const constantValue: number[] = [];
  const constantArrays: (NDArray | Kept)[] = [];
  const constantArray: number[] = [];
  for (let v = 0; v < n; v++) {
    const code = flat.op[v];
    nodes.op[v] =
      code === OP_CUSTOM
        ? strings.add(recorder.customRules.get(v)!.name)
        : code === OP_ARRAY
          ? strings.add(operationName(flat, v))
          : opOf(code);
    nodes.kind[v] =
      code === OP_INPUT
        ? NodeKind.input
        : code === OP_CUSTOM
          ? NodeKind.custom
          : code === OP_CUT
            ? NodeKind.opaque
            : NodeKind.op;
    nodes.site[v] = sites.add(flat.site[v]);
    nodes.value[v] = v;
    if (code !== OP_INPUT) nodes.label[v] = sites.expression(flat.site[v]);
    for (let k = flat.operandStart[v]; k < flat.operandStart[v + 1]; k++) {
      if (flat.operand[k] >= 0) continue;
      constantNode.push(v);
      constantSlot.push(k - flat.operandStart[v]);
      const array = shown?.constants.get(flat.operand[k]) ?? flat.arrays?.constant(flat.operand[k]) ?? null;
      constantValue.push(array === null ? flat.constants[~flat.operand[k]] : meanShown(array));
      constantArray.push(array === null ? -1 : constantArrays.push(array) - 1);
    }
  }
  const local = locals ?? localDerivatives(flat, recorder.customRules);
  const scopes = {
    n: recorder.scopes.length,
    parent: recorder.scopes.parent.flat(),
    name: recorder.scopes.name.flat().map((i) => strings.add(recorder.scopes.names[i])),
    type: recorder.scopes.type.flat(),
    iteration: recorder.scopes.iteration.flat(),
    site: recorder.scopes.site.flat().map((site) => sites.add(site)),
  };
  const d = recorder.decisions;
  const decisions = {
    n: d.op.length,
    op: Int32Array.from(d.op, (op) => strings.add(op)),
    a: d.a.flat(),
    b: d.b.flat(),
    left: d.left.flat(),
    right: d.right.flat(),
    outcome: d.outcome.flat(),
    site: d.site.flat().map((site) => sites.add(site)),
    scope: d.scope.flat(),
    at: d.at.flat(),
  };
  const draws = {
    n: recorder.draws.value.length,
    value: recorder.draws.value.flat(),
    site: recorder.draws.site.flat().map((site) => sites.add(site)),
  };
  const constants = {
    n: constantNode.length,
    node: Int32Array.from(constantNode),
    slot: Int32Array.from(constantSlot),
    value: Float64Array.from(constantValue),
  };
  return {
    flat,
    shown,
    strings,
    local,
    constantArrays,
    constantArray: Int32Array.from(constantArray),
    base: { files: sites.files(), sites: sites.table(), scopes, nodes, constants, decisions, draws },
  };
}

/** What a recording with segments has beside its tape and its sweep. */
export interface Parts {
  /** null: the graph was not made of steps */
  readonly segments: SegmentsTable | null;
  /** arrays that the sweep let go; null where it kept them all */
  readonly shownSweep: ShownSweep | null;
  /** the events and slots under a schedule; null: everything is stored */
  readonly storage: { readonly events: EventsTable; readonly slots: SlotsTable } | null;
}

/** The mean of a constant, which may have been kept in part. */
function meanShown(array: NDArray | Kept): number {
  return "mean" in array ? array.mean : meanOf(array);
}

/** Completes the tables with a sweep (or none, for a recording that stopped early). */
export function completeTrace(
  forward: ForwardTables,
  header: TraceHeader,
  sweep: SweepResult | null,
  active: Uint8Array,
  seeds: readonly Seed[],
  notes: readonly Note[],
  parts: Parts | null = null,
): Trace {
  const { flat, shown, strings, base, local, constantArrays, constantArray } = forward;
  const { n } = flat;
  const E = flat.edgeFrom.length;
  const numbers = n + E + (sweep === null ? 0 : E + n + seeds.length);
  const mean = new Float64Array(numbers + constantArrays.length);
  constantArrays.forEach((array, i) => (mean[numbers + i] = meanShown(array)));
  mean.set(shown?.column(n) ?? flat.value, 0);
  mean.set(local, n);
  if (sweep !== null) {
    mean.set(sweep.contribution, n + E);
    mean.set(sweep.cotangent, n + 2 * E);
    seeds.forEach((seed, i) => (mean[2 * n + 2 * E + i] = seed.cotangent));
  }
  const localRow = new Int32Array(E);
  for (let e = 0; e < E; e++) localRow[e] = flat.op[flat.edgeTo[e]] === OP_ARRAY ? -1 : n + e;
  const arrays = buildArrays(flat, mean, sweep, seeds, constantArrays, shown, parts?.shownSweep ?? null);
  return {
    header,
    files: base.files,
    sites: base.sites,
    scopes: base.scopes,
    values: { n: mean.length, mean },
    ...(arrays === null ? {} : { arrays }),
    nodes: base.nodes,
    edges: { n: E, from: flat.edgeFrom, to: flat.edgeTo, slot: flat.edgeSlot, local: localRow },
    constants:
      constantArrays.length === 0
        ? base.constants
        : { ...base.constants, row: constantArray.map((i) => (i < 0 ? -1 : numbers + i)) },
    events: parts?.storage?.events ?? buildEvents(flat, sweep, active, seeds),
    ...(parts === null || parts.segments === null ? {} : { segments: parts.segments }),
    ...(parts === null || parts.storage === null ? {} : { slots: parts.storage.slots }),
    decisions: base.decisions,
    draws: base.draws,
    notes: notesTable(strings, notes),
    strings: strings.list,
  };
}

function notesTable(strings: Interner, notes: readonly Note[]): NotesTable {
  return {
    n: notes.length,
    code: Int32Array.from(notes, (note) => strings.add(note.code)),
    node: Int32Array.from(notes, (note) => note.node),
    site: new Int32Array(notes.length).fill(-1),
    text: Int32Array.from(notes, (note) => strings.add(note.message)),
  };
}
