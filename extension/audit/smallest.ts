/** The smallest graph on which an audited engine fails, as a file that can be run, and its two sweeps side by side. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as vscode from "vscode";
import { foreignTrace, traceNodes } from "../../engine/audit/counterpart.js";
import type { SmallestGraph } from "../../engine/audit/result.js";
import type { FaultView } from "../../engine/protocol.js";
import type { Gradient, GradientValue } from "../../engine/report/report.js";
import type { RunSuccess } from "../../runner/messages.js";
import type { Audited } from "./audits.js";
import { lostText } from "./verdict.js";

/** The name the definition exports, and how its file's name ends. */
const GRAPH = "smallest";
const SUFFIX = ".smallest.graph.ts";

/** Whose sweep stands beside ours, and the node to look at first. */
export interface ForeignSweep {
  readonly engine: string;
  readonly node: number;
  readonly fault: FaultView | null;
  /** it was on screen before the window was reloaded: it is looked at where it was left */
  readonly restored: boolean;
}

/** The engine that a smallest graph is of. */
export interface AuditedIn {
  readonly uri: vscode.Uri;
  readonly engine: string;
}

/** Writes the definition into a folder of the extension's own, and beside it whose it is; gives its uri and the graph's name. */
export async function writeSmallest(
  folder: string,
  { uri, engine }: AuditedIn,
  { definition }: SmallestGraph,
): Promise<{ readonly uri: vscode.Uri; readonly graph: string }> {
  const into = join(folder, "audit");
  await mkdir(into, { recursive: true });
  const file = join(into, `${engine.replace(/[^\w$-]/g, "_")}${SUFFIX}`);
  await writeFile(file, definition);
  await writeFile(originOf(file), JSON.stringify({ uri: uri.toString(), engine }));
  return { uri: vscode.Uri.file(file), graph: GRAPH };
}

/** The engine that a file was written for by `writeSmallest`; null: it is a file like any other. */
export async function auditedIn(folder: string, { fsPath }: vscode.Uri): Promise<AuditedIn | null> {
  if (!fsPath.endsWith(SUFFIX) || dirname(fsPath) !== join(folder, "audit")) return null;
  try {
    const { uri, engine } = JSON.parse(await readFile(originOf(fsPath), "utf8")) as Record<string, unknown>;
    return typeof uri === "string" && typeof engine === "string"
      ? { uri: vscode.Uri.parse(uri), engine }
      : null;
  } catch {
    // written by an earlier version, or gone
    return null;
  }
}

const originOf = (file: string): string => file.replace(/\.graph\.ts$/, ".json");

/** A run as it is shown: whose sweep stands beside ours, and the files that one came from. */
export interface ShownRun {
  readonly run: RunSuccess;
  readonly foreign: ForeignSweep | null;
  readonly files: readonly string[];
}

/** The fault in words; of the lost contribution and of the line's part in it too. */
function faultView({ fault, place, smallest }: Audited): FaultView | null {
  if (fault === null) return null;
  const { detail, operations, marked, summary } = fault;
  const where = operations === null || detail !== "" ? "" : `in ${operations.join(", ")}`;
  const evidence = fault.class === "unclassified" ? fault.evidence : [];
  const lost = smallest === null ? null : lostText(smallest);
  const words = [summary, detail, where, ...evidence, place === null ? null : marked].filter((text) => text);
  const file = place === null ? "" : place.file.split(/[\\/]/).at(-1)!;
  return {
    title: fault.class,
    text: `${words.join("; ")}.${lost === null ? "" : ` ${lost}`}`,
    place:
      place === null
        ? null
        : { label: `${file}:${place.line}`, file: place.file, line: place.line, column: place.column },
  };
}

/** Our run of the definition with the engine's sweep as its counterpart. */
export function besideForeign(run: RunSuccess, audited: Audited, restored: boolean): ShownRun {
  const { engine, smallest, files, fault } = audited;
  const threw = fault !== null && /^(throws|stack overflow)$/.test(fault.class) ? fault.detail : null;
  const counterpart = smallest === null ? null : foreignTrace(run.trace, smallest, threw);
  if (smallest === null || counterpart === null) return { run, foreign: null, files };
  const gradient: Gradient = Object.fromEntries(
    // of what the engine does not tell there is no bar
    Object.entries(smallest.gradient.got).flatMap(([name, got]) =>
      got === null ? [] : [[name, got as GradientValue]],
    ),
  );
  const at = traceNodes(run.trace, smallest) ?? [];
  const { nodes, lost } = smallest;
  const looked = [
    nodes.findIndex(({ name }) => name === lost?.node),
    nodes.findIndex(({ right, got }) => JSON.stringify(right) !== JSON.stringify(got)),
    nodes.findIndex(({ gotValue }) => gotValue !== null),
  ];
  const wrong = looked.find((v) => v >= 0) ?? -1;
  return {
    run: { ...run, counterpart, report: { ...run.report, lastWriterWins: { gradient } } },
    foreign: { engine, node: at[wrong] ?? -1, restored, fault: faultView(audited) },
    files,
  };
}
