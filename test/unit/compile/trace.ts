/** Records a graph module through the loader and gives its nodes as plain rows. */
import { GraphRun } from "../../../engine/graph/run.js";
import { resolveOptions } from "../../../engine/graph/options.js";
import type { Trace } from "../../../engine/trace/trace.js";
import { nodeName, nodeOp, primalOf, siteRange } from "../../../engine/trace/read.js";
import { load } from "./harness.js";

export interface Row {
  readonly name: string | null;
  readonly op: string;
  readonly value: number;
  readonly line: number;
  readonly column: number;
  readonly endColumn: number;
}

export interface Traced {
  readonly rows: Row[];
  readonly trace: Trace;
  readonly notes: { code: string; message: string; line: number; column: number; endColumn: number }[];
  readonly decisions: {
    op: string;
    left: number;
    right: number;
    outcome: boolean;
    line: number;
    column: number;
  }[];
  readonly gradient: Readonly<Record<string, unknown>>;
}

export async function trace(text: string | Record<string, string>, graph = "g"): Promise<Traced> {
  const files = typeof text === "string" ? { "main.graph.ts": text } : text;
  const { namespace } = await load(files, "rewritten");
  const definition = namespace[graph] as ConstructorParameters<typeof GraphRun>[0];
  const run = new GraphRun(definition, resolveOptions(definition, {}), {
    name: graph,
    graphs: [graph],
    root: "",
    limitBytes: Infinity,
  });
  const { trace: table, report } = run.run();
  const rows: Row[] = [];
  for (let v = 0; v < table.nodes.n; v++) {
    const place = siteRange(table, table.nodes.site[v]);
    rows.push({
      name: nodeName(table, v),
      op: nodeOp(table, v),
      value: primalOf(table, v),
      line: place?.line ?? 0,
      column: place?.column ?? 0,
      endColumn: place?.endColumn ?? 0,
    });
  }
  const d = table.decisions;
  const decisions = Array.from({ length: d.n }, (_, i) => {
    const place = siteRange(table, d.site[i]);
    return {
      op: table.strings[d.op[i]],
      left: d.left[i],
      right: d.right[i],
      outcome: d.outcome[i] === 1,
      line: place?.line ?? 0,
      column: place?.column ?? 0,
    };
  });
  const notes = report.notes.map(({ code, message, line, column, endColumn }) => ({
    code,
    message,
    line,
    column,
    endColumn,
  }));
  return { rows, trace: table, notes, decisions, gradient: report.gradient };
}

/** Name (or op in brackets) of every node that is no input. */
export function names(traced: Traced): string[] {
  return traced.rows.filter(({ op }) => op !== "input").map(({ name, op }) => name ?? `(${op})`);
}
