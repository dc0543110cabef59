/**
 * The audit of a foreign engine: random graphs are run on it and on ours until one differs; that one is shrunk, the fault
 * is named, and the line that has it is found. An engine that is right on all of them is asked how its work grows.
 */
import { onlyOptions } from "../graph/arguments.js";
import { BacksweepError } from "../trace/failure.js";
import { classify, type Diagnosis } from "./classify.js";
import { deepFinding } from "./deep.js";
import type { AuditDefinition } from "./definition.js";
import { placeOf } from "../tape/sites.js";
import { exponential, faultOf, sentence, toPlace, type Body } from "./body.js";
import { withSeededDraws } from "./draws.js";
import type { Foreign } from "./engine.js";
import { randomAuditGraph, type Limits } from "./generate.js";
import { nodeCount, type AuditGraph } from "./graph.js";
import type { Judged, Symptom } from "./judge.js";
import { lineOf } from "./operation-line.js";
import { adapterFault, hint, learned, needsNumber } from "./refusals.js";
import type { AuditPlace, AuditProgress, AuditResult } from "./result.js";
import { secondOf, type Second } from "./second.js";
import { shrink } from "./shrink.js";
import { describeSmallest } from "./smallest.js";
import { CaseStream } from "./stream.js";
import { foreignOf, leftoverNotes, limitsOf, sameKind, trial, unseenNote, type Judging } from "./trials.js";
import { exponentialVisits } from "./visits.js";

export interface AuditOptions {
  /** random graphs, default 200 */
  readonly cases?: number;
  /** of the random graphs, an integer, default 0 */
  readonly seed?: number;
  /** place of an error the engine threw, where the caller can read its stack */
  readonly locate?: (error: unknown) => AuditPlace | null;
  /** called before each graph and with each change of what is done */
  readonly told?: (progress: AuditProgress) => void;
}

export const DEFAULT_CASES = 200;
/** Runs of the smallest graph until it fails while it is watched: a draw may make it right. */
const MOST_WATCHED = 100;
const FLAKY_RUNS = 20;
/** Nodes a smallest graph has at most, and random graphs that are tried to get there. */
const SMALL = 6;
const OTHER_STARTS = 2_000;
const OTHER = 0x50000000;

class Audit {
  private readonly foreign: Foreign;
  private readonly limits: Limits;
  private readonly notes = new Set<string>();
  private firstRight: AuditGraph | null = null;

  constructor(
    private readonly name: string,
    private readonly definition: AuditDefinition,
    private readonly options: Required<Pick<AuditOptions, "cases" | "seed">> & AuditOptions,
  ) {
    this.foreign = foreignOf(definition);
    this.limits = limitsOf(definition, this.foreign);
  }

  run(): AuditResult {
    const started = performance.now();
    const finish = (
      result: Omit<AuditResult, "engine" | "form" | "seed" | "notes" | "elapsedMs">,
    ): AuditResult => ({
      engine: this.name,
      form: this.foreign.form,
      seed: this.options.seed,
      ...result,
      notes: [...this.notes],
      elapsedMs: performance.now() - started,
    });
    let cases = 0;
    for (; cases < this.options.cases; cases++) {
      this.tell("trying", cases);
      const judged = this.judgeCase(cases);
      if (judged.leftover !== null) this.notes.add(leftoverNotes[judged.leftover]);
      if (judged.symptom !== null) {
        this.tell("shrinking", cases + 1);
        return finish(this.failed(judged, judged.symptom, cases + 1));
      }
      this.firstRight ??= judged.graph;
    }
    this.tell("growing", cases);
    return finish(this.right(cases));
  }

  private tell(doing: AuditProgress["doing"], tried: number): void {
    this.options.told?.({ doing, tried });
  }

  private judgeCase(item: number): Judged {
    const stream = new CaseStream(this.options.seed, item);
    const graph = randomAuditGraph(stream, item, this.limits);
    const judged = this.judge(graph, secondOf(item), { turn: item });
    const { symptom } = judged;
    const note = symptom?.kind === "trouble" ? learned(this.foreign, graph, judged.outcome) : null;
    if (note === null) return judged;
    this.notes.add(note);
    return this.judgeCase(item);
  }

  private failed(failing: Judged, symptom: Symptom, cases: number): Body {
    const { first } = failing;
    const start = first === null ? failing.graph : { ...failing.graph, output: first };
    const second =
      symptom.kind === "second sweep" && first !== null
        ? "other"
        : symptom.kind === "second sweep" || symptom.kind === "trouble"
          ? "same"
          : "none";
    const graphOf = (item: number): AuditGraph =>
      randomAuditGraph(new CaseStream(this.options.seed, OTHER + item), item, this.limits);
    const adapter = adapterFault(this.foreign, failing, graphOf);
    if (adapter !== null) return this.unusable(adapter, null, cases);
    // an engine that draws fails now and then: it is given more than one chance to
    const runs = Array.from({ length: FLAKY_RUNS }, () => this.judge(start, second));
    const said = ({ outcome }: Judged): string => outcome.gradient.map(String).join(";");
    const steady = runs.every((one) => one.symptom !== null && said(one) === said(runs[0]));
    const fails = (graph: AuditGraph): boolean => {
      for (let k = 0; k < (steady ? 1 : FLAKY_RUNS); k++) {
        const judged = this.judge(graph, second);
        if (judged.symptom !== null && sameKind(judged.symptom, symptom)) return true;
      }
      return false;
    };
    const { operations } = this.foreign;
    let graph = shrink(start, operations, this.limits.lastIsOutput, fails);
    // stuck where every single step back is right: another start may lead further down
    for (let item = 0; nodeCount(graph) > SMALL && item < OTHER_STARTS; item++) {
      const other = graphOf(item);
      if (nodeCount(other) > SMALL + 2 || !fails(other)) continue;
      const found = shrink(other, operations, this.limits.lastIsOutput, fails);
      if (nodeCount(found) < nodeCount(graph)) graph = found;
    }
    const judged = this.watch(graph, second) ?? this.watch(start, second);
    if (judged === null) return this.vanished(cases);
    const trouble = judged.symptom?.kind === "trouble" ? judged.symptom.trouble : null;
    const inAdapter = trouble !== null && !/^(backward|the sweep)/.test(trouble.message);
    if (trouble !== null && (inAdapter || trouble.kind === "promise" || trouble.kind === "unreadable")) {
      const message = trouble.message + hint(this.foreign, judged.graph, judged.outcome);
      return this.unusable(message, this.options.locate?.(trouble.error) ?? null, cases);
    }
    if (trouble?.kind === "threw" && needsNumber(this.foreign, judged.graph, judged.outcome))
      return this.unusable(
        `${trouble.message}, from an output of more than one element: give the operation sum, or sum them in backward`,
        this.options.locate?.(trouble.error) ?? null,
        cases,
      );
    const { foreign, limits, firstRight } = this;
    const found = classify(judged, { foreign, limits, seed: this.options.seed, right: firstRight });
    return this.report(found, judged, cases);
  }

  private judge(graph: AuditGraph, second: Second, how: Judging = {}): Judged {
    return trial(this.foreign, graph, second, how);
  }

  /** Runs a graph with everything observed, until it fails. */
  private watch(graph: AuditGraph, second: Second): Judged | null {
    for (let k = 0; k < MOST_WATCHED; k++) {
      const judged = this.judge(graph, second, { watched: true });
      if (judged.symptom !== null) return judged;
    }
    return null;
  }

  private report(found: Diagnosis, judged: Judged, cases: number): Body {
    const error = judged.symptom?.kind === "trouble" ? judged.symptom.trouble.error : null;
    const thrown = error === null ? null : (this.options.locate?.(error) ?? null);
    const { place: shown, detail, common } = lineOf(this.foreign, judged, found, this.options.seed);
    const place = thrown ?? toPlace(shown);
    if (place === null && found.either !== true) this.notes.add(unseenNote(judged));
    if (found.fault === "unclassified" && !this.foreign.tellsValues)
      this.notes.add(
        "value(node) is not given: with it the audit sees values that are changed before a rule reads them",
      );
    const smallest = describeSmallest(this.foreign, judged, place?.line ?? null, found.fault);
    const told = { ...found, detail, operations: common === true ? null : found.operations };
    return {
      cases,
      verdict: "faulty",
      gradientsRight:
        judged.symptom?.kind === "gradient" || judged.symptom?.kind === "second sweep" ? false : null,
      fault: faultOf(told),
      message: sentence(told),
      place,
      smallest,
      visits: null,
    };
  }

  private vanished(cases: number): Body {
    const found: Diagnosis = {
      fault: "replay with new randomness or another branch",
      detail: "a graph that failed is right when it is run again",
      operations: null,
      evidence: [],
    };
    const empty = { place: null, smallest: null, visits: null };
    return {
      cases,
      verdict: "faulty",
      gradientsRight: false,
      fault: faultOf(found),
      message: sentence(found),
      ...empty,
    };
  }

  private unusable(message: string, place: AuditPlace | null, cases: number): Body {
    const { site, origin } = this.definition;
    const at = place ?? toPlace(placeOf(site)) ?? this.options.locate?.(origin) ?? null;
    const empty = { gradientsRight: null, fault: null, smallest: null, visits: null };
    return { cases, verdict: "unusable", message, place: at, ...empty };
  }

  /** All graphs are right: what is left is how the work grows. */
  private right(cases: number): Body {
    const { shape } = this.foreign;
    const allowed =
      this.definition.form === "engine"
        ? this.definition.engine.allowExponential
        : this.definition.options.allowExponential;
    const growth = allowed === true ? null : exponentialVisits(this.foreign, shape);
    const deep = this.deep(shape, cases);
    if (deep !== null) return deep;
    const clean: Body = {
      cases,
      verdict: "clean",
      gradientsRight: true,
      fault: null,
      message: "every gradient is right",
      place: null,
      smallest: null,
      visits: null,
    };
    return growth === null ? clean : { ...clean, ...exponential(growth) };
  }

  /** A fault that only a deep chain shows. */
  private deep(shape: readonly number[], cases: number): Body | null {
    const deep = deepFinding(this.foreign, shape);
    if (deep === null) return null;
    if (deep.note !== null) this.notes.add(deep.note);
    const symptom = deep.judged?.symptom;
    if (symptom === null || symptom === undefined) return null;
    const trouble = symptom.kind === "trouble" ? symptom.trouble : null;
    const fault =
      trouble === null ? "unclassified" : trouble.kind === "overflow" ? "stack overflow" : "throws";
    const found: Diagnosis = { fault, detail: deep.detail, operations: null, evidence: [] };
    const error = trouble?.error ?? null;
    return {
      cases,
      verdict: "faulty",
      gradientsRight: trouble === null ? false : null,
      fault: faultOf(found),
      message: sentence(found),
      place: error === null ? null : (this.options.locate?.(error) ?? null),
      smallest: null,
      visits: null,
    };
  }
}

/**
 * Audits an engine.
 *
 * @param name what it is called in the result
 * @throws BacksweepError `definition` for an adapter whose parts do not fit, `option` for a count or seed that is none
 */
export function runAudit(name: string, definition: AuditDefinition, options: AuditOptions = {}): AuditResult {
  onlyOptions(
    "runAudit",
    ["cases", "seed", "locate", "told"],
    options,
    'runAudit("name", adapter, { cases: 50 })',
  );
  const { cases = DEFAULT_CASES, seed = 0 } = options;
  if (!Number.isInteger(cases) || cases < 1 || cases > 1e7)
    throw new BacksweepError("option", `cases must be a whole number from 1 to 10,000,000, not ${cases}`);
  if (!Number.isInteger(seed)) throw new BacksweepError("option", `seed must be an integer, not ${seed}`);
  if (definition.form === "engine" && definition.wrong !== undefined) throw definition.wrong;
  return withSeededDraws(seed, () => new Audit(name, definition, { ...options, cases, seed }).run());
}
