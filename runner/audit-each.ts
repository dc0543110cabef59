/**
 * The audits of a module's engines, from the host: one that does not end, runs out of memory or takes the process with it
 * is told as its own failure, and those that come after it are audited in a fresh worker.
 */
import type { AuditAsked, AuditedEngine, AuditSuccess, AuditTold, AuditWord } from "./audit-messages.js";
import type { RunFailure, RunRequest } from "./messages.js";

type Ask = (asked: AuditAsked, hear: (word: AuditWord) => void) => Promise<AuditSuccess | RunFailure>;

export async function auditEach(
  ask: Ask,
  { file, audit }: RunRequest & { readonly audit: AuditAsked },
  told: ((told: AuditTold) => void) | undefined,
): Promise<AuditSuccess | RunFailure> {
  const done: AuditedEngine[] = [];
  let elapsedMs = 0;
  // kept from one worker to the next, or a module that fails to load once more would take the results with it
  let engines: readonly string[] = [];
  let wanted: readonly string[] = [];
  for (;;) {
    const began = performance.now();
    const answer = await ask({ ...audit, skip: done.map(({ engine }) => engine) }, (word) => {
      if (word.kind === "progress") told?.(word.told);
      else if (word.kind === "done") done.push(word.one);
      else if (wanted.length === 0) ({ engines, wanted } = word);
    });
    if (answer.ok) return { ...answer, audited: done, elapsedMs: elapsedMs + answer.elapsedMs };
    elapsedMs += performance.now() - began;
    const { failure } = answer;
    // not one engine's: the module could not be loaded, or nobody waits any more
    const stuck = wanted.find((engine) => done.every((one) => one.engine !== engine));
    if (stuck === undefined || failure.kind === "cancelled") return answer;
    const message = engines.length === 1 ? failure.message : `${stuck}: ${failure.message}`;
    done.push({ engine: stuck, failure: { ...failure, message } });
    if (wanted[wanted.length - 1] === stuck) {
      const files = answer.files ?? [file];
      return { ok: true, engines, audited: done, files, elapsedMs };
    }
  }
}
