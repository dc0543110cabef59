/**
 * The reverse sweep and the replay over a recording in WebAssembly (wasm/, made from the table of primitives), where there
 * is some: to the bit what the generated JavaScript gives, in about half the time. What a row says in more than an
 * expression is left to that JavaScript, node by node.
 */
import { fromBase64 } from "../kernels/native.js";
import { binary } from "./binary.js";
import type { Columns } from "./columns.js";

/** Nodes from which on the module is worth making. */
const NATIVE_FROM = 1 << 10;

/** Nodes a call: a long first sweep goes over to the host's better code as soon as that is there. */
const STRETCH = 1 << 14;

/** Does one node in JavaScript. */
type NodeByNode = (node: number) => void;

/** Places of the columns, in the order of the module's parameters. */
type Places = readonly [
  value: number,
  cotangent: number,
  contribution: number,
  a: number,
  b: number,
  op: number,
];

interface Exports {
  reverse(from: number, to: number, mask: number, ...places: Places): void;
  forward(from: number, to: number, mask: number, ...places: Places): void;
  sin(x: number): number;
  cos(x: number): number;
  /** whether sin and cos are the module's own, not those of Math */
  own(yes: boolean): void;
}

/** As much of the WebAssembly interface as is used; the engine is compiled without the DOM's types. */
interface WebAssemblyInterface {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown };
}

/** Numbers around every border of the reduction to a quarter turn, next to its multiples, and many sizes between. */
function angles(): number[] {
  const out = [
    0,
    -0,
    1e-9,
    -7e-9,
    0.3,
    -0.3,
    0.78,
    -0.785398163397448,
    2.35,
    -2.36,
    5e5,
    -8e5,
    NaN,
    Infinity,
  ];
  for (let i = 1; i <= 200; i++) {
    // multiples of the golden section lie evenly between 0 and 1
    const even = (i * 0.6180339887498949) % 1;
    out.push((even - 0.5) * [2, 8, 400, 1e6][i % 4], (i - 100) * (Math.PI / 2));
  }
  return out;
}

/** True where the module's sin and cos give the bits of Math on those numbers. */
function agrees({ sin, cos, own }: Exports): boolean {
  own(true);
  return angles().every((x) => Object.is(sin(x), Math.sin(x)) && Object.is(cos(x), Math.cos(x)));
}

/** The module, compiled at the first use; null where that is refused (a content security policy) or not possible. */
let compiled: object | null | undefined;

function compile(): object | null {
  const api = (globalThis as { WebAssembly?: WebAssemblyInterface }).WebAssembly;
  if (api === undefined) return null;
  try {
    return new api.Module(fromBase64(binary));
  } catch {
    return null;
  }
}

/** Whether sin and cos of the module are those of this host; null until it was tried. */
let agreed: boolean | null = null;

export class NativeSweeps {
  private readonly run: Exports;
  private readonly places: Places;
  /** what the rows that are left to JavaScript are done by, while a sweep runs */
  private node: NodeByNode = () => undefined;

  constructor(
    module: object,
    private readonly columns: Columns,
  ) {
    const api = (globalThis as unknown as { WebAssembly: WebAssemblyInterface }).WebAssembly;
    const one = (node: number): void => this.node(node);
    // Math is given as it is, so that the host calls its own code for its functions and not through JavaScript
    const imports = { env: { memory: columns.memory }, math: Math, js: { one } };
    this.run = new api.Instance(module, imports).exports as Exports;
    this.run.own((agreed ??= agrees(this.run)));
    const { value, cotangent, contribution, a, b, op } = columns;
    this.places = [
      value.byteOffset,
      cotangent.byteOffset,
      contribution.byteOffset,
      a.byteOffset,
      b.byteOffset,
      op.byteOffset,
    ];
  }

  /** The reverse sweep from node `start` down to the first. */
  reverse(start: number, node: NodeByNode): void {
    this.node = node;
    for (let from = start; from >= 0; from -= STRETCH)
      this.run.reverse(from, Math.max(from - STRETCH + 1, 0), this.columns.mask, ...this.places);
  }

  /** Values of the nodes before `end`. */
  forward(end: number, node: NodeByNode): void {
    this.node = node;
    for (let from = 0; from < end; from += STRETCH)
      this.run.forward(from, Math.min(from + STRETCH, end), this.columns.mask, ...this.places);
  }
}

const made = new WeakMap<Columns, NativeSweeps>();
let forced: boolean | null = null;

/** What sweeps over so many nodes of these columns; null where that is JavaScript. */
export function nativeSweeps(columns: Columns, nodes: number): NativeSweeps | null {
  if (columns.memory === null || !(forced ?? nodes >= NATIVE_FROM)) return null;
  const known = made.get(columns);
  if (known !== undefined) return known;
  if (compiled === undefined) compiled = compile();
  if (compiled === null) return null;
  const sweeps = new NativeSweeps(compiled, columns);
  made.set(columns, sweeps);
  return sweeps;
}

/** For tests: sweeps of any length in WebAssembly (true) or none (false), until called with null. */
export function forceNative(how: boolean | null): void {
  forced = how;
}
