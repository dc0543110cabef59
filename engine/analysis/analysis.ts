/**
 * Analyses of one graph beside the run itself: each kind is one row of the table below. An analysis runs where user code
 * runs (in the runner's worker), because it calls the graph function as often as it needs.
 *
 * To add a kind `thing` (command `backsweep thing FILE`):
 * 1. `engine/analysis/thing.ts` exports `interface ThingAnalysis { readonly kind: "thing"; ... }` (what is asked, plain
 *    data), `interface ThingResult { ... }` (plain data and typed arrays: it is cloned across threads; no functions, no
 *    class instances, no BigInt64Array; `notes`: at least the cuts, see `recordedNotes`) and one function `thing(subject: Subject, analysis: ThingAnalysis): ThingResult`.
 *    `Subject` and `record()` (one evaluation of the graph function, other settings where asked) are in
 *    `engine/graph/record.ts`. Bad input throws BacksweepError: kind "option" for what was typed (no place), with a site
 *    where there is a place in the source. The deadline and the memory limit of `run` hold without doing anything.
 * 2. A row in `analysers` here. The types `Analysis` and `ResultOf` follow from it.
 * 3. `cli/thing.ts` exports one `AnalysisCommand<"thing">` (see `cli/command.ts`): its usage, its own options with their
 *    help lines, how they become a ThingAnalysis, what is printed for a person, what stands in `--json`, and whether the
 *    result is a finding (exit code 1). The options of every command that runs a graph, `--json`, `--help`, the heading
 *    and the first keys of the JSON come by themselves. Then a row in `cli/commands.ts`.
 * 4. A section in `docs/commands.md`, `test/unit/analysis/thing.test.ts`, and a row in `test/unit/cli/golden.test.ts`.
 */
import { check } from "../check/check.js";
import { steps } from "../check/steps.js";
import { expr } from "./expr.js";
import type { Subject } from "../graph/record.js";
import { hvp } from "./hvp.js";
import { jacobian } from "./jacobian.js";
import { compare } from "./compare.js";
import { replay } from "./replay.js";
import { spread } from "./spread.js";

const analysers = {
  check,
  steps,
  expr,
  jacobian,
  hvp,
  spread,
  replay,
  compare,
} satisfies Record<string, (subject: Subject, analysis: never) => { readonly notes: readonly object[] }>;

type Analysers = typeof analysers;
export type AnalysisKind = keyof Analysers;

/** What is asked of a kind. */
export type AnalysisOf<K extends AnalysisKind> = Parameters<Analysers[K]>[1];
/** What a kind answers. */
export type ResultOf<K extends AnalysisKind> = ReturnType<Analysers[K]>;
/** Anything that can be asked; `kind` tells which. */
export type Analysis = AnalysisOf<AnalysisKind>;

/** Runs one analysis. Throws BacksweepError, or whatever user code threw. */
export function analyse<K extends AnalysisKind>(
  subject: Subject,
  analysis: AnalysisOf<K> & { readonly kind: K },
): ResultOf<K> {
  const analyser = analysers[analysis.kind] as unknown as (
    subject: Subject,
    analysis: AnalysisOf<K>,
  ) => ResultOf<K>;
  return analyser(subject, analysis);
}
