/** `backsweep hvp`. */
import type { DirectionEntry, HvpAnswer } from "../engine/analysis/hvp.js";
import type { Gradient, GradientValue } from "../engine/report/report.js";
import { fromNested, type Nested } from "../engine/tape/ndarray.js";
import { summaryOf } from "../engine/trace/arrays.js";
import type { AnalysisCommand } from "./command.js";
import { elementLabels } from "./elements.js";
import { remarkRows, remarks } from "./remarks.js";
import { alignColumns, count, show, type Style } from "./style.js";
import { UsageError } from "./usage-error.js";
import { parseNumber, parseValue } from "./values.js";

const MOST_ROWS = 24;

export const hvp: AnalysisCommand<"hvp"> = {
  name: "hvp",
  usage: "FILE --direction x=1,y=0",
  summary: "the Hessian times a direction, by forward over reverse",
  about: [
    "One forward sweep of tangents, then one reverse sweep that carries every cotangent with its tangent. An input",
    "that the direction does not name has 0 in it. Several outputs are added, each times its cotangent.",
  ],
  options: {
    direction: { value: "D", help: "x=1,y=0; arrays as w=[1,0,2] or W=[[1,0],[0,1]], elements as w[1]=1" },
  },
  finding: "the value, a derivative or a product is NaN or Inf",
  read(values) {
    const text = values.text("direction");
    if (text === undefined) throw new UsageError("hvp: along which direction? use --direction x=1,y=0");
    return { kind: "hvp", direction: parseDirection(text) };
  },
  *human(result, { style, showPath }) {
    yield* human(result, style);
    yield* remarks(result.notes, style, showPath);
  },
  json: ({ value, direction, gradient, jvp, hvp: product, sweeps, notes }, { showPath }) => ({
    sweeps,
    output: { value },
    direction,
    gradient,
    jvp,
    hvp: product,
    notes: remarkRows(notes, showPath),
  }),
  isFinding: ({ value, jvp, gradient, hvp: product }) =>
    ![value, jvp, ...numbers(gradient), ...numbers(product)].every(Number.isFinite),
};

function numbers(byInput: Gradient): number[] {
  return Object.values(byInput).flatMap((entry) => Array.from(flat(entry).data));
}

function flat(entry: GradientValue): ReturnType<typeof fromNested> {
  return fromNested(entry as Nested);
}

/** Parts between commas that stand in no bracket. */
function parts(text: string): string[] {
  const out: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i <= text.length; i++) {
    if (text[i] === "[") depth++;
    if (text[i] === "]") depth--;
    if (i < text.length && (text[i] !== "," || depth > 0)) continue;
    out.push(text.slice(start, i));
    start = i + 1;
  }
  return out;
}

const element = /^([^[\]]*?)\s*((?:\[\s*\d+\s*\]\s*)+)$/;

/** `x=1,y=0,w=[1,0,2],v[3]=1,W[0][1]=2`. Throws UsageError quoting the part that is wrong. */
export function parseDirection(text: string): DirectionEntry[] {
  return parts(text).map((part) => {
    const equals = part.indexOf("=");
    const name = part.slice(0, Math.max(0, equals)).trim();
    if (name === "")
      throw new UsageError(`--direction: "${part.trim()}" is not name=number; an array is written w=[1,0,2]`);
    const what = `--direction ${name}`;
    const value = part.slice(equals + 1).trim();
    const at = element.exec(name);
    if (!value.startsWith("[")) {
      const number = parseNumber(value, what);
      if (at === null) return { name, index: [], value: number };
      return { name: at[1], index: Array.from(at[2].matchAll(/\d+/g), ([i]) => Number(i)), value: number };
    }
    if (at !== null) throw new UsageError(`${what}: one element takes one number`);
    return { name, index: [], value: parseValue(value, what) };
  });
}

function* human(answer: HvpAnswer, style: Style): Generator<string> {
  const { value, outputs, jvp, sweeps } = answer;
  const sum = outputs === 1 ? "" : style.dim(`  (${outputs} outputs, each times its cotangent)`);
  yield `${count(sweeps.forward, "forward sweep")}, ${count(sweeps.reverse, "reverse sweep")}\n\n`;
  yield `  value ${style.accent(show(value))}${sum}, along the direction ${style.accent(show(jvp))}\n\n`;
  const all = rows(answer);
  const shown = all.slice(0, MOST_ROWS);
  const table = alignColumns(
    [["", "at", "direction", "gradient", "Hessian × direction"], ...shown],
    [false, true, true, true, true],
  );
  for (const [i, cells] of table.entries()) {
    const line = `  ${cells.join("   ")}`.trimEnd();
    yield `${i === 0 ? style.dim(line) : line}\n`;
  }
  if (all.length > shown.length)
    yield style.dim(`  ... ${count(all.length - shown.length, "more row")} (--json has all)\n`);
}

/** Of more elements than this in several axes, or more than all rows, the norm and the first are shown. */
const MOST_ELEMENTS = 8;
const FIRST_ELEMENTS = 4;

function rows({ at, direction, gradient, hvp: product }: HvpAnswer): string[][] {
  return Object.keys(at).flatMap((name) => {
    const columns = [at[name], direction[name], gradient[name], product[name]].map(flat);
    const [{ shape, data }] = columns;
    const element = (label: string, i: number): string[] => [label, ...columns.map((x) => show(x.data[i]))];
    if (data.length <= (shape.length < 2 ? MOST_ROWS : MOST_ELEMENTS))
      return elementLabels(name, shape).map(element);
    const norms = columns.map((x) => show(summaryOf(x.shape, x.data).norm));
    return [
      [`${name} ${shape.join("×")}, norms`, ...norms],
      ...elementLabels(name, shape).slice(0, FIRST_ELEMENTS).map(element),
      [`${name} ... ${data.length - FIRST_ELEMENTS} more`, "", "", "", ""],
    ];
  });
}
