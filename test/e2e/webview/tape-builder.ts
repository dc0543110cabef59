/**
 * A tape of (value, parents with local derivative), as the seed has it, made into a trace the view can show. It stands
 * apart from the engine on purpose: the view's tests do not depend on how the engine records.
 */
import { Event } from "../../../engine/trace/events.js";
import { NodeKind, ScopeType, type Trace } from "../../../engine/trace/trace.js";

export interface TapeNode {
  readonly name: string | null;
  readonly op: string;
  readonly label: string;
  readonly value: number;
  readonly parents: readonly (readonly [number, number])[];
  readonly line: number;
}

const rules: Record<string, (args: readonly number[]) => { value: number; locals: readonly number[] }> = {
  add: ([a, b]) => ({ value: a + b, locals: [1, 1] }),
  sub: ([a, b]) => ({ value: a - b, locals: [1, -1] }),
  mul: ([a, b]) => ({ value: a * b, locals: [b, a] }),
  div: ([a, b]) => ({ value: a / b, locals: [1 / b, -a / (b * b)] }),
  sin: ([a]) => ({ value: Math.sin(a), locals: [Math.cos(a)] }),
  sqrt: ([a]) => ({ value: Math.sqrt(a), locals: [0.5 / Math.sqrt(a)] }),
};

/** Records operations one by one; operands are indices of earlier nodes. */
export class TapeBuilder {
  readonly nodes: TapeNode[] = [];

  input(name: string, value: number, line = 3): number {
    return this.nodes.push({ name, op: "input", label: name, value, parents: [], line }) - 1;
  }

  op(name: string | null, op: keyof typeof rules, label: string, operands: readonly number[]): number {
    const { value, locals } = rules[op](operands.map((i) => this.nodes[i].value));
    const parents = operands.map((i, slot) => [i, locals[slot]] as const);
    return this.nodes.push({ name, op, label, value, parents, line: 4 + this.nodes.length }) - 1;
  }

  /** The trace of the reverse sweep, breadth first from the last node. */
  trace(accumulation = "sum", graph = "fanOut"): Trace {
    return new Writer(this.nodes, accumulation, graph).write();
  }
}

class Writer {
  private readonly strings: string[] = [];
  private readonly stringIds = new Map<string, number>();
  private readonly mean: number[] = [];
  private readonly events: [kind: number, node: number, edge: number, value: number][] = [];

  constructor(
    private readonly nodes: readonly TapeNode[],
    private readonly accumulation: string,
    private readonly graph: string,
  ) {}

  private text(s: string): number {
    let id = this.stringIds.get(s);
    if (id === undefined) {
      id = this.strings.push(s) - 1;
      this.stringIds.set(s, id);
    }
    return id;
  }

  private row(x: number): number {
    return this.mean.push(x) - 1;
  }

  write(): Trace {
    const { nodes } = this;
    const out = nodes.length - 1;
    const edges = nodes.flatMap((node, to) =>
      node.parents.map(([from, local], slot) => ({ from, to, slot, local: this.row(local) })),
    );
    const valueRow = nodes.map((node) => this.row(node.value));
    const readers = new Map<number, number[]>();
    nodes.forEach((node, to) => {
      if (["mul", "div", "sin", "sqrt"].includes(node.op)) {
        for (const [from] of node.parents) readers.set(from, [...(readers.get(from) ?? []), to]);
      }
    });
    nodes.forEach((node, id) => {
      if (node.op !== "input") this.events.push([Event.eval, id, -1, valueRow[id]]);
      if (readers.has(id)) this.events.push([Event.store, id, -1, valueRow[id]]);
    });
    this.sweep(out, edges, readers);
    return this.tables(edges, valueRow, out);
  }

  private sweep(
    out: number,
    edges: readonly { from: number; to: number }[],
    readers: Map<number, number[]>,
  ): void {
    const { nodes } = this;
    const onPath = new Uint8Array(nodes.length);
    onPath[out] = 1;
    const edgesOf: number[][] = nodes.map(() => []);
    const uses = new Int32Array(nodes.length);
    for (let e = edges.length - 1; e >= 0; e--) {
      edgesOf[edges[e].to].unshift(e);
      if (onPath[edges[e].to] === 0) continue;
      onPath[edges[e].from] = 1;
      uses[edges[e].from]++;
    }
    const bar = new Float64Array(nodes.length);
    bar[out] = 1;
    this.events.push([Event.seed, out, -1, this.row(1)], [Event.final, out, -1, this.row(1)]);
    const queue = [out];
    for (let head = 0; head < queue.length; head++) {
      const child = queue[head];
      nodes[child].parents.forEach(([parent, local], slot) => {
        const contribution = bar[child] * local;
        const overwrites =
          this.accumulation === "last-writer-wins:all" ||
          (this.accumulation === "last-writer-wins" && nodes[parent].op !== "input");
        bar[parent] = overwrites ? contribution : bar[parent] + contribution;
        this.events.push([Event.contribute, parent, edgesOf[child][slot], this.row(contribution)]);
        if (--uses[parent] > 0) return;
        this.events.push([Event.final, parent, -1, this.row(bar[parent])]);
        if (nodes[parent].op !== "input") queue.push(parent);
      });
      for (const [node, list] of readers) {
        const at = list.indexOf(child);
        if (at < 0) continue;
        list.splice(at, list.filter((reader) => reader === child).length);
        if (list.length === 0) this.events.push([Event.free, node, -1, -1]);
      }
    }
  }

  private tables(
    edges: readonly { from: number; to: number; slot: number; local: number }[],
    valueRow: number[],
    out: number,
  ): Trace {
    const { nodes, events } = this;
    const file = this.text("fan-out.graph.ts");
    const ints = (list: readonly number[]): Int32Array => Int32Array.from(list);
    const n = nodes.length;
    const inputs = nodes.flatMap((node, first) =>
      node.op === "input" ? [{ name: node.name ?? "", first, count: 1, shape: [] }] : [],
    );
    const none = new Int32Array(0);
    const columns = {
      op: ints(nodes.map((node) => this.text(node.op))),
      name: ints(nodes.map((node) => (node.name === null ? -1 : this.text(node.name)))),
      label: ints(nodes.map((node) => this.text(node.label))),
    };
    const scopeName = this.text("module");
    return {
      header: {
        format: "backsweep-trace",
        version: 1,
        engine: { name: "tape-builder", version: "0" },
        language: "typescript",
        root: "/w",
        options: {
          graph: this.graph,
          dtype: "f64",
          cotangentDtype: "f64",
          accumulation: this.accumulation,
          order: "breadth",
          schedule: "store-all",
          seed: 0,
        },
        missing: [],
        inputs,
        outputs: [{ key: null, node: out, value: nodes[out].value, cotangent: 1 }],
        recorded: nodes.length,
        complete: true,
      },
      strings: this.strings,
      files: { n: 1, path: ints([file]), text: ints([-1]) },
      sites: {
        n,
        file: new Int32Array(n),
        line: ints(nodes.map((node) => node.line)),
        col: new Int32Array(n).fill(3),
        endLine: ints(nodes.map((node) => node.line)),
        endCol: new Int32Array(n).fill(20),
        func: new Int32Array(n).fill(-1),
        parent: new Int32Array(n).fill(-1),
      },
      scopes: {
        n: 1,
        parent: ints([-1]),
        name: ints([scopeName]),
        type: Uint8Array.of(ScopeType.module),
        iteration: ints([-1]),
        site: ints([-1]),
      },
      values: { n: this.mean.length, mean: Float64Array.from(this.mean) },
      nodes: {
        n,
        ...columns,
        kind: Uint8Array.from(nodes, (node) => (node.op === "input" ? NodeKind.input : NodeKind.op)),
        site: Int32Array.from({ length: n }, (_, i) => i),
        instance: new Int32Array(n).fill(-1),
        owner: new Int32Array(n).fill(-1),
        scope: new Int32Array(n),
        value: ints(valueRow),
      },
      edges: {
        n: edges.length,
        from: ints(edges.map((e) => e.from)),
        to: ints(edges.map((e) => e.to)),
        slot: ints(edges.map((e) => e.slot)),
        local: ints(edges.map((e) => e.local)),
      },
      constants: { n: 0, node: none, slot: none, value: new Float64Array(0) },
      events: {
        n: events.length,
        kind: Uint8Array.from(events, (e) => e[0]),
        node: ints(events.map((e) => e[1])),
        edge: ints(events.map((e) => e[2])),
        value: ints(events.map((e) => e[3])),
      },
      decisions: {
        n: 0,
        op: none,
        a: none,
        b: none,
        left: new Float64Array(0),
        right: new Float64Array(0),
        outcome: new Uint8Array(0),
        site: none,
        scope: none,
        at: none,
      },
      draws: { n: 0, value: new Float64Array(0), site: none },
      notes: { n: 0, code: none, node: none, site: none, text: none },
    };
  }
}
