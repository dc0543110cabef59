/**
 * The step-size lab: the error of difference quotients against the step, over powers of two, in binary32 and binary64,
 * truncation and cancellation apart.
 *
 * Total error: the quotient computed in the format, every operation rounded, minus the derivative by a reverse sweep in
 * f64 at the same point. Truncation: that error of a quotient of the same points evaluated in f64, as long as f64's own
 * rounding (eps |f| / h) is far below it; for smaller steps it is continued from the last such step with the order of the
 * formula (h forward, h^2 central), because nothing more precise than f64 can evaluate the graph. Cancellation: the rest.
 */
import { BacksweepError } from "../trace/failure.js";
import type { Dtype } from "../trace/trace.js";
import { recordedNotes, remark } from "../graph/notes.js";
import type { Subject } from "../graph/record.js";
import type { Note, Remark } from "../report/report.js";
import { Evaluator } from "./evaluate.js";
import { epsilonOf } from "./judge.js";
import { runAt } from "./linear.js";
import { InputLayout } from "./point.js";
import { powerBelow } from "./quotients.js";
import { checkPlace } from "./result.js";
import { series, type Points, type Scheme, type StepRow } from "./step-series.js";

export interface StepsAnalysis {
  readonly kind: "steps";
  /** "x", or an element as "w[2]" */
  readonly input: string;
}

export interface SchemeResult {
  readonly scheme: Scheme;
  /** of the truncation error in the step */
  readonly order: 1 | 2;
  readonly rows: readonly StepRow[];
  /** the row with the smallest error, null when no quotient could be made */
  readonly best: { readonly step: number; readonly error: number } | null;
  readonly theory: {
    /** sqrt(eps) or cbrt(eps) times the power of two below the input's size: the rule of thumb */
    readonly scale: number;
    /** where measured truncation and the bound of cancellation add up to least; null without truncation */
    readonly step: number | null;
  };
}

export interface FormatResult {
  readonly dtype: Dtype;
  /** distance from 1 to the next number */
  readonly epsilon: number;
  /** the input's value, rounded to the format */
  readonly at: number;
  readonly value: number;
  /** derivative at this point by a reverse sweep in f64 */
  readonly derivative: number;
  readonly schemes: readonly SchemeResult[];
}

export interface StepsResult {
  readonly input: string;
  readonly formats: readonly FormatResult[];
  readonly notes: readonly Remark[];
  /** true: NaN or Inf at the point itself */
  readonly nonFinite: boolean;
}

/**
 * Sweeps the step of one input.
 *
 * @throws BacksweepError `option` for an input there is not, or a tape whose values are given
 */
export function steps(subject: Subject, { input }: StepsAnalysis): StepsResult {
  const { definition, settings } = subject;
  if (definition.given === true) {
    throw new BacksweepError(
      "option",
      "the values of a tape([...]) are given: it cannot be evaluated at other points",
      definition.site,
    );
  }
  // f32 and f64 always; a narrower format asked for comes first
  const narrow = settings.dtype === "f16" || settings.dtype === "bf16" ? [settings.dtype] : [];
  const formats = [...narrow, "f32" as const, "f64" as const].map((dtype) => inFormat(subject, input, dtype));
  return {
    input: formats[0].input,
    formats: formats.map(({ result }) => result),
    notes: [...notesOf(formats.flatMap(({ crossings }) => crossings)), ...formats.at(-1)!.recorded],
    nonFinite: formats.some(
      ({ result }) => !Number.isFinite(result.value) || !Number.isFinite(result.derivative),
    ),
  };
}

interface InFormat {
  readonly input: string;
  readonly result: FormatResult;
  readonly crossings: readonly { readonly site: number; readonly step: number }[];
  /** cuts and kinks met at the point itself */
  readonly recorded: readonly Note[];
}

function inFormat(subject: Subject, input: string, dtype: Dtype): InFormat {
  const rounded = { ...subject, settings: { ...subject.settings, dtype } };
  const layout = new InputLayout(rounded);
  const index = layout.find(input);
  const x = layout.start;
  const exact = {
    ...subject,
    settings: { ...subject.settings, dtype: "f64", cotangentDtype: "f64" },
  } as const;
  const derivative = layout.vector(runAt(exact, layout, x).report.gradient)[index];
  const own = new Evaluator(subject, layout, x, dtype);
  const reference = dtype === "f64" ? own : new Evaluator(subject, layout, x);
  const weights = reference.weights;
  const points: Points = {
    dtype,
    x: x[index],
    unit: powerBelow(x[index]),
    own: (moved) => own.at(at(x, index, moved), weights),
    reference: (moved) => reference.at(at(x, index, moved), weights),
  };
  const { forward, central, crossings } = series(points, derivative);
  const epsilon = epsilonOf(dtype);
  const result: FormatResult = {
    dtype,
    epsilon,
    at: x[index],
    value: own.at(x, weights).value,
    derivative,
    schemes: [
      scheme("forward", 1, forward, points, Math.sqrt(epsilon), (c, e) => Math.sqrt(e / c)),
      scheme("central", 2, central, points, Math.cbrt(epsilon), (c, e) => Math.cbrt(e / (4 * c))),
    ],
  };
  return { input: layout.label(index), result, crossings, recorded: recordedNotes(own.first.recorder) };
}

function at(x: Float64Array, index: number, moved: number): Float64Array {
  const out = x.slice();
  out[index] = moved;
  return out;
}

/**
 * @param best step that minimises c h^order + cancellation, for the bound e = eps |f|: two values with half a last place of
 *   error each, over h (forward) or 2 h (central)
 */
function scheme(
  name: Scheme,
  order: 1 | 2,
  { rows, coefficient }: { readonly rows: readonly StepRow[]; readonly coefficient: number | null },
  { dtype, x, unit, own }: Points,
  scale: number,
  best: (c: number, e: number) => number,
): SchemeResult {
  const usable = rows.filter(({ error }) => error !== null) as readonly (StepRow & {
    readonly error: number;
  })[];
  const least = usable.reduce<(typeof usable)[number] | null>(
    (found, row) => (found === null || row.error < found.error ? row : found),
    null,
  );
  // f(x) may be 0 by accident, and roundings with it
  const bound = epsilonOf(dtype) * (own(x).size || own(x + unit).size);
  const step = coefficient === null || coefficient === 0 ? null : best(Math.abs(coefficient), bound);
  return {
    scheme: name,
    order,
    rows,
    best: least === null ? null : { step: least.step, error: least.error },
    theory: { scale: scale * unit, step },
  };
}

function notesOf(crossings: InFormat["crossings"]): StepsResult["notes"] {
  const bySite = new Map<number, number>();
  for (const { site, step } of crossings) bySite.set(site, Math.min(step, bySite.get(site) ?? Infinity));
  return Array.from(bySite, ([site, step]) => {
    const place = checkPlace(site);
    const what = place === null ? "a branch" : `the branch at ${place.text}`;
    return remark("branch", `steps of ${step} and more cross ${what}: no quotient is taken there`, site);
  });
}
