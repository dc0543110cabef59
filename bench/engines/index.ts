/** The engines, in the order of the tables. Each is loaded only in the process that runs it. */
import type { Engine } from "./engine.js";

export interface EngineEntry {
  readonly id: string;
  readonly title: string;
  readonly group: "hand" | "peer" | "ours";
  /** folder of the peers that must be installed, see `peers/packages.ts` */
  readonly peer?: "tfjs" | "jax-js" | "adnn";
  load(): Promise<Engine>;
}

export const engines: readonly EngineEntry[] = [
  {
    id: "hand-js",
    title: "hand JavaScript",
    group: "hand",
    load: async () => (await import("./hand-js.js")).handJs,
  },
  {
    id: "hand-c",
    title: "hand C -O3",
    group: "hand",
    load: async () => (await import("./hand-c.js")).handC,
  },
  {
    id: "handles",
    title: "Backsweep, handles",
    group: "ours",
    load: async () => (await import("./handles.js")).handles,
  },
  {
    id: "replay",
    title: "Backsweep, replay",
    group: "ours",
    load: async () => (await import("./handles.js")).replay,
  },
  {
    id: "array",
    title: "Backsweep, arrays",
    group: "ours",
    load: async () => (await import("./array.js")).array,
  },
  {
    id: "loader",
    title: "Backsweep, plain arithmetic",
    group: "ours",
    load: async () => (await import("./loader.js")).loader,
  },
  {
    id: "graph",
    title: "Backsweep, graph()",
    group: "ours",
    load: async () => (await import("./graph.js")).graphEngine,
  },
  {
    id: "tfjs-cpu",
    title: "tfjs cpu f32",
    group: "peer",
    peer: "tfjs",
    load: async () => (await import("./tfjs.js")).tfjs("cpu"),
  },
  {
    id: "tfjs-wasm",
    title: "tfjs wasm f32",
    group: "peer",
    peer: "tfjs",
    load: async () => (await import("./tfjs.js")).tfjs("wasm"),
  },
  {
    id: "jax-js-f32",
    title: "jax-js wasm f32",
    group: "peer",
    peer: "jax-js",
    load: async () => (await import("./jax-js.js")).jaxJs("f32"),
  },
  {
    id: "jax-js-f64",
    title: "jax-js wasm f64",
    group: "peer",
    peer: "jax-js",
    load: async () => (await import("./jax-js.js")).jaxJs("f64"),
  },
  {
    id: "adnn",
    title: "adnn",
    group: "peer",
    peer: "adnn",
    load: async () => (await import("./adnn.js")).adnn,
  },
  {
    id: "object-graph",
    title: "object graph",
    group: "peer",
    load: async () => (await import("./object-graph.js")).objectGraph,
  },
];

export async function loadEngine(id: string): Promise<Engine> {
  const entry = engines.find((engine) => engine.id === id);
  if (entry === undefined) throw new Error(`there is no engine "${id}"`);
  return entry.load();
}
