/**
 * Random DAGs as data, interpreted three ways in the tests: through the engine, as plain numbers (finite differences),
 * and by a slow reference sweep with derivatives of its own.
 */
import fc from "fast-check";
import * as B from "../../engine/index.js";
import type { GraphDefinition } from "../../engine/index.js";

export interface Step {
  readonly op: string;
  /** operand references, taken modulo the number of nodes made so far */
  readonly a: number;
  readonly b: number;
  /** replaces operand b by a constant */
  readonly constant: number | null;
}

export interface RandomGraph {
  readonly inputs: readonly number[];
  readonly steps: readonly Step[];
  /** references of the outputs (the last node is always among them) */
  readonly outputs: readonly number[];
}

interface Rule {
  readonly arity: 1 | 2;
  value(a: number, b: number): number;
  /** partial derivatives, written here on purpose and not taken from the table */
  partials(a: number, b: number): [number, number];
}

/** Smooth and tame, so that finite differences have something to agree with. */
export const rules: Readonly<Record<string, Rule>> = {
  add: { arity: 2, value: (a, b) => a + b, partials: () => [1, 1] },
  sub: { arity: 2, value: (a, b) => a - b, partials: () => [1, -1] },
  mul: { arity: 2, value: (a, b) => a * b, partials: (a, b) => [b, a] },
  sin: { arity: 1, value: (a) => Math.sin(a), partials: (a) => [Math.cos(a), 0] },
  tanh: { arity: 1, value: (a) => Math.tanh(a), partials: (a) => [1 / Math.cosh(a) ** 2, 0] },
  atan: { arity: 1, value: (a) => Math.atan(a), partials: (a) => [1 / (1 + a * a), 0] },
  neg: { arity: 1, value: (a) => -a, partials: () => [-1, 0] },
};

const number = fc.double({ min: -1.5, max: 1.5, noNaN: true, noDefaultInfinity: true });

export function randomGraph(maxSteps = 24): fc.Arbitrary<RandomGraph> {
  return fc.record({
    inputs: fc.array(number, { minLength: 1, maxLength: 4 }),
    steps: fc.array(
      fc.record({
        op: fc.constantFrom(...Object.keys(rules)),
        a: fc.nat(60),
        b: fc.nat(60),
        constant: fc.option(number, { freq: 6 }),
      }),
      { minLength: 1, maxLength: maxSteps },
    ),
    outputs: fc.array(fc.nat(60), { maxLength: 2 }),
  });
}

type Functions = Record<string, (a: number, b: number) => number>;

function interpret(graph: RandomGraph, inputs: readonly number[], functions: Functions): number[] {
  const nodes = inputs.slice();
  for (const step of graph.steps) {
    const a = nodes[step.a % nodes.length];
    const b = step.constant ?? nodes[step.b % nodes.length];
    nodes.push(functions[step.op](a, b));
  }
  return [...graph.outputs.map((i) => nodes[i % nodes.length]), nodes[nodes.length - 1]];
}

/** Output values at inputs, in plain numbers. */
export function evaluate(graph: RandomGraph, inputs = graph.inputs): number[] {
  return interpret(
    graph,
    inputs,
    Object.fromEntries(Object.entries(rules).map(([op, rule]) => [op, rule.value])),
  );
}

/** The same through the engine's explicit calls. */
export function definition(graph: RandomGraph): GraphDefinition {
  const inputs = Object.fromEntries(graph.inputs.map((x, i) => [`x${i}`, x]));
  const functions = B as unknown as Functions;
  return B.graph(inputs, (given) =>
    interpret(graph, Object.values(given as Record<string, number>), functions),
  ) as GraphDefinition;
}

/** Gradient of the sum of the outputs by summing over every use, node by node from the end: slow and plain. */
export function referenceGradient(graph: RandomGraph): number[] {
  interface Node {
    value: number;
    parents: [number, number][];
  }
  const nodes: Node[] = graph.inputs.map((value) => ({ value, parents: [] }));
  for (const step of graph.steps) {
    const rule = rules[step.op];
    const i = step.a % nodes.length;
    const j = step.constant === null ? step.b % nodes.length : -1;
    const a = nodes[i].value;
    const b = j < 0 ? step.constant! : nodes[j].value;
    const [da, db] = rule.partials(a, b);
    const parents: [number, number][] = [[i, da]];
    if (rule.arity === 2 && j >= 0) parents.push([j, db]);
    nodes.push({ value: rule.value(a, b), parents });
  }
  const seeds = nodes.map(() => 0);
  for (const o of graph.outputs) seeds[o % nodes.length] += 1;
  seeds[nodes.length - 1] += 1;
  const bar = (v: number, memo: Map<number, number>): number => {
    const known = memo.get(v);
    if (known !== undefined) return known;
    let sum = seeds[v];
    nodes.forEach((child, w) => {
      for (const [parent, local] of child.parents) if (parent === v) sum += local * bar(w, memo);
    });
    memo.set(v, sum);
    return sum;
  };
  const memo = new Map<number, number>();
  return graph.inputs.map((_, i) => bar(i, memo));
}
