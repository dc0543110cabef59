/** The remarks of a run: cuts, kinks, unused inputs (warnings), and NaN or Inf (a finding), each at its place. */
import type { Recorder } from "../ops/recorder.js";
import type { GraphDefinition } from "./definition.js";
import type { Note, NoteCode, Remark } from "../report/report.js";
import { isArrayNode, nodeArray, operandArrays, type FlatTape } from "../sweep/flat.js";
import { shapeText } from "../tape/ndarray.js";
import type { SweepResult } from "../sweep/reverse.js";
import { placeOf } from "../tape/sites.js";
import { OP_INPUT } from "../tape/tape.js";
import type { InputInfo, OutputInfo } from "../trace/trace.js";
import { operationName } from "./code-name.js";
import type { BadElement } from "./shown.js";

export function makeNote(
  code: NoteCode,
  severity: Note["severity"],
  message: string,
  node: number,
  site: number,
): Note {
  const place = placeOf(site);
  return {
    code,
    severity,
    message,
    node,
    file: place?.file ?? null,
    line: place?.line ?? 0,
    column: place?.column ?? 0,
    endLine: place?.endLine ?? 0,
    endColumn: place?.endColumn ?? 0,
  };
}

/** A remark of an analysis, for information. */
export function remark(code: "branch" | "meaning", message: string, site = -1): Remark {
  return { ...makeNote("cut", "info", message, -1, site), code };
}

const NONE: readonly Note[] = [];

/** Cuts and kinks met while recording; of a bare one, cuts alone. */
export function recordedNotes(recorder: Recorder): readonly Note[] {
  if (recorder.notes.length === 0) return NONE;
  const out = recorder.notes.map(({ code, node, site, text, count, chosen }) => ({
    // a cut that the program asks for by name is told, and is no warning
    ...makeNote(code, chosen ? "info" : "warning", count > 1 ? `${text} (${count} times)` : text, node, site),
    ...(chosen ? { chosen } : {}),
  }));
  if (recorder.notesDropped > 0) {
    out.push(makeNote("cut", "warning", `${recorder.notesDropped} further remarks are not listed`, -1, -1));
  }
  return out;
}

/** Lists set to another length than their definition has: a loop may be over it, an index beyond it is NaN. */
export function otherLengths(inputs: readonly InputInfo[], definition: GraphDefinition): Note[] {
  const out: Note[] = [];
  for (const { name, first, count, shape } of inputs) {
    const defined = definition.inputs[name];
    if (shape.length !== 1 || !Array.isArray(defined) || Array.isArray(defined[0])) continue;
    if (defined.length === count) continue;
    const message = `the input "${name}" is given ${count} number${count === 1 ? "" : "s"}, its definition has ${defined.length}`;
    out.push(makeNote("other-length", "info", message, first, definition.site));
  }
  return out;
}

/** Inputs the graph function asked for and did not get: each is undefined there, and NaN in a sum or product. */
export function unknownInputs(
  { unknownInputs: asked }: Recorder,
  inputs: readonly InputInfo[],
  site: number,
): Note[] {
  const known = inputs.map(({ name }) => name).join(", ") || "none";
  return Array.from(asked, (name) => {
    const message = `the graph function asks for "${name}", and there is no such input: inputs are ${known}`;
    return makeNote("unknown-input", "warning", message, -1, site);
  });
}

/** Inputs no output depends on: their gradient is 0, which is worth a word. */
export function unusedInputs(inputs: readonly InputInfo[], active: Uint8Array, site: number): Note[] {
  const out: Note[] = [];
  for (const input of inputs) {
    const unused: string[] = [];
    for (let i = 0; i < input.count; i++) {
      if (active[input.first + i] === 0)
        unused.push(input.shape.length === 0 ? input.name : `${input.name}[${i}]`);
    }
    if (unused.length === 0) continue;
    const all = unused.length === input.count;
    const what = all
      ? input.name
      : unused.length > 5
        ? `${unused.slice(0, 5).join(", ")}, ... (${unused.length})`
        : unused.join(", ");
    out.push(
      makeNote(
        "unused-input",
        "warning",
        `the output does not depend on ${what}: its gradient is 0`,
        input.first,
        site,
      ),
    );
  }
  return out;
}

/** Several outputs seeded with 1 by default: the gradient shown is that of their sum. */
export function defaultCotangents(outputs: readonly OutputInfo[], chosen: boolean, site: number): Note[] {
  if (chosen || outputs.filter((output) => output.node >= 0).length < 2) return [];
  return [
    makeNote(
      "several-outputs",
      "info",
      `${outputs.length} outputs: the gradient is that of their sum (cotangent 1 each)`,
      -1,
      site,
    ),
  ];
}

/** An output that is NaN or Inf without having been traced. */
export function nonFiniteOutputs(outputs: readonly OutputInfo[], site: number): Note[] {
  const bad = outputs.find((output) => output.node < 0 && !Number.isFinite(output.value));
  if (bad === undefined) return [];
  const which = bad.key === null ? "the output" : `the output ${bad.key}`;
  return [makeNote("non-finite", "finding", `${which} is ${bad.value}, and depends on no input`, -1, site)];
}

/**
 * The first NaN or Inf in forward order and the first in the reverse sweep, on a path to an output.
 *
 * @param dropped the bad values as they were first computed, where the tape has dropped them; null: it has them
 */
export function nonFinite(
  flat: FlatTape,
  sweep: SweepResult | null,
  active: Uint8Array,
  nameOf: (node: number) => string,
  dropped: ReadonlyMap<number, BadElement> | null = null,
): Note[] {
  const out: Note[] = [];
  const badAt = (v: number): Bad | null => {
    if (dropped === null) return badElement(flat, v);
    const bad = dropped.get(v);
    return bad === undefined
      ? null
      : { at: indexText(nodeArray(flat, v).shape, bad.index), value: bad.value };
  };
  let dead: Note | null = null;
  for (let v = 0; v < flat.n; v++) {
    const bad = badAt(v);
    if (bad === null) continue;
    if (active[v] === 0) {
      dead ??= makeNote(
        "non-finite",
        "warning",
        `${nameOf(v)}${bad.at} is ${bad.value}, on no path to an output`,
        v,
        flat.site[v],
      );
      continue;
    }
    const from =
      flat.op[v] === OP_INPUT
        ? "an input"
        : `${operationName(flat, v)} of ${operandTexts(flat, v).join(" and ")}`;
    out.push(
      makeNote(
        "non-finite",
        "finding",
        `${nameOf(v)}${bad.at} is ${bad.value}: the first in forward order (${from})`,
        v,
        flat.site[v],
      ),
    );
    break;
  }
  if (out.length === 0 && dead !== null) out.push(dead);
  if (sweep !== null) {
    const first = firstBadContribution(flat, sweep, nameOf);
    if (first !== null) out.push(first);
  }
  return out;
}

/** An element that is NaN or infinite, with its index: "[0][2]". */
interface Bad {
  readonly at: string;
  readonly value: number;
}

/** The first NaN or infinite element of a node; null where all are finite. */
function badElement(flat: FlatTape, v: number): Bad | null {
  if (!isArrayNode(flat, v)) {
    return Number.isFinite(flat.value[v]) ? null : { at: "", value: flat.value[v] };
  }
  const { shape, data } = nodeArray(flat, v);
  const first = data.findIndex((element) => !Number.isFinite(element));
  return first < 0 ? null : { at: indexText(shape, first), value: data[first] };
}

function indexText(shape: readonly number[], element: number): string {
  let rest = element;
  const index = shape.map(() => 0);
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    index[axis] = rest % shape[axis];
    rest = Math.floor(rest / shape[axis]);
  }
  return index.map((i) => `[${i}]`).join("");
}

/** Operands as a message shows them: numbers, or the shapes of arrays. */
function operandTexts(flat: FlatTape, v: number): string[] {
  return operandArrays(flat, v).map(({ shape, data }) =>
    shape.length === 0 ? String(data[0]) : `an array ${shapeText(shape)}`,
  );
}

/** The first contribution in the order of the sweep that is not finite, or makes a running sum overflow. */
function firstBadContribution(
  flat: FlatTape,
  sweep: SweepResult,
  nameOf: (node: number) => string,
): Note | null {
  const running = new Float64Array(flat.n);
  for (const v of sweep.order) {
    for (let e = flat.edgeStart[v]; e < flat.edgeStart[v + 1]; e++) {
      const c = sweep.contribution[e];
      const to = flat.edgeFrom[e];
      running[to] += c;
      if (Number.isFinite(running[to])) continue;
      const message = Number.isFinite(c)
        ? `the contributions to ${nameOf(to)} overflow to ${running[to]} when they are added: the first in the reverse sweep`
        : `${nameOf(v)} hands ${c} to ${nameOf(to)} (cotangent ${sweep.cotangent[v]}): the first in the reverse sweep`;
      return makeNote("non-finite", "finding", message, v, flat.site[v]);
    }
  }
  return null;
}
