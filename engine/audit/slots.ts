/** Which node a write is about: from the object, array or map that is written to, and the key. */
import type { Outcome, Write } from "./outcome.js";

/** What stands in the slot when the write is done, for numbers; NaN where that cannot be told. */
export function afterOf({ operator, value, before }: Write): number {
  if (typeof value !== "number") return Number.NaN;
  const old = typeof before === "number" ? before : 0;
  switch (operator) {
    case "=":
    case "push":
    case "set":
    case "with":
    case "spread":
      return value;
    case "+=":
      return old + value;
    case "-=":
      return old - value;
    case "*=":
      return old * value;
    default:
      return Number.NaN;
  }
}

function ownEntries(handle: unknown): [string, unknown][] {
  if (typeof handle !== "object" || handle === null || Array.isArray(handle) || ArrayBuffer.isView(handle))
    return [];
  const out: [string, unknown][] = [];
  for (const [key, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(handle)))
    // a getter of the user's is not called
    if ("value" in descriptor) out.push([key, descriptor.value]);
  return out;
}

/** Objects that belong to one node alone: its handle, and what only its handle holds. */
function objectsOf(handles: readonly unknown[]): Map<unknown, number> {
  const owner = new Map<unknown, number>();
  const shared = new Set<unknown>();
  const claim = (object: unknown, v: number): void => {
    if ((typeof object !== "object" && typeof object !== "function") || object === null) return;
    const known = owner.get(object);
    if (known !== undefined && known !== v) shared.add(object);
    else owner.set(object, v);
  };
  handles.forEach((handle, v) => claim(handle, v));
  const isHandle = new Set(handles);
  handles.forEach((handle, v) => {
    for (const [, value] of ownEntries(handle)) if (!isHandle.has(value)) claim(value, v);
  });
  for (const object of shared) if (!isHandle.has(object)) owner.delete(object);
  return owner;
}

/** Nodes by the number or name that stands for them: the handle itself, or a property in which all handles differ. */
function keysOf(handles: readonly unknown[], form: "engine" | "sweep"): Map<unknown, number> {
  const keys = new Map<unknown, number>();
  if (form === "sweep") {
    handles.forEach((_, v) => keys.set(v, v));
    return keys;
  }
  if (handles.every((handle) => typeof handle === "number" || typeof handle === "string")) {
    handles.forEach((handle, v) => keys.set(handle, v));
    return keys;
  }
  const names = ownEntries(handles[0]).flatMap(([key, value]) =>
    Number.isInteger(value) || typeof value === "string" || typeof value === "symbol" ? [key] : [],
  );
  // an id counts up; a value that happens to be an integer does not
  const telling = /^(_?id|_?index|_?idx|i|node|slot|key|name|ref|ptr)$/i;
  for (const name of [
    ...names.filter((key) => telling.test(key)),
    ...names.filter((key) => !telling.test(key)),
  ]) {
    const values = handles.map((handle) => ownEntries(handle).find(([key]) => key === name)?.[1]);
    if (new Set(values).size !== handles.length || values.includes(undefined)) continue;
    // a gradient that happens to be an integer is no name
    const counts = values.every((x, i) => i === 0 || typeof x !== "number" || x > (values[i - 1] as number));
    if (!telling.test(name) && !counts) continue;
    values.forEach((value, v) => keys.set(value, v));
    return keys;
  }
  return keys;
}

/** Where a write goes: the node, the element of an array of its own, and which of its slots, equal for equal slots. */
export interface SlotPlace {
  readonly node: number;
  readonly slot: unknown;
  readonly element: number;
}

const indexOf = (key: unknown): number =>
  typeof key === "number" || typeof key === "string" ? Number(key) : NaN;

/** The slot a write is about, or null. */
export function slotFinder(outcome: Outcome, form: "engine" | "sweep"): (write: Write) => SlotPlace | null {
  const objects = objectsOf(outcome.handles);
  const keys = keysOf(outcome.handles, form);
  return ({ object, key, operator }) => {
    const direct = objects.get(object);
    if (direct !== undefined) {
      // a field of the node, a field of what it holds, or an element of an array that it holds
      if (object === outcome.handles[direct]) return { node: direct, slot: `.${String(key)}`, element: 0 };
      const element = indexOf(key);
      return Number.isInteger(element)
        ? { node: direct, slot: "[]", element }
        : { node: direct, slot: `..${String(key)}`, element: 0 };
    }
    // of what is copied for each write no two writes are to one object
    const slot = operator === "with" || operator === "spread" ? "copied" : object;
    const found = (node: number | undefined): SlotPlace | null =>
      node === undefined ? null : { node, slot, element: 0 };
    if (typeof key === "object" && key !== null) return found(objects.get(key));
    if (object === null) return null;
    const known = keys.get(key);
    if (known !== undefined) return found(known);
    return typeof key === "string" && /^\d+$/.test(key) ? found(keys.get(Number(key))) : null;
  };
}

/** The node a write is about, or null. */
export function nodeFinder(outcome: Outcome, form: "engine" | "sweep"): (write: Write) => number | null {
  const find = slotFinder(outcome, form);
  return (write) => find(write)?.node ?? null;
}
