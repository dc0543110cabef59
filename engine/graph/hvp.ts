/** Second derivatives of a graph: Hessian-vector products, the Hessian and its diagonal, from one recording. */
import { rounder } from "../ops/dtype.js";
import { flatten, type FlatTape } from "../sweep/flat.js";
import { HessianProducts } from "../sweep/hvp.js";
import { separableGroups } from "../sweep/hvp-sparsity.js";
import { activeNodes, sweepOrder } from "../sweep/order.js";
import { BacksweepError } from "../trace/failure.js";
import type { InputInfo, OutputInfo } from "../trace/trace.js";
import { subjectOf } from "./complete.js";
import type { GraphDefinition, Inputs } from "./definition.js";
import { byInput, directionOf, inputNodes, type Direction } from "./directions.js";
import { outsideOnly, scalarsOnly } from "./inside.js";
import { mergeSeeds } from "./outputs.js";
import {
  questionOf,
  type At,
  type Differentiable,
  type GradientOf,
  type Shaped,
  type Point,
  type PointFunction,
} from "./point.js";
import { record, type Subject } from "./record.js";
import { giveBack, spare } from "./swept.js";

/** A graph recorded once, for any number of Hessian-vector products. */
export interface SecondOrder {
  readonly inputs: readonly InputInfo[];
  readonly outputs: readonly OutputInfo[];
  /** nodes of all input numbers */
  readonly nodes: readonly number[];
  readonly flat: FlatTape;
  readonly active: Uint8Array;
  readonly products: HessianProducts;
  /** the outputs, each times its cotangent, added: the function whose Hessian this is */
  readonly value: number;
}

/**
 * Records the graph and makes it ready for Hessian-vector products.
 *
 * @throws BacksweepError `option` for an accumulation other than sum; and what a run throws
 */
export function secondOrder(subject: Subject, who: string): SecondOrder {
  const { settings, definition } = subject;
  if (settings.accumulate !== "sum") {
    throw new BacksweepError(
      "option",
      `${who} adds contributions as they arrive: the accumulation "${settings.accumulate}" is for first derivatives (use sum)`,
    );
  }
  const { recorder, inputs, outputs } = record(subject, {}, undefined, spare);
  const flat = flatten(recorder.tape);
  scalarsOnly(flat, who, definition.site);
  giveBack(recorder);
  const seeds = mergeSeeds(outputs);
  const outputNodes = seeds.map(({ node }) => node);
  const active = activeNodes(flat, outputNodes);
  const products = new HessianProducts(flat, {
    active,
    order: sweepOrder(flat, active, outputNodes, settings.order, (v) => `node ${v}`),
    seeds,
    round: settings.cotangentDtype === "f64" ? null : rounder(settings.cotangentDtype),
    customRules: recorder.customRules,
  });
  const value =
    outputs.length === 1 && outputs[0].cotangent === 1
      ? outputs[0].value
      : outputs.reduce((sum, output) => sum + output.cotangent * output.value, 0);
  return { inputs, outputs, nodes: inputNodes(inputs), flat, active, products, value };
}

/** The gradient as it came with the products. */
export function firstOrder({ nodes, active, products }: SecondOrder): (index: number) => number {
  return (index) => (active[nodes[index]] === 1 ? products.cotangent[nodes[index]] : 0);
}

export interface DiagonalTable {
  readonly inputs: readonly InputInfo[];
  /** by input number */
  readonly diagonal: Float64Array;
  /** Hessian-vector products it took */
  readonly products: number;
}

/**
 * The diagonal, by one product for every group of inputs that meet in no second derivative (all of them together, for a
 * separable function); one an input where no structure was found.
 */
export function diagonalTable(second: SecondOrder): DiagonalTable {
  const { inputs, nodes, flat, active, products } = second;
  const diagonal = new Float64Array(nodes.length);
  const found = separableGroups(flat, nodes, active);
  const groups = found?.groups ?? nodes.length;
  const members: number[][] = Array.from({ length: groups }, () => []);
  nodes.forEach((_, i) => members[found === null ? i : found.group[i]].push(i));
  for (const group of members) {
    const { product } = products.along(group.map((i) => [nodes[i], 1] as const));
    for (const i of group) diagonal[i] = product[nodes[i]];
  }
  return { inputs, diagonal, products: groups };
}

/** H v beside what comes with it. */
export interface Hvp<G> {
  readonly value: number;
  readonly gradient: G;
  /** gradient times direction */
  readonly jvp: number;
  readonly hvp: G;
}

/**
 * The Hessian of the output times a direction, by one forward and one reverse sweep (forward over reverse). Several
 * outputs are added, each times its cotangent (option `cotangent`, default 1).
 *
 * @param direction tangent by input name (a missing input has 0); for a function, of the shape of its point
 * @param at inputs by name that differ from the definition's; for a function, its point
 * @throws BacksweepError `option` for an unknown input; `no-rule` where a custom rule cannot be differentiated
 */
export function hvp<I extends Inputs>(
  definition: GraphDefinition<I>,
  direction: At<I>,
  at?: At<I>,
): Hvp<GradientOf<I>>;
export function hvp<P extends Point>(fn: PointFunction<P>, direction: Shaped<P>, at: P): Hvp<Shaped<P>>;
export function hvp(what: Differentiable, direction: unknown, at?: unknown): Hvp<unknown> {
  outsideOnly("hvp");
  const question = questionOf(what, at);
  const second = secondOrder(subjectOf(question.definition, question.at), "hvp");
  const { inputs, nodes, outputs, products, value } = second;
  const tangents = directionOf(question.wrap(direction) as Direction, inputs, "hvp");
  const { tangent, product } = products.along(tangents);
  return {
    value,
    gradient: question.unwrap(byInput(inputs, firstOrder(second))),
    jvp: directionalDerivative(outputs, tangent),
    hvp: question.unwrap(byInput(inputs, (i) => product[nodes[i]])),
  };
}

/** The derivative of the weighted outputs along the direction. */
export function directionalDerivative(outputs: readonly OutputInfo[], tangent: Float64Array): number {
  let sum = 0;
  for (const { node, cotangent } of outputs) if (node >= 0) sum += cotangent * tangent[node];
  return sum;
}

/**
 * The diagonal of the Hessian, and the number of Hessian-vector products it took: one for a separable function, at most
 * one an input number.
 */
export function hessianDiagonal<I extends Inputs>(
  definition: GraphDefinition<I>,
  at?: At<I>,
): { diagonal: GradientOf<I>; products: number };
export function hessianDiagonal<P extends Point>(
  fn: PointFunction<P>,
  at: P,
): { diagonal: Shaped<P>; products: number };
export function hessianDiagonal(what: Differentiable, at?: unknown): { diagonal: unknown; products: number } {
  outsideOnly("hessianDiagonal");
  const question = questionOf(what, at);
  const table = diagonalTable(secondOrder(subjectOf(question.definition, question.at), "hessianDiagonal"));
  return {
    diagonal: question.unwrap(byInput(table.inputs, (i) => table.diagonal[i])),
    products: table.products,
  };
}

/** Second derivatives of one number of the point: of the shape of the point. */
type Second<P> = P extends number ? number : P extends readonly number[] ? number[][] : Blocks<P>;
type Blocks<P> = {
  [R in keyof P]: P[R] extends number ? Shaped<P> : Shaped<P>[];
};

/**
 * The whole Hessian, one product an input number: `hessian.x.y` is the second derivative in x and y, `hessian.w[0].w[1]`
 * that in two elements of an array. Row by row as the products came; equal to its transpose to rounding.
 */
export function hessian<I extends Inputs>(
  definition: GraphDefinition<I>,
  at?: At<I>,
): { hessian: Second<I>; products: number };
export function hessian<P extends Point>(
  fn: PointFunction<P>,
  at: P,
): { hessian: Second<P>; products: number };
export function hessian(what: Differentiable, at?: unknown): { hessian: unknown; products: number } {
  outsideOnly("hessian");
  const question = questionOf(what, at);
  const { inputs, nodes, products } = secondOrder(subjectOf(question.definition, question.at), "hessian");
  const rows = nodes.map((node) => {
    const { product } = products.along([[node, 1]]);
    return question.unwrap(byInput(inputs, (i) => product[nodes[i]]));
  });
  const out: Record<string, unknown> = Object.create(null);
  let index = 0;
  for (const { name, count, shape } of inputs) {
    out[name] = shape.length === 0 ? rows[index] : rows.slice(index, index + count);
    index += count;
  }
  return { hessian: question.unwrap({ ...out }), products: nodes.length };
}
