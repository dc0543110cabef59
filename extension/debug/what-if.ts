/** What a changed variable asks for: another run (of an input or a seed), or the sweep from a node on (of a cotangent). */
import type { Changes as VariableChanges } from "../../engine/debug/variables.js";
import { whatIfCotangent } from "../../engine/debug/what-if.js";
import { NoAnswer } from "../../engine/debug/no-answer.js";
import { expressionName, indexText } from "../../engine/debug/variables.js";
import { isArray, isWhole, primal } from "../../engine/report/quantity.js";
import { full } from "../../engine/report/text/format.js";
import type { InputValue } from "../../engine/graph/definition.js";
import type { Debuggee } from "../../engine/debug/debuggee.js";
import type { ArrayValue, InputInfo, OutputInfo, Trace } from "../../engine/trace/trace.js";
import type { Changes } from "./environment.js";

export type WhatIfPlan =
  | { readonly kind: "run"; readonly changes: Changes; readonly description: string }
  | { readonly kind: "sweep"; readonly trace: Trace; readonly description: string };

/** How a variable gets another value. Throws `NoAnswer` where it cannot. */
export function planWhatIf(debuggee: Debuggee, wanted: VariableChanges, value: number): WhatIfPlan {
  const { trace } = debuggee;
  const { node } = wanted;
  if (wanted.kind === "input") return changedInput(trace, node, wanted.element, value);
  const output = trace.header.outputs.find((candidate) => candidate.node === node);
  const seedAlone = output !== undefined && debuggee.timeline.slots(node) === 0;
  const description = `bar(${expressionName(trace, node)}) = ${full(value)}`;
  if (output !== undefined && (wanted.kind === "seed" || seedAlone))
    return { kind: "run", changes: { cotangent: seeds(trace.header.outputs, output, value) }, description };
  return { kind: "sweep", trace: whatIfCotangent(trace, node, value), description };
}

function changedInput(trace: Trace, node: number, element: number | null, value: number): WhatIfPlan {
  const input = trace.header.inputs.find(({ first, count }) => node >= first && node < first + count);
  if (input === undefined) throw new NoAnswer("this is no input");
  const index = element ?? (input.shape.length === 1 && input.tensor !== true ? node - input.first : null);
  const name = index === null ? input.name : `${input.name}${indexText(index, input.shape)}`;
  return {
    kind: "run",
    changes: { set: { [input.name]: inputValue(trace, input, index, value) } },
    description: `${name} = ${full(value)}`,
  };
}

/** The input's whole value with one number replaced. */
function inputValue(trace: Trace, input: InputInfo, index: number | null, value: number): InputValue {
  if (index === null) return value;
  if (input.tensor !== true) {
    const list = Array.from({ length: input.count }, (_, i) => Number(primal(trace, input.first + i)));
    list[index] = value;
    return list;
  }
  const array = primal(trace, input.first);
  if (!isArray(array) || !isWhole(array))
    throw new NoAnswer(`${input.name} is too large to be given again with one element changed`);
  const data = Float64Array.from(array.data);
  data[index] = value;
  return nested({ shape: array.shape, data }) as InputValue;
}

/** All seeds, with another one at an output. */
function seeds(
  outputs: readonly OutputInfo[],
  changed: OutputInfo,
  value: number,
): NonNullable<Changes["cotangent"]> {
  if (outputs.length === 1 && changed.key === null) return value;
  const entries = outputs.map((output) => {
    const seed = output.seed === undefined ? output.cotangent : nested(output.seed);
    return [String(output.key), output === changed ? value : seed] as const;
  });
  return Object.fromEntries(entries) as NonNullable<Changes["cotangent"]>;
}

/** Nested arrays of the elements, as a user would write them. */
function nested({ shape, data }: ArrayValue): unknown {
  let level: unknown[] = Array.from(data);
  for (let axis = shape.length - 1; axis > 0; axis--) {
    const length = shape[axis];
    level = Array.from({ length: level.length / length }, (_, i) =>
      level.slice(i * length, (i + 1) * length),
    );
  }
  return level;
}
