/** What a session is about: a recorded sweep, the place in it, and what was changed in a what-if. */
import { Cursor, type Granularity } from "../../engine/debug/cursor.js";
import { Debuggee } from "../../engine/debug/debuggee.js";
import { sameShape } from "../../engine/debug/difference.js";
import type { Trace } from "../../engine/trace/trace.js";
import { traceFiles } from "../places.js";

/** What was changed. */
export interface Change {
  /** "x = 3", "bar(a) = 1" */
  readonly description: string;
  /** nodes whose cotangent was given */
  readonly given: readonly number[];
}

export interface WhatIf extends Change {
  readonly truth: Debuggee;
}

export class State {
  debuggee: Debuggee;
  cursor: Cursor;
  whatIf: WhatIf | null = null;
  /** absolute paths by row of the trace's file table */
  files: readonly string[];
  granularity: Granularity = "contribution";

  /** `right`: of a sweep that loses contributions the one that adds up, which is shown beside it. */
  constructor(trace: Trace, right: Trace | null = null) {
    this.debuggee = besideRight(trace, right);
    this.cursor = new Cursor(this.debuggee);
    this.files = traceFiles(trace);
  }

  /** The true sweep: what is debugged, or what the what-if was made of. */
  get truth(): Debuggee {
    return this.whatIf?.truth ?? this.debuggee;
  }

  /** Debugs another sweep of the same graph, at the same place where it has one. */
  replace(trace: Trace, whatIf: Change | null, right: Trace | null): void {
    const truth = this.truth;
    const { position, focus } = this.cursor;
    const debuggee = besideRight(trace, right);
    debuggee.given = new Set(whatIf?.given);
    this.whatIf = whatIf && { ...whatIf, truth };
    const same = sameShape(truth, debuggee);
    if (whatIf !== null && same) debuggee.truth = truth;
    this.debuggee = debuggee;
    this.cursor = new Cursor(debuggee);
    this.files = traceFiles(trace);
    if (same) this.cursor.moveTo(position, 1, focus);
    else this.cursor.moveTo(position, 1);
  }

  /** The row of the file table for a path, -1: the sweep does not come from it. */
  fileOf(path: string): number {
    const wanted = comparable(path);
    return this.files.findIndex((file) => comparable(file) === wanted);
  }
}

function besideRight(trace: Trace, right: Trace | null): Debuggee {
  const debuggee = new Debuggee(trace);
  if (right !== null) debuggee.truth = new Debuggee(right);
  return debuggee;
}

/** Windows' paths are the same in any case, and VS Code writes the drive's letter small. */
function comparable(path: string): string {
  return /^[a-zA-Z]:[\\/]/.test(path) ? path.toLowerCase().replaceAll("/", "\\") : path;
}
