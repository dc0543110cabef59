/** What one run of a foreign engine on one graph gave, read into plain numbers. */
import type { ObservedDraw, ObservedWrite } from "../tape/writes.js";
import { sizeOf, type Shape } from "../tape/ndarray.js";
import type { Held } from "./held-values.js";

export type Phase = "forward" | "backward" | "again";

/** A write as it happened: in which phase, and in the forward phase while which node was made. */
export interface Write extends ObservedWrite {
  readonly phase: Phase;
  readonly node: number;
}

export interface Draw extends ObservedDraw {
  readonly phase: Phase;
}

/** The engine gave no gradient at all. */
export interface Trouble {
  readonly kind: "threw" | "overflow" | "promise" | "unreadable" | "visits";
  /** one line: what happened, in which call of the adapter */
  readonly message: string;
  readonly error: unknown;
}

export interface Outcome {
  readonly trouble: Trouble | null;
  /** what the engine calls the nodes: handles, or the entries of a tape */
  readonly handles: readonly unknown[];
  /** values as the engine tells them: as each node was made, before the sweep, after it; null where it does not */
  readonly made: readonly (Float64Array | null)[];
  readonly before: readonly (Float64Array | null)[];
  readonly after: readonly (Float64Array | null)[];
  /** what the handles hold at the same three times; empty where nothing is observed */
  readonly held: {
    readonly made: readonly Held[];
    readonly before: readonly Held[];
    readonly after: readonly Held[];
  };
  /** cotangents by node; null where they cannot be read (only leaves must) */
  readonly gradient: readonly (Float64Array | null)[];
  /** the same after a second sweep over the same graph; null where none was made */
  readonly again: readonly (Float64Array | null)[] | null;
  /** node that the second sweep was to begin at; null: where the first did */
  readonly from: number | null;
  /** remarks on gradients that could be read but not as they should be */
  readonly remarks: readonly string[];
  readonly writes: readonly Write[];
  readonly draws: readonly Draw[];
  /** writes in all, of which only the first are kept */
  readonly writeCount: number;
  /** times the parents of a tape's entries were read */
  readonly reads: number;
}

/** Elements of a number, nested arrays or a flat array; null when something in it is no number. */
export function elementsOf(value: unknown): number[] | null {
  const out: number[] = [];
  // nesting is as deep as the shape, so a short list of what is still to do is enough
  const open: unknown[] = [value];
  while (open.length > 0) {
    const at = open.pop();
    if (typeof at === "number") out.push(at);
    else if (Array.isArray(at) || ArrayBuffer.isView(at)) {
      const list = at as unknown as ArrayLike<unknown>;
      for (let i = list.length - 1; i >= 0; i--) open.push(list[i]);
    } else return null;
  }
  return out;
}

export type Read =
  { readonly data: Float64Array; readonly problem: null } | { readonly data: null; readonly problem: string };

function describe(value: unknown): string {
  if (value === null) return "null";
  if (value instanceof Promise || typeof (value as { then?: unknown })?.then === "function")
    return "a promise";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "string") return "a string";
  return typeof value === "object"
    ? "an object"
    : typeof value === "undefined"
      ? "undefined"
      : `a ${typeof value}`;
}

/** A value of the user's as the elements of a node of this shape. */
export function readElements(value: unknown, shape: Shape): Read {
  const size = sizeOf(shape);
  const found = elementsOf(value);
  if (found === null) return { data: null, problem: `is ${describe(value)}, not a number` };
  if (found.length !== size)
    return {
      data: null,
      problem: `has ${found.length} elements, its node has ${size}`,
    };
  return { data: Float64Array.from(found), problem: null };
}
