/** From whatever ended a run to the one message a user reads. */
import { CompileError } from "../engine/compile/errors.js";
import { thrownAt } from "../engine/compile/runtime/index.js";
import { placeOf } from "../engine/tape/sites.js";
import { BacksweepError } from "../engine/trace/failure.js";
import { userFrames } from "./frames.js";
import { LoadError } from "./load-error.js";
import type { ModuleLoader } from "./loader.js";
import { deadlineMessage, memoryMessage } from "./lost.js";
import type { Failure, FailureKind, RunRequest } from "./messages.js";
import { REQUEST, Request, SITE } from "./monitor.js";
import type { StopState } from "./stop.js";
import type { Place } from "./wire.js";

const LONGEST_MESSAGE = 600;

export interface FailureContext {
  readonly request: RunRequest;
  readonly monitor: Int32Array;
  readonly loader: ModuleLoader | null;
  readonly stop: StopState;
}

/** Kinds that are about what was asked for, not about a place in the source. */
const placeless: ReadonlySet<FailureKind> = new Set(["option", "order"]);

function oneLine(text: string): string {
  const line = text.replace(/\s*\n\s*/g, " ").trim();
  return line.length <= LONGEST_MESSAGE ? line : `${line.slice(0, LONGEST_MESSAGE)}…`;
}

function make(
  kind: FailureKind,
  message: string,
  place: Place | null,
  frames: readonly string[] = [],
): Failure {
  const { file, line, column, endLine, endColumn } = place ?? {
    file: null,
    line: 0,
    column: 0,
    endLine: 0,
    endColumn: 0,
  };
  return { kind, message: oneLine(message), file, line, column, endLine, endColumn, frames };
}

function headOf(file: string): Place {
  return { file, line: 1, column: 1, endLine: 1, endColumn: 1 };
}

function sitePlace(site: number): Place | null {
  const place = placeOf(site);
  if (place === null) return null;
  const { file, line, column, endLine, endColumn } = place;
  return { file, line, column, endLine, endColumn };
}

/** `TypeError: text`, or what was thrown when it is no error. */
function describeThrown(thrown: unknown): string {
  try {
    if (thrown instanceof Error) {
      const { name, message } = thrown;
      return message === "" ? name : `${name}: ${message}`;
    }
    return `thrown: ${typeof thrown === "string" ? JSON.stringify(thrown) : contentOf(thrown)}`;
  } catch {
    return "thrown: a value that cannot be shown";
  }
}

/** Characters of a thrown object that are shown. */
const MOST_SHOWN = 120;

/** `{"odd":1}` in place of `[object Object]`; an object that says what it is says so itself. */
function contentOf(thrown: unknown): string {
  const text = String(thrown);
  if (text !== "[object Object]") return text;
  const content = JSON.stringify(thrown) ?? text;
  return content.length > MOST_SHOWN ? `${content.slice(0, MOST_SHOWN)}...` : content;
}

const commonjs = /^(require|module|exports|__dirname|__filename) is not defined/;

/** Why the run ended, when it was asked to: a request outlasts what user code caught or threw afterwards. */
export function requestedEnd(context: FailureContext): Failure | null {
  const { request, monitor, loader, stop } = context;
  const last = sitePlace(monitor[SITE]);
  if (stop.reason !== null) {
    const frames = userFrames(stop.reason, loader);
    return make(
      stop.reason.kind,
      stop.reason.message,
      frames[0] ?? last ?? headOf(request.file),
      texts(frames),
    );
  }
  switch (monitor[REQUEST]) {
    case Request.deadline:
      return make("deadline", deadlineMessage(request.timeoutMs, last), last ?? headOf(request.file));
    case Request.memory:
      return make("memory", memoryMessage(request.memoryBytes, last), last ?? headOf(request.file));
    case Request.cancel:
      return make("cancelled", "the run was cancelled", null);
    default:
      return null;
  }
}

function texts(frames: readonly { readonly text: string }[]): string[] {
  return frames.map(({ text }) => text);
}

export function failureOf(error: unknown, context: FailureContext): Failure {
  const { request, loader, monitor } = context;
  const requested = requestedEnd(context);
  if (requested !== null) return requested;
  if (error instanceof LoadError) return make(error.kind, error.message, error.place);
  if (error instanceof CompileError) return make(error.kind, error.message, error);
  const frames = userFrames(error, loader);
  if (error instanceof BacksweepError) {
    const place =
      sitePlace(error.site) ?? frames[0] ?? (placeless.has(error.kind) ? null : headOf(request.file));
    return make(error.kind, error.message, place, texts(frames));
  }
  const message = describeThrown(error);
  // the innermost frame of an overflow may be where the runtime leaves the function; the call is the one before
  const overflow = error instanceof RangeError && /call stack/i.test(message) && frames.length > 1;
  const place =
    frames[overflow ? 1 : 0] ??
    sitePlace(thrownAt(error)) ??
    sitePlace(monitor[SITE]) ??
    headOf(request.file);
  if (error instanceof ReferenceError && commonjs.test(error.message)) {
    const name = commonjs.exec(error.message)![1];
    return make(
      "syntax",
      `${name} is CommonJS: a graph definition is an ES module, with import and export`,
      place,
    );
  }
  if (error instanceof SyntaxError && frames.length === 0) return v8Syntax(error, context);
  return make("exception", message, place, texts(frames));
}

/** A mistake that only V8 found: its stack begins with `path:line`. */
function v8Syntax(error: SyntaxError, { request, loader }: FailureContext): Failure {
  const match = /^(.+):(\d+)$/m.exec(String(error.stack));
  const known = match !== null && loader?.find(match[1]) !== undefined;
  const line = known ? Number(match[2]) : 1;
  const file = known ? match[1] : request.file;
  return make("syntax", error.message, { file, line, column: 1, endLine: line, endColumn: 2 });
}
