/**
 * What handles hold when a node is made, before the sweep and after it: a field that is every node's value when it is made,
 * and is another number later, was written over, whether the adapter tells values or not.
 */
import { diagnosis, type Diagnosis } from "./diagnosis.js";
import type { Judged } from "./judge.js";

/** Numbers of one node's handle, by the path of the field that holds them. */
export type Held = ReadonlyMap<string, HeldField>;

interface HeldField {
  /** what holds the numbers: the handle, or an object or array of its own */
  readonly container: object;
  readonly numbers: readonly number[];
}

/** Longer arrays are the store of all nodes rather than one's own. */
const MOST = 64;

const isObject = (x: unknown): x is object => typeof x === "object" && x !== null;

/** A field's content; a getter of the user's is not called. */
function entriesOf(object: object): [string, unknown][] {
  return Object.entries(Object.getOwnPropertyDescriptors(object)).flatMap(([key, descriptor]) =>
    "value" in descriptor ? [[key, descriptor.value as unknown]] : [],
  );
}

function listOf(value: unknown): readonly number[] | null {
  if (!Array.isArray(value) && !(ArrayBuffer.isView(value) && "length" in value)) return null;
  const list = value as unknown as ArrayLike<unknown>;
  if (list.length === 0 || list.length > MOST) return null;
  const numbers = Array.from(list);
  return numbers.every((x): x is number => typeof x === "number") ? numbers : null;
}

/** @param handles of all nodes, which are no part of each other */
export function heldBy(handle: unknown, handles: ReadonlySet<unknown>): Held {
  const out = new Map<string, HeldField>();
  if (!isObject(handle) || ArrayBuffer.isView(handle) || Array.isArray(handle)) return out;
  const note = (path: string, container: object, value: unknown): boolean => {
    const list = listOf(value);
    if (typeof value === "number") out.set(path, { container, numbers: [value] });
    else if (list !== null) out.set(path, { container: value as object, numbers: list });
    return typeof value === "number" || list !== null;
  };
  for (const [key, value] of entriesOf(handle)) {
    if (note(key, handle, value) || !isObject(value) || handles.has(value)) continue;
    if (Array.isArray(value) || ArrayBuffer.isView(value)) continue;
    for (const [inner, held] of entriesOf(value)) note(`${key}.${inner}`, value, held);
  }
  return out;
}

const near = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-5 * Math.max(Math.abs(a), Math.abs(b));
const alike = (a: ArrayLike<number>, b: readonly number[]): boolean =>
  a.length === b.length && b.every((x, i) => near(x, a[i]));

/** Fields that hold every node's own value when it is made. */
export function valueFields({ outcome: { held }, truth, graph }: Judged): string[] {
  const { made } = held;
  if (made.length === 0 || made.length !== truth.nodes.length) return [];
  return [...made[0].keys()].filter((path) => {
    const fields = made.map((one) => one.get(path));
    if (!fields.every((one, v) => one !== undefined && alike(truth.nodes[v].value, one.numbers)))
      return false;
    // two nodes may hold one container where one was made in the other's place; else it is a slot that is kept once
    return fields.every((one, v) => {
      const holds = (w: number): boolean => fields[w]!.container === one!.container;
      const before = Array.from({ length: v }, (_, w) => w).filter(holds);
      const operands = graph.steps[v - graph.inputs.length]?.operands ?? [];
      return before.length === 0 || operands.some(holds);
    });
  });
}

/** A value that a handle holds and that is another one later. */
export function changedHeld(judged: Judged): Diagnosis | null {
  const { made, before, after } = judged.outcome.held;
  const changes = (from: readonly Held[], to: readonly Held[], path: string): boolean =>
    from.some((one, v) => {
      const [then, now] = [one.get(path)?.numbers, to[v]?.get(path)?.numbers];
      return then !== undefined && now !== undefined && now.every(Number.isFinite) && !alike(now, then);
    });
  for (const path of valueFields(judged)) {
    const evidence = `the field ${path} of the nodes is their value when they are made, and is another number later`;
    if (changes(made, before, path)) return diagnosis("write after read", "by a later operation", [evidence]);
    if (changes(before, after, path)) return diagnosis("write after read", "by the sweep", [evidence]);
  }
  return null;
}
