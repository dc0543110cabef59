/** What a changed variable asks for: a run with another input, another seed, or a cotangent that is given. */
import { NoAnswer } from "../../engine/debug/no-answer.js";
import type { Debuggee } from "../../engine/debug/debuggee.js";
import type { Changes as VariableChanges } from "../../engine/debug/variables.js";
import { expressionName, indexText } from "../../engine/debug/variables.js";
import type { InputValue } from "../../engine/graph/definition.js";
import { isArray, isWhole, primal } from "../../engine/report/quantity.js";
import { full } from "../../engine/report/text/format.js";
import type { ArrayValue, InputInfo, OutputInfo, Trace } from "../../engine/trace/trace.js";
import type { Changes } from "./environment.js";

export interface WhatIfPlan {
  readonly changes: Changes;
  /** "x = 3", "bar(a) = 1": what is changed, and to what */
  readonly subject: string;
  readonly description: string;
}

/** How a variable gets another value. Throws `NoAnswer` where it cannot. */
export function planWhatIf(debuggee: Debuggee, wanted: VariableChanges, value: number): WhatIfPlan {
  const { trace } = debuggee;
  const { node } = wanted;
  if (wanted.kind === "input") return changedInput(trace, node, wanted.element, value);
  const element = wanted.kind === "cotangent" ? wanted.element : null;
  const bar = primal(trace, node);
  const index = element !== null && isArray(bar) ? indexText(element, bar.shape) : "";
  const subject = `bar(${expressionName(trace, node)}${index})`;
  const description = `${subject} = ${full(value)}`;
  const output = trace.header.outputs.find((candidate) => candidate.node === node);
  const seedAlone = output !== undefined && element === null && debuggee.timeline.slots(node) === 0;
  if (output !== undefined && (wanted.kind === "seed" || seedAlone))
    return { changes: { cotangent: seeds(trace.header.outputs, output, value) }, subject, description };
  return { changes: { given: [{ node, element, value }] }, subject, description };
}

function changedInput(trace: Trace, node: number, element: number | null, value: number): WhatIfPlan {
  const input = trace.header.inputs.find(({ first, count }) => node >= first && node < first + count);
  if (input === undefined) throw new NoAnswer("this is no input");
  const index = element ?? (input.shape.length === 1 && input.tensor !== true ? node - input.first : null);
  const subject = index === null ? input.name : `${input.name}${indexText(index, input.shape)}`;
  return {
    changes: { set: { [input.name]: inputValue(trace, input, index, value) } },
    subject,
    description: `${subject} = ${full(value)}`,
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
