/** `backsweep audit FILE`: asked in the runner, printed an engine at a time, or as one JSON document. */
import { resolve } from "node:path";
import { progressText } from "../engine/audit/progress-text.js";
import type { AuditPlace, AuditResult } from "../engine/audit/result.js";
import { DEFAULT_AUDIT_TIMEOUT_MS, type AuditedEngine, type AuditSuccess } from "../runner/audit-messages.js";
import type { AuditCall } from "./audit.js";
import { auditPage } from "./audit-page.js";
import { failureText, reportFailure, withRunner } from "./execute.js";
import { jsonDocument } from "./json-document.js";
import { writeAll } from "./output.js";
import { shownPath, workspaceOf } from "./paths.js";
import { styleFor, type Style } from "./style.js";

/** Asks and prints; returns the exit code. */
export async function auditCommand(call: AuditCall): Promise<number> {
  const file = resolve(call.file);
  const request = {
    file,
    root: workspaceOf(file),
    options: {},
    timeoutMs: call.timeoutMs ?? DEFAULT_AUDIT_TIMEOUT_MS,
    memoryBytes: call.memoryBytes,
    allowImports: call.allowImports,
    layout: false,
    audit: {
      cases: call.cases,
      seed: call.seed,
      ...(call.engine === undefined ? {} : { engine: call.engine }),
    },
  };
  const answer = await withRunner(`audit ${shownPath(file)}`, (runner, signal, progress) =>
    runner.audit(request, signal, (told) =>
      progress.say(`${told.engine}, ${progressText(told, call.cases)}`),
    ),
  );
  if (!answer.ok) return reportFailure(answer);
  const pieces =
    call.print === "json"
      ? jsonDocument(document(answer, file, call))
      : page(answer, file, styleFor(process.stdout, process.env));
  await writeAll(process.stdout, pieces);
  return exitCode(answer);
}

function exitCode({ audited }: AuditSuccess): number {
  const unusable = audited.some((one) => one.failure !== null || one.result.verdict === "unusable");
  if (unusable) return 2;
  return audited.some((one) => one.failure === null && one.result.verdict === "faulty") ? 1 : 0;
}

/** Why an engine could not be audited goes to standard error, as everywhere. */
function complain(one: AuditedEngine, file: string): void {
  const style = styleFor(process.stderr, process.env);
  if (one.failure !== null) {
    process.stderr.write(failureText(one.failure, style));
  } else if (one.result.verdict === "unusable") {
    const { message, place } = one.result;
    const where = place === null ? shownPath(file) : `${shownPath(place.file)}:${place.line}:${place.column}`;
    process.stderr.write(`${style.bold(`${where}:`)} ${one.engine} cannot be audited: ${message}\n`);
  }
}

function* page({ audited, engines }: AuditSuccess, file: string, style: Style): Generator<string> {
  let gap = "";
  for (const one of audited) {
    yield gap;
    gap = "\n";
    yield `${style.bold(one.engine)}  ${style.dim(shownPath(file))}\n`;
    complain(one, file);
    if (one.failure === null) yield* auditPage(one.result, style);
    else yield style.bad("  cannot be used: see the message\n");
  }
  const others = engines.filter((name) => audited.every(({ engine }) => engine !== name));
  if (others.length > 0)
    yield style.dim(`\nalso exported: ${others.slice(0, 12).join(", ")} (--engine NAME)\n`);
}

function placeOf(place: AuditPlace | null): AuditPlace | null {
  return place === null ? null : { ...place, file: shownPath(place.file) };
}

function document(answer: AuditSuccess, file: string, call: AuditCall): Readonly<Record<string, unknown>> {
  const engines = answer.audited.map((one) => {
    complain(one, file);
    if (one.failure === null) return entry(one.result);
    const { kind, message, file: path, line, column } = one.failure;
    const failure = { kind, message, file: path === null ? null : shownPath(path), line, column };
    return { engine: one.engine, verdict: "unusable", failure };
  });
  return { file: shownPath(file), seed: call.seed, cases: call.cases, engines };
}

/** One engine: the fault's class and the line first, what the view needs behind them. */
function entry(result: AuditResult): Readonly<Record<string, unknown>> {
  const { engine, form, cases, verdict, fault, message, place, smallest, visits, notes } = result;
  return {
    engine,
    form,
    cases,
    verdict,
    gradientsRight: result.gradientsRight,
    faultClass: fault?.class ?? null,
    message,
    line: place?.line ?? null,
    place: placeOf(place),
    lost: smallest?.lost ?? null,
    fault,
    smallest,
    visits,
    notes,
  };
}
