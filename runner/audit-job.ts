/** The audits of a loaded module, one engine after another, each with the whole time to itself. */
import { runAudit } from "../engine/audit/audit.js";
import { isAudit, type AuditDefinition } from "../engine/audit/definition.js";
import type { AuditPlace, AuditProgress } from "../engine/audit/result.js";
import { BacksweepError } from "../engine/trace/failure.js";
import type { AuditAsked, AuditedEngine, AuditWord } from "./audit-messages.js";
import type { Frame } from "./frames.js";
import type { Failure } from "./messages.js";
import { inventory } from "./pick-graph.js";

interface Tools {
  /** absolute path of the module that was asked for */
  readonly file: string;
  /** the user's own frames of an error, innermost first */
  readonly frames: (error: unknown) => readonly Frame[];
  readonly failureOf: (error: unknown) => Failure;
  /** true once the run was asked to end: then nothing else is begun */
  readonly ending: () => boolean;
  /** another engine's audit begins */
  readonly begun: () => void;
  /** how far it is, now and then, and each result as soon as it is there */
  readonly tell: (word: AuditWord) => void;
}

/** Milliseconds between two words about how far an audit is: more of them nobody could read. */
const TOLD_EVERY_MS = 100;

/** Passes on the first word of each thing that is done, and of the others one now and then. */
function teller(engine: string, tell: Tools["tell"]): (progress: AuditProgress) => void {
  let last: AuditProgress["doing"] | null = null;
  let next = 0;
  return (progress) => {
    const now = performance.now();
    if (progress.doing === last && now < next) return;
    last = progress.doing;
    next = now + TOLD_EVERY_MS;
    tell({ kind: "progress", told: { engine, ...progress } });
  };
}

interface Picked {
  readonly engines: readonly string[];
  readonly wanted: readonly string[];
}

/**
 * Engines in the order of the text; a module that is loaded to be observed announces no calls, so their places come from
 * the stacks they were made with. Those of other modules come last.
 *
 * @throws BacksweepError `no-graph`, listing what is exported
 */
function pick(
  namespace: Readonly<Record<string, unknown>>,
  engine: string | undefined,
  { frames, file }: Tools,
): Picked {
  const placeOf = (name: string): number => {
    // the outermost: a helper that makes several is one place for all of them
    const frame = frames((namespace[name] as AuditDefinition).origin).findLast((one) => one.file === file);
    return frame === undefined ? Infinity : frame.line + frame.column / 1e6;
  };
  const engines = Object.keys(namespace)
    .filter((name) => isAudit(namespace[name]))
    .map((name) => ({ name, place: placeOf(name) }))
    .sort((a, b) => (a.place === b.place ? (a.name < b.name ? -1 : 1) : a.place - b.place))
    .map(({ name }) => name);
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

/** Which engine it is, and the place of its definition where the error itself has none. */
function named(engine: string, { origin }: AuditDefinition, error: unknown, tools: Tools): Failure {
  const failure = tools.failureOf(error);
  if (!(error instanceof BacksweepError)) return failure;
  const place = error.site < 0 && tools.frames(error).length === 0 ? placeIn(tools.frames(origin)) : null;
  return { ...failure, ...(place === null ? {} : bare(place)), message: `${engine}: ${failure.message}` };
}

function bare({ file, line, column, endLine, endColumn }: AuditPlace): Omit<AuditPlace, "func" | "text"> {
  return { file, line, column, endLine, endColumn };
}

/** Runs the audits; a failure of one (a definition that is wrong) does not keep the others from theirs. */
export function auditModule(
  namespace: Readonly<Record<string, unknown>>,
  asked: AuditAsked,
  tools: Tools,
): { engines: readonly string[]; audited: readonly AuditedEngine[] } {
  const { engines, wanted: all } = pick(namespace, asked.engine, tools);
  const wanted = all.filter((engine) => asked.skip?.includes(engine) !== true);
  tools.tell({ kind: "wanted", engines, wanted });
  const audited: AuditedEngine[] = [];
  const add = (one: AuditedEngine): void => {
    audited.push(one);
    tools.tell({ kind: "done", one });
  };
  for (const engine of wanted) {
    if (audited.length > 0) tools.begun();
    try {
      const result = runAudit(engine, namespace[engine] as AuditDefinition, {
        cases: asked.cases,
        seed: asked.seed,
        locate: (error) => placeIn(tools.frames(error)),
        told: teller(engine, tools.tell),
      });
      add({ engine, result, failure: null });
    } catch (error) {
      if (tools.ending()) throw error;
      const definition = namespace[engine] as AuditDefinition;
      add({ engine, failure: named(engine, definition, error, tools) });
    }
  }
  return { engines, audited };
}
