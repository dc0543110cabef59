/** Results of runs that cannot answer for themselves: cancelled, overdue, or gone with the process. */
import { basename } from "node:path";
import type { Death } from "./lifeline.js";
import type { Failure, FailureKind, RunFailure, RunRequest } from "./messages.js";
import type { Place } from "./wire.js";

/** A failure at a place, or at the head of the file where none is known. */
export function failed(
  request: RunRequest,
  kind: FailureKind,
  message: string,
  place: Place | null,
): RunFailure {
  const at = place ?? { file: request.file, line: 1, column: 1, endLine: 1, endColumn: 1 };
  const failure: Failure = { kind, message, ...at, frames: [] };
  return { ok: false, failure, partial: null };
}

/** "5 s", "0.5 s" */
export function seconds(milliseconds: number): string {
  return `${Number((milliseconds / 1000).toPrecision(3))} s`;
}

/** "512 MiB" where it is a whole number of them, else the nearest with one decimal. */
export function megabytes(bytes: number): string {
  const units = ["bytes", "KiB", "MiB", "GiB"];
  let unit = 0;
  let amount = bytes;
  while (amount >= 1024 && unit < units.length - 1) {
    amount /= 1024;
    unit++;
  }
  return `${Number(amount.toFixed(1))} ${units[unit]}`;
}

function at(place: Place | null): string {
  return place === null ? "" : `: the last line reached is ${basename(place.file)}:${place.line}`;
}

export function deadlineMessage(timeoutMs: number, place: Place | null): string {
  return `still running after ${seconds(timeoutMs)}${at(place)}`;
}

export function memoryMessage(memoryBytes: number, place: Place | null): string {
  return `out of memory: more than ${megabytes(memoryBytes)} of heap and arrays${at(place)}`;
}

/** The message of a run that was ended by force, with no partial trace. */
export function ended(request: RunRequest, kind: FailureKind, place: Place | null): RunFailure {
  if (kind === "memory") return failed(request, kind, memoryMessage(request.memoryBytes, place), place);
  if (kind === "deadline") return failed(request, kind, deadlineMessage(request.timeoutMs, place), place);
  if (kind === "exit") return failed(request, kind, `the graph ended its own process${at(place)}`, place);
  return cancelled(request);
}

export function cancelled(request: RunRequest): RunFailure {
  return failed(request, "cancelled", "the run was cancelled", null);
}

/** The runner did not end the run in time and was killed. */
export function overdue(request: RunRequest, place: Place | null, ending: FailureKind | null): RunFailure {
  return ended(request, ending ?? "deadline", place);
}

const fatal =
  /out of memory|heap limit|Allocation failed|invalid (array|table|string)? ?(length|size)|FATAL ERROR/i;

/** The process died under the run: heap exhaustion aborts it whole, which is the one expected way. */
export function lostProcess(
  request: RunRequest,
  place: Place | null,
  ending: FailureKind | null,
  death: Death,
): RunFailure {
  if (ending !== null) return ended(request, ending, place);
  // 137 and SIGKILL: the system's own out-of-memory killer
  const memory =
    fatal.test(death.stderr) || death.signal === "SIGKILL" || death.code === 137 || death.code === 134;
  if (memory) return ended(request, "memory", place);
  const how = death.signal === null ? `code ${death.code}` : death.signal;
  return failed(request, "internal", `the runner process ended unexpectedly (${how})${at(place)}`, place);
}
