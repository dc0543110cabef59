/** The audits of a loaded module, one engine after another, each with the whole time to itself. */
import { runAudit } from "../engine/audit/audit.js";
import { isAudit, type AuditDefinition } from "../engine/audit/definition.js";
import type { AuditPlace } from "../engine/audit/result.js";
import { BacksweepError } from "../engine/trace/failure.js";
import type { AuditAsked, AuditedEngine } from "./audit-messages.js";
import type { Frame } from "./frames.js";
import type { Failure } from "./messages.js";
import { inventory } from "./pick-graph.js";

interface Tools {
  /** the user's own frames of an error, innermost first */
  readonly frames: (error: unknown) => readonly Frame[];
  readonly failureOf: (error: unknown) => Failure;
  /** true once the run was asked to end: then nothing else is begun */
  readonly ending: () => boolean;
  /** another engine's audit begins */
  readonly begun: () => void;
}

interface Picked {
  readonly engines: readonly string[];
  readonly wanted: readonly string[];
}

/** @throws BacksweepError `no-graph`, listing what is exported */
function pick(namespace: Readonly<Record<string, unknown>>, engine: string | undefined): Picked {
  const siteOf = (name: string): number => (namespace[name] as AuditDefinition).site;
  const engines = Object.keys(namespace)
    .filter((name) => isAudit(namespace[name]))
    .sort((a, b) => siteOf(a) - siteOf(b) || (a < b ? -1 : 1));
  if (engines.length === 0) {
    const exported = inventory(namespace);
    const what = exported === "" ? "it exports nothing" : `it exports ${exported}`;
    throw new BacksweepError(
      "no-graph",
      `no audit is exported: ${what}; write export const name = audit({ leaf, operations, backward, gradient })`,
    );
  }
  if (engine === undefined) return { engines, wanted: engines };
  if (!engines.includes(engine))
    throw new BacksweepError(
      "no-graph",
      `there is no engine "${engine}"; the engines here are ${engines.join(", ")}`,
    );
  return { engines, wanted: [engine] };
}

function placeIn(frames: readonly Frame[]): AuditPlace | null {
  // where a stack has overflowed, the innermost frame is as good as any other
  const [frame] = frames;
  if (frame === undefined) return null;
  const { file, line, column, endLine, endColumn } = frame;
  return { file, line, column, endLine, endColumn, func: null, text: null };
}

/** Runs the audits; a failure of one (a definition that is wrong) does not keep the others from theirs. */
export function auditModule(
  namespace: Readonly<Record<string, unknown>>,
  asked: AuditAsked,
  tools: Tools,
): { engines: readonly string[]; audited: readonly AuditedEngine[] } {
  const { engines, wanted } = pick(namespace, asked.engine);
  const audited: AuditedEngine[] = [];
  for (const engine of wanted) {
    if (audited.length > 0) tools.begun();
    try {
      const result = runAudit(engine, namespace[engine] as AuditDefinition, {
        cases: asked.cases,
        seed: asked.seed,
        locate: (error) => placeIn(tools.frames(error)),
      });
      audited.push({ engine, result, failure: null });
    } catch (error) {
      if (wanted.length === 1 || tools.ending()) throw error;
      audited.push({ engine, failure: tools.failureOf(error) });
    }
  }
  return { engines, audited };
}
