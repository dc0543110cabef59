/** Random graphs of scalars and small arrays, as data, for the property tests of array sweeps. */
import fc from "fast-check";
import * as B from "../../engine/index.js";
import type { GraphDefinition, Tensor } from "../../engine/index.js";

type Value = number | Tensor;

export interface ArrayStep {
  readonly op: number;
  readonly a: number;
  readonly b: number;
}

export interface ArrayGraph {
  readonly matrix: readonly (readonly number[])[];
  readonly row: readonly number[];
  readonly scalar: number;
  readonly steps: readonly ArrayStep[];
}

const number = fc.double({ min: -1.2, max: 1.2, noNaN: true, noDefaultInfinity: true });

export function arrayGraph(maxSteps = 10): fc.Arbitrary<ArrayGraph> {
  return fc.integer({ min: 1, max: 3 }).chain((columns) =>
    fc.record({
      matrix: fc.array(fc.array(number, { minLength: columns, maxLength: columns }), {
        minLength: 2,
        maxLength: 2,
      }),
      row: fc.array(number, { minLength: columns, maxLength: columns }),
      scalar: number,
      steps: fc.array(fc.record({ op: fc.nat(9), a: fc.nat(40), b: fc.nat(40) }), {
        minLength: 1,
        maxLength: maxSteps,
      }),
    }),
  );
}

const tensorOf = (x: Value): Tensor | null => (B.isTensor(x) ? x : null);

/** Applies a step; where shapes do not fit, something that always does. */
function apply({ op, a: ia, b: ib }: ArrayStep, nodes: readonly Value[]): Value {
  const a = nodes[ia % nodes.length];
  const b = nodes[ib % nodes.length];
  const t = tensorOf(a);
  const u = tensorOf(b);
  const fits = (x: Tensor, y: Tensor): boolean =>
    [1, 2].every((i) => {
      const m = x.shape[x.rank - i] ?? 1;
      const n = y.shape[y.rank - i] ?? 1;
      return m === n || m === 1 || n === 1;
    });
  const compatible = t === null || u === null || fits(t, u);
  switch (op) {
    case 0:
      return compatible ? (B.add(a as Tensor, b as Tensor) as Value) : B.add(t!.sum(), b as Tensor);
    case 1:
      return compatible ? (B.mul(a as Tensor, b as Tensor) as Value) : B.mul(t!.sum(), u!.sum());
    case 2:
      return compatible ? (B.sub(a as Tensor, b as Tensor) as Value) : B.sub(b as Tensor, t!.sum());
    case 3:
      return B.tanh(a as Tensor) as Value;
    case 4:
      return B.sin(a as Tensor) as Value;
    case 5:
      return t === null || t.rank === 0 ? (B.neg(a as Tensor) as Value) : t.sum({ axis: 0, keepdims: true });
    case 6:
      return t === null ? B.mul(a as number, a as number) : t.transpose();
    case 7:
      if (t !== null && u !== null && t.rank > 0 && u.rank > 0) {
        const inner = t.shape[t.rank - 1];
        if (inner === u.shape[Math.max(0, u.rank - 2)]) return t.matmul(u);
        if (t.rank === 2 && u.rank === 2 && inner === u.shape[1]) return t.matmul(u.transpose());
      }
      return B.mul(a as Tensor, 0.5) as Value;
    case 8:
      return t === null ? B.atan(a as number) : t.reshape([t.size]);
    default:
      return t === null ? B.sigmoid(a as number) : t.element(...t.shape.map((n) => (ia + ib) % n));
  }
}

/** The graph as a definition; its output is the sum of everything, so that every node is on a path to it. */
export function definitionOf(g: ArrayGraph): GraphDefinition {
  return B.graph({ M: g.matrix as number[][], r: Float64Array.from(g.row), s: g.scalar }, ({ M, r, s }) => {
    const nodes: Value[] = [M, r, s];
    for (const step of g.steps) nodes.push(apply(step, nodes));
    let total: number = B.tanh(s);
    for (const node of nodes) {
      const part = B.isTensor(node) ? B.sin(node).sum() : B.sin(node);
      total = B.add(total, part);
    }
    return total;
  }) as unknown as GraphDefinition;
}

/** Input values as one flat list, and back. */
export function flatInputs(g: ArrayGraph): number[] {
  return [...g.matrix.flat(), ...g.row, g.scalar];
}

export function withInputs(g: ArrayGraph, flat: readonly number[]): Record<string, unknown> {
  const columns = g.row.length;
  return {
    M: [flat.slice(0, columns), flat.slice(columns, 2 * columns)],
    r: Float64Array.from(flat.slice(2 * columns, 3 * columns)),
    s: flat[3 * columns],
  };
}
