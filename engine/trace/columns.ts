/**
 * A result is a small tree of plain data with large typed arrays in it. The tree goes over the IPC channel as a message;
 * the bytes of the arrays follow on a pipe of their own, because the channel moves some 50 MB/s and holds the event loop
 * while it decodes, and because so each column gets a buffer of its own (the view transfers them one by one).
 */

const kinds = {
  Int8Array,
  Uint8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
} as const;

type Kind = keyof typeof kinds;
export type Column = InstanceType<(typeof kinds)[Kind]>;

/** Stands for a typed array in a packed tree. */
interface Slot {
  readonly $column: number;
}

/** Stands for a number that JSON, in which VS Code writes its messages to a view, has no word for. */
interface Odd {
  readonly $number: string;
}

function isOdd(value: unknown): value is number {
  return typeof value === "number" && (!Number.isFinite(value) || Object.is(value, -0));
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

interface Shape {
  readonly kind: Kind;
  readonly length: number;
}

export interface Packed {
  readonly tree: unknown;
  readonly shapes: readonly Shape[];
}

function isColumn(value: unknown): value is Column {
  return ArrayBuffer.isView(value) && !(value instanceof DataView);
}

export interface Pack {
  readonly packed: Packed;
  readonly columns: readonly Column[];
  /** the tree has NaN, an infinity or -0 outside its columns: JSON would make null or 0 of it */
  readonly odd: boolean;
}

/** Takes the typed arrays out of a tree of plain data. Arrays of strings and ordinary numbers are kept as they are. */
export function pack(value: unknown): Pack {
  let odd = false;
  const columns: Column[] = [];
  const shapes: Shape[] = [];
  // two sweeps over one recording share their forward columns: each travels once
  const known = new Map<Column, number>();
  const walk = (node: unknown): unknown => {
    if (isColumn(node)) {
      let index = known.get(node);
      if (index === undefined) {
        index = columns.push(node) - 1;
        known.set(node, index);
        shapes.push({ kind: node.constructor.name as Kind, length: node.length });
      }
      return { $column: index } satisfies Slot;
    }
    if (isOdd(node)) {
      odd = true;
      return { $number: Object.is(node, -0) ? "-0" : String(node) } satisfies Odd;
    }
    if (!isObject(node)) return node;
    if (Array.isArray(node))
      return node.some((item) => isObject(item) || isOdd(item)) ? node.map(walk) : node;
    return Object.fromEntries(Object.entries(node).map(([key, child]) => [key, walk(child)]));
  };
  const tree = walk(value);
  return { packed: { tree, shapes }, columns, odd };
}

/** The bytes of a column, without a copy. */
export function bytesOf(column: Column): Uint8Array {
  return new Uint8Array(column.buffer, column.byteOffset, column.byteLength);
}

/** Receives the bytes of one packed tree in pieces of any size. */
export class Unpacker {
  private readonly columns: readonly Column[];
  private readonly targets: readonly Uint8Array[];
  private at = 0;
  private filled = 0;

  constructor(private readonly packed: Packed) {
    this.columns = packed.shapes.map(({ kind, length }) => new kinds[kind](length));
    this.targets = this.columns.map(bytesOf);
    this.skipEmpty();
  }

  get complete(): boolean {
    return this.at === this.targets.length;
  }

  /** Copies from `chunk` what belongs to this tree; returns how many bytes that was. */
  take(chunk: Uint8Array): number {
    let used = 0;
    while (!this.complete && used < chunk.length) {
      const target = this.targets[this.at];
      const count = Math.min(target.length - this.filled, chunk.length - used);
      target.set(chunk.subarray(used, used + count), this.filled);
      used += count;
      this.filled += count;
      this.skipEmpty();
    }
    return used;
  }

  /** The tree with its arrays in place. */
  value(): unknown {
    const walk = (node: unknown): unknown => {
      if (!isObject(node)) return node;
      if (Array.isArray(node)) return node.some(isObject) ? node.map(walk) : node;
      const { $column: slot, $number: odd } = node as Partial<Slot & Odd>;
      if (slot !== undefined) return this.columns[slot];
      if (odd !== undefined) return Number(odd);
      return Object.fromEntries(Object.entries(node).map(([key, child]) => [key, walk(child)]));
    };
    return walk(this.packed.tree);
  }

  private skipEmpty(): void {
    while (this.at < this.targets.length && this.filled === this.targets[this.at].length) {
      this.at++;
      this.filled = 0;
    }
  }
}
