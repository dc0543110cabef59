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
