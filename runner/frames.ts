/** The user's own frames of an error's stack, with columns of the source. */
import type { ModuleLoader } from "./loader.js";
import type { Place } from "./wire.js";

export interface Frame extends Place {
  /** as shown: "at helper (file:line:column)" */
  readonly text: string;
}

const MOST_FRAMES = 32;
const located = /^\s*at (?:(.*) \()?(.+?):(\d+):(\d+)\)?$/;

function readStack(error: unknown): string {
  try {
    const stack = (error as { stack?: unknown } | null | undefined)?.stack;
    return typeof stack === "string" ? stack : "";
  } catch {
    // a getter of the user's that throws
    return "";
  }
}

/** The program whose frames are shown as the user wrote them, while it runs. */
let running: ModuleLoader | null = null;

export function showFramesOf(loader: ModuleLoader): void {
  running = loader;
}

/** A text that may hold a stack, as the console prints it: the user's own frames only, with columns of the source. */
export function withUserFrames(text: string): string {
  if (running === null || !text.includes("\n    at ")) return text;
  const rows: string[] = [];
  for (const row of text.split("\n")) {
    const match = located.exec(row);
    if (match === null) {
      rows.push(row);
      continue;
    }
    const loaded = running.find(match[2].replace(/^async /, ""));
    if (loaded === undefined || loaded.compiled === null) continue;
    const column = loaded.compiled.columnMap(Number(match[3]), Number(match[4]));
    rows.push(row.replace(/:\d+(\)?)$/, `:${column}$1`));
  }
  return rows.join("\n");
}

/** Innermost first. Frames of the engine, the runtime, Node and packages are left out. */
export function userFrames(error: unknown, loader: ModuleLoader | null): Frame[] {
  if (loader === null) return [];
  const frames: Frame[] = [];
  for (const row of readStack(error).split("\n")) {
    const match = located.exec(row);
    if (match === null) continue;
    const path = match[2].replace(/^async /, "");
    const loaded = loader.find(path);
    if (loaded === undefined || loaded.compiled === null) continue;
    const line = Number(match[3]);
    const column = loaded.compiled.columnMap(line, Number(match[4]));
    const name = match[1] === undefined ? "" : `${match[1].replace(/^(async |Object\.|Module\.)/, "")} `;
    const text = `at ${name}(${path}:${line}:${column})`;
    frames.push({ file: path, line, column, endLine: line, endColumn: column + 1, text });
    if (frames.length === MOST_FRAMES) break;
  }
  return frames;
}
