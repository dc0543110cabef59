/** The smallest graph on which an audited engine fails, as a file that can be run, and its two sweeps side by side. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as vscode from "vscode";
import { foreignTrace, traceNodes } from "../../engine/audit/counterpart.js";
import type { SmallestGraph } from "../../engine/audit/result.js";
import type { Gradient, GradientValue } from "../../engine/report/report.js";
import type { RunSuccess } from "../../runner/messages.js";
import type { Audited } from "./audits.js";

/** The name the definition exports. */
const GRAPH = "smallest";

/** Whose sweep stands beside ours, and the node to look at first. */
export interface ForeignSweep {
  readonly engine: string;
  readonly node: number;
}

/** Writes the definition into a folder of the extension's own; gives its uri and the graph's name. */
export async function writeSmallest(
  folder: string,
  engine: string,
  { definition }: SmallestGraph,
): Promise<{ readonly uri: vscode.Uri; readonly graph: string }> {
  const into = join(folder, "audit");
  await mkdir(into, { recursive: true });
  const file = join(into, `${engine.replace(/[^\w$-]/g, "_")}.smallest.graph.ts`);
  await writeFile(file, definition);
  return { uri: vscode.Uri.file(file), graph: GRAPH };
}

/** A run as it is shown: whose sweep stands beside ours, and the files that one came from. */
export interface ShownRun {
  readonly run: RunSuccess;
  readonly foreign: ForeignSweep | null;
  readonly files: readonly string[];
}

/** Our run of the definition with the engine's sweep as its counterpart. */
export function besideForeign(run: RunSuccess, { engine, smallest, files }: Audited): ShownRun {
  const counterpart = smallest === null ? null : foreignTrace(run.trace, smallest);
  if (smallest === null || counterpart === null) return { run, foreign: null, files };
  const gradient: Gradient = Object.fromEntries(
    Object.entries(smallest.gradient.got).map(([name, got]) => [name, (got ?? NaN) as GradientValue]),
  );
  const at = traceNodes(run.trace, smallest) ?? [];
  const { nodes, lost } = smallest;
  const wrong = nodes.findIndex(({ name, right, got }) =>
    lost === null ? JSON.stringify(right) !== JSON.stringify(got) : name === lost.node,
  );
  return {
    run: { ...run, counterpart, report: { ...run.report, lastWriterWins: { gradient } } },
    foreign: { engine, node: at[wrong] ?? -1 },
    files,
  };
}
