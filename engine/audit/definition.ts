/**
 * What a user's `*.audit.ts` exports: an adapter of a few lines through which another reverse-mode engine is run, or a
 * bare sweep over a tape.
 */
import { call } from "../tape/callsite.js";
import { BacksweepError } from "../trace/failure.js";

/** Numbers nested to any depth: a scalar, a list, a matrix, ... */
export type Nested = number | readonly Nested[];

/** An operation that the table of primitives does not have. */
export interface OwnOperation<N> {
  /** the engine's operation on its own nodes */
  apply(...operands: N[]): N;
  /**
   * The value in plain numbers. Absent: the engine decides (it draws, or it branches on a state of its own), and what
   * `value(node)` reads after the forward pass is taken as given.
   */
  value?(...operands: number[]): number;
  /** partial derivatives, one an operand; the operation's own value `y` is the last argument */
  locals(...operandsAndY: number[]): readonly number[];
}

export type Operation<N> = ((...operands: N[]) => N) | OwnOperation<N>;

interface Hooks<N> {
  /** any subset of the primitive table by name, and operations of its own */
  readonly operations: Readonly<Record<string, Operation<N>>>;
  /** runs the reverse sweep from this node, whose cotangent is 1 */
  backward(output: N): unknown;
  /** called before each new graph, where the engine has a tape or other state to begin anew */
  begin?(): void;
  /** called before a second sweep over the same graph; a sweep after it must give the same gradient */
  reset?(nodes: readonly N[]): void;
  /** relative error that is still right; default 1e-9, and 1e-4 where every gradient is a binary32 number */
  readonly tolerance?: number;
  /** true: an engine that walks every path is meant to */
  readonly allowExponential?: boolean;
}

export interface ScalarEngine<N> extends Hooks<N> {
  readonly mode?: "scalar";
  leaf(value: number): N;
  /** the cotangent of a node after `backward`; undefined or null for a node that was never reached */
  gradient(node: N): number | null | undefined;
  value?(node: N): number;
}

/** An engine on arrays. Operations act element by element and broadcast; the output's elements are summed. */
export interface ArrayEngine<N> extends Hooks<N> {
  readonly mode: "array";
  leaf(value: Nested): N;
  /** nested arrays, or a flat typed array in row-major order */
  gradient(node: N): Nested | ArrayLike<number> | null | undefined;
  value?(node: N): Nested | ArrayLike<number>;
  /** shapes leaves take, for instance `[[2, 3], [3], [2, 1], []]`; default those of up to two axes that broadcast */
  readonly shapes?: readonly (readonly number[])[];
}

export type SweepTape = { value: number; parents: [index: number, local: number][] }[];

/** Cotangents of all nodes of a tape whose last node has cotangent `seed` (1 where the sweep takes no second argument). */
export type BareSweep = (
  tape: SweepTape,
  seed: number,
) =>
  | ArrayLike<number | null | undefined>
  | ReadonlyMap<number, number>
  | Readonly<Record<number, number | null | undefined>>;

export interface SweepAuditOptions {
  /** "pairs": the tape is `[[value, parents], ...]` */
  readonly form?: "records" | "pairs";
  readonly tolerance?: number;
  readonly allowExponential?: boolean;
}

/** The adapter with its types forgotten: what the audit works with. */
export interface AnyEngine {
  readonly mode?: "scalar" | "array";
  readonly operations: Readonly<Record<string, Operation<unknown>>>;
  readonly tolerance?: number;
  readonly allowExponential?: boolean;
  readonly shapes?: readonly (readonly number[])[];
  leaf(value: unknown): unknown;
  backward(output: unknown): unknown;
  gradient(node: unknown): unknown;
  value?(node: unknown): unknown;
  begin?(): void;
  reset?(nodes: readonly unknown[]): void;
}

export type AuditDefinition =
  | {
      readonly kind: "backsweep.audit";
      readonly form: "engine";
      readonly engine: AnyEngine;
      readonly site: number;
      /** made where it was defined: its stack says where that is, in a module that announces no calls */
      readonly origin: Error;
      /** what is wrong with it, where that is kept until it is asked for: it cannot be used */
      readonly wrong?: BacksweepError;
    }
  | {
      readonly kind: "backsweep.audit";
      readonly form: "sweep";
      readonly sweep: (tape: unknown, seed: number) => unknown;
      readonly options: SweepAuditOptions;
      readonly site: number;
      readonly origin: Error;
    };

const required = ["leaf", "backward", "gradient"] as const;
const optional = ["value", "begin", "reset"] as const;
const known = new Set([
  ...required,
  ...optional,
  "operations",
  "tolerance",
  "mode",
  "shapes",
  "allowExponential",
]);

const sweepOptions = new Set(["form", "tolerance", "allowExponential"]);

/** A module is being loaded, and what is wrong with one adapter is no reason to leave out the others. */
let keepsWrong = false;

/** Says whether an adapter that is wrong throws at once (as in a program, the default) or when it is audited. */
export function keepWrongAudits(keep: boolean): void {
  keepsWrong = keep;
}

function definedOrWrong(site: number, make: (origin: Error) => AuditDefinition): AuditDefinition {
  const origin = new Error("audit");
  if (!keepsWrong) return make(origin);
  try {
    return make(origin);
  } catch (error) {
    if (!(error instanceof BacksweepError)) throw error;
    const none = (): never => {
      throw error;
    };
    const engine: AnyEngine = { operations: {}, leaf: none, backward: none, gradient: none };
    return Object.freeze({ kind: "backsweep.audit", form: "engine", engine, site, origin, wrong: error });
  }
}

function refuse(message: string, site: number): never {
  throw new BacksweepError("definition", message, site);
}

function checkTolerance(name: string, tolerance: unknown, site: number): void {
  if (tolerance !== undefined && !(typeof tolerance === "number" && tolerance > 0 && tolerance < 1))
    refuse(`${name}: tolerance must be a number between 0 and 1`, site);
}

/**
 * Declares an engine to be audited: how to make a leaf, the operations to try, how to sweep, how to read a gradient.
 *
 * @throws BacksweepError `definition` where a part is missing or of the wrong kind
 */
export function audit<N>(engine: ScalarEngine<N>): AuditDefinition;
export function audit<N>(engine: ArrayEngine<N>): AuditDefinition;
export function audit(engine: unknown): AuditDefinition {
  const { site } = call;
  return definedOrWrong(site, (origin) => adapter(engine, site, origin));
}

function adapter(engine: unknown, site: number, origin: Error): AuditDefinition {
  if (typeof engine !== "object" || engine === null)
    refuse("audit({ leaf, operations, backward, gradient }): give an object", site);
  const given = engine as Record<string, unknown>;
  for (const name of required) {
    if (typeof given[name] !== "function") refuse(`audit: ${name} must be a function`, site);
  }
  for (const name of optional) {
    if (given[name] !== undefined && typeof given[name] !== "function")
      refuse(`audit: ${name} must be a function`, site);
  }
  const strange = Object.keys(given).find((key) => !known.has(key));
  if (strange !== undefined)
    refuse(`audit: there is no option "${strange}" (${[...known].join(", ")})`, site);
  if (given.mode !== undefined && given.mode !== "scalar" && given.mode !== "array")
    refuse('audit: mode is "scalar" or "array"', site);
  checkTolerance("audit", given.tolerance, site);
  const operations = given.operations;
  if (typeof operations !== "object" || operations === null || Object.keys(operations).length === 0)
    refuse("audit: operations must name at least one operation: { add(a, b) { ... } }", site);
  return Object.freeze({
    kind: "backsweep.audit",
    form: "engine",
    engine: engine as AnyEngine,
    site,
    origin,
  });
}

/**
 * Declares a bare sweep to be audited: a function from a tape and the last node's cotangent to all cotangents.
 *
 * @throws BacksweepError `definition` when it is no function
 */
export function auditSweep(sweep: BareSweep, options: SweepAuditOptions = {}): AuditDefinition {
  const { site } = call;
  return definedOrWrong(site, (origin) => bareSweep(sweep, options, site, origin));
}

function bareSweep(
  sweep: BareSweep,
  options: SweepAuditOptions,
  site: number,
  origin: Error,
): AuditDefinition {
  if (typeof sweep !== "function")
    refuse("auditSweep((tape, seed) => cotangents): the argument must be a function", site);
  const strange = Object.keys(options).find((key) => !sweepOptions.has(key));
  if (strange !== undefined)
    refuse(`auditSweep: there is no option "${strange}" (${[...sweepOptions].join(", ")})`, site);
  checkTolerance("auditSweep", options.tolerance, site);
  const plain = sweep as (tape: unknown, seed: number) => unknown;
  return Object.freeze({ kind: "backsweep.audit", form: "sweep", sweep: plain, options, site, origin });
}

/** True for what `audit(...)` and `auditSweep(...)` return. */
export function isAudit(value: unknown): value is AuditDefinition {
  return (
    typeof value === "object" && value !== null && (value as { kind?: unknown }).kind === "backsweep.audit"
  );
}
