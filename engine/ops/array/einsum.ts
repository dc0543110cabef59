/**
 * Sums of products over labelled axes. The equation is turned into matrix products: repeated labels are diagonals, labels
 * that nobody else needs are summed at once, and two operands are joined by one batched product, whose batch axes are the
 * labels both keep and whose inner axis is the labels they are summed over.
 */
import { shapeText, sizeOf, type Shape } from "../../tape/ndarray.js";
import type { Algebra } from "./algebra.js";
import { defineComposite } from "./composite.js";
import { ShapeError, type ArrayPrimitive, type Params } from "./row.js";

interface Equation {
  /** labels of each operand's axes */
  readonly inputs: readonly string[][];
  readonly output: readonly string[];
  readonly length: ReadonlyMap<string, number>;
}

const equationForm = /^[A-Za-z.,\s]*(->[A-Za-z.\s]*)?$/;

/** The labels of one term; an ellipsis stands for axes labelled ".2", ".1", ".0", counted from the last. */
function labelsOf(term: string, rank: number): string[] {
  const parts = term.split("...");
  const named = parts.join("");
  if (parts.length > 2 || named.includes(".")) throw new ShapeError(`einsum: "${term}" is no term`);
  if (parts.length === 1) return [...term];
  const dots = Math.max(0, rank - named.length);
  const numbered = Array.from({ length: dots }, (_, i) => `.${dots - 1 - i}`);
  return [...parts[0], ...numbered, ...parts[1]];
}

/** The output of an equation without one: labels that occur once, in the order of the alphabet, after the ellipsis. */
function impliedOutput(inputs: readonly string[][]): string[] {
  const all = inputs.flat();
  const dots = [...new Set(all.filter((label) => label.startsWith(".")))];
  const named = all.filter((label) => !label.startsWith("."));
  const once = named.filter((label) => named.indexOf(label) === named.lastIndexOf(label));
  return [...dots.sort((a, b) => Number(b.slice(1)) - Number(a.slice(1))), ...once.sort()];
}

function parse(shapes: readonly Shape[], params: Params): Equation {
  const { equation } = params;
  if (typeof equation !== "string" || !equationForm.test(equation))
    throw new ShapeError('einsum: the equation must be text such as "ij,jk->ik"');
  const [left, right] = equation.replace(/\s/g, "").split("->");
  const terms = left.split(",");
  if (terms.length !== shapes.length)
    throw new ShapeError(`einsum: "${equation}" is for ${terms.length} arrays, ${shapes.length} were given`);
  const inputs = terms.map((term, slot) => labelsOf(term, shapes[slot].length));
  const length = new Map<string, number>();
  inputs.forEach((labels, slot) => {
    const shape = shapes[slot];
    if (labels.length !== shape.length)
      throw new ShapeError(
        `einsum: "${terms[slot]}" names ${labels.length} axes, operand ${slot} has the shape ${shapeText(shape)}`,
      );
    labels.forEach((label, axis) => {
      const known = length.get(label) ?? 1;
      if (known !== 1 && shape[axis] !== 1 && known !== shape[axis])
        throw new ShapeError(
          `einsum: ${label.startsWith(".") ? "the ellipsis" : `label "${label}"`} has the length ${known} in one operand and ${shape[axis]} in operand ${slot} of shape ${shapeText(shape)}`,
        );
      length.set(label, known === 1 ? shape[axis] : known);
    });
  });
  const dots = [...length.keys()].filter((label) => label.startsWith("."));
  const output =
    right === undefined
      ? impliedOutput(inputs)
      : labelsOf(right, dots.length + right.replace("...", "").length);
  output.forEach((label, i) => {
    if (!length.has(label)) throw new ShapeError(`einsum: no operand has the output's label "${label}"`);
    if (output.indexOf(label) !== i)
      throw new ShapeError(`einsum: the output has the label "${label}" twice`);
  });
  return { inputs, output, length };
}

/** An array with a label for every axis, none twice. */
interface Labelled<T> {
  readonly x: T;
  readonly labels: readonly string[];
}

const positions = (labels: readonly string[], of: readonly string[]): number[] =>
  of.map((label) => labels.indexOf(label));

/** Axes with one label become their diagonal; axes of length 1 where others are longer are dropped: they repeat. */
function distinct<T>(k: Algebra<T>, x: T, labels: readonly string[], { length }: Equation): Labelled<T> {
  const shape = k.shape(x);
  const keep = labels.map((label, axis) => shape[axis] !== 1 || length.get(label) === 1);
  let array = k.reshape(
    x,
    shape.filter((_, axis) => keep[axis]),
  );
  let own = labels.filter((_, axis) => keep[axis]);
  for (;;) {
    const second = own.findIndex((label, axis) => own.indexOf(label) !== axis);
    if (second < 0) return { x: array, labels: own };
    const first = own.indexOf(own[second]);
    const rest = own.map((_, axis) => axis).filter((axis) => axis !== first && axis !== second);
    array = k.apply("diagonal", [k.transpose(array, [...rest, first, second])], { k: 0 });
    own = [...rest.map((axis) => own[axis]), own[first]];
  }
}

/** Sums the axes whose labels are not needed any more. */
function summed<T>(k: Algebra<T>, { x, labels }: Labelled<T>, needed: ReadonlySet<string>): Labelled<T> {
  const gone = labels.map((_, axis) => axis).filter((axis) => !needed.has(labels[axis]));
  if (gone.length === 0) return { x, labels };
  return { x: k.sum(x, gone), labels: labels.filter((label) => needed.has(label)) };
}

/** The axes in this order; nothing is done where they are in it. */
function ordered<T>(k: Algebra<T>, { x, labels }: Labelled<T>, wanted: readonly string[]): T {
  return labels.join() === wanted.join() ? x : k.transpose(x, positions(labels, wanted));
}

/** The product of two arrays, summed over the labels that both have and nobody needs. */
function joined<T>(
  k: Algebra<T>,
  a: Labelled<T>,
  b: Labelled<T>,
  needed: ReadonlySet<string>,
  { length }: Equation,
): Labelled<T> {
  const inB = new Set(b.labels);
  const inA = new Set(a.labels);
  const batch = a.labels.filter((label) => inB.has(label) && needed.has(label));
  const inner = a.labels.filter((label) => inB.has(label) && !needed.has(label));
  const rows = a.labels.filter((label) => !inB.has(label));
  const columns = b.labels.filter((label) => !inA.has(label));
  const lengths = (labels: readonly string[]): number[] => labels.map((label) => length.get(label)!);
  const [m, n, inside] = [rows, columns, inner].map((labels) => sizeOf(lengths(labels)));
  const left = k.reshape(ordered(k, a, [...batch, ...rows, ...inner]), [...lengths(batch), m, inside]);
  const right = k.reshape(ordered(k, b, [...batch, ...inner, ...columns]), [...lengths(batch), inside, n]);
  const labels = [...batch, ...rows, ...columns];
  return { x: k.reshape(k.matmul(left, right), lengths(labels)), labels };
}

/** The two terms whose product is smallest, earlier ones first: a greedy order of contraction. */
function nextPair<T>(
  terms: readonly Labelled<T>[],
  neededBeside: (i: number, j: number) => ReadonlySet<string>,
  { length }: Equation,
): [number, number] {
  let best: [number, number] = [0, 1];
  let smallest = Infinity;
  for (let j = 1; j < terms.length; j++) {
    for (let i = 0; i < j; i++) {
      const needed = neededBeside(i, j);
      const labels = new Set([...terms[i].labels, ...terms[j].labels].filter((label) => needed.has(label)));
      const size = sizeOf([...labels].map((label) => length.get(label)!));
      if (size < smallest) [best, smallest] = [[i, j], size];
    }
  }
  return best;
}

function contract<T>(k: Algebra<T>, operands: readonly T[], params: Params): T {
  const equation = parse(
    operands.map((operand) => k.shape(operand)),
    params,
  );
  const { inputs, output, length } = equation;
  let terms = operands.map((x, slot) => distinct(k, x, inputs[slot], equation));
  const neededBeside = (i: number, j: number): ReadonlySet<string> =>
    new Set([...output, ...terms.flatMap(({ labels }, at) => (at === i || at === j ? [] : labels))]);
  terms = terms.map((term, i) => summed(k, term, neededBeside(i, i)));
  while (terms.length > 1) {
    const [i, j] = nextPair(terms, neededBeside, equation);
    const both = joined(k, terms[i], terms[j], neededBeside(i, j), equation);
    terms = [...terms.filter((_, at) => at !== i && at !== j), both];
  }
  const result = summed(k, terms[0], new Set(output));
  // labels whose axes were dropped everywhere do not occur: length is that of the longest
  const there = output.filter((label) => result.labels.includes(label));
  const x = ordered(k, result, there);
  return k.reshape(
    x,
    output.map((label) => length.get(label)!),
  );
}

export const einsums: readonly ArrayPrimitive[] = [
  defineComposite({
    name: "einsum",
    operands: ["...xs"],
    check: (shapes, params) => void parse(shapes, params),
    formulaOf: contract,
    formula: "sum of products over the labels that the output leaves out",
    rule: "the equation with g in the operand's place",
    doc: 'Sums of products over labelled axes, such as "bij,bjk->bik"; "..." stands for leading axes that broadcast.',
  }),
];
