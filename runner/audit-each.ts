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
  for (;;) {
    const began = performance.now();
    let engines: readonly string[] = [];
    let left: readonly string[] = [];
    const answer = await ask({ ...audit, skip: done.map(({ engine }) => engine) }, (word) => {
      if (word.kind === "progress") told?.(word.told);
      else if (word.kind === "done") done.push(word.one);
      else ({ engines, wanted: left } = word);
    });
    if (answer.ok) return { ...answer, audited: done, elapsedMs: elapsedMs + answer.elapsedMs };
    elapsedMs += performance.now() - began;
    const { failure } = answer;
    // not one engine's: the module could not be loaded, or nobody waits any more
    const stuck = left.find((engine) => done.every((one) => one.engine !== engine));
    if (stuck === undefined || failure.kind === "cancelled") return answer;
    const message = engines.length === 1 ? failure.message : `${stuck}: ${failure.message}`;
    done.push({ engine: stuck, failure: { ...failure, message } });
    if (left[left.length - 1] === stuck) {
      const files = answer.files ?? [file];
      return { ok: true, engines, audited: done, files, elapsedMs };
    }
  }
}
