/** Products made of multiplications and matrix products: outer, dot, kron. */
import { shapeText, type Shape } from "../../tape/ndarray.js";
import { defineComposite } from "./composite.js";
import { wantRank } from "./index-params.js";
import { ShapeError, type ArrayPrimitive } from "./row.js";

function checkDot([a, b]: readonly Shape[]): void {
  if (a.length === 0 || b.length === 0) return;
  const rows = b.length === 1 ? b[0] : b[b.length - 2];
  if (a[a.length - 1] !== rows)
    throw new ShapeError(
      `dot: shapes ${shapeText(a)} and ${shapeText(b)} do not fit: the inner lengths are ${a[a.length - 1]} and ${rows}`,
    );
}

/** Lengths a0 b0 a1 b1 .. of the product that kron is before its axes are joined: one operand's have 1 for the other's. */
const interleaved = (shape: Shape, first: boolean): number[] =>
  shape.flatMap((length) => (first ? [length, 1] : [1, length]));

const led = (shape: Shape, rank: number): number[] => [
  ...new Array<number>(rank - shape.length).fill(1),
  ...shape,
];

export const vectorProducts: readonly ArrayPrimitive[] = [
  defineComposite({
    name: "outer",
    operands: ["a", "b"],
    check([a, b]) {
      wantRank("outer", a, 1, 1);
      wantRank("outer", b, 1, 1);
    },
    formulaOf: (k, [a, b]) => k.mul(k.reshape(a, [...k.shape(a), 1]), b),
    formula: "a[i] b[j]",
    rule: "g b, gᵀ a",
    doc: "Every element of one vector times every element of another.",
  }),
  defineComposite({
    name: "dot",
    operands: ["a", "b"],
    check: checkDot,
    formulaOf(k, [a, b]) {
      const left = k.shape(a);
      const right = k.shape(b);
      if (left.length === 0 || right.length === 0) return k.mul(a, b);
      if (right.length <= 2) return k.matmul(a, b);
      // the summed axis first, the others as columns
      const rank = right.length;
      const order = [rank - 2, ...right.map((_, axis) => axis).filter((axis) => axis !== rank - 2)];
      const others = right.filter((_, axis) => axis !== rank - 2);
      const inner = right[rank - 2];
      const columns = others.reduce((product, length) => product * length, 1);
      const product = k.matmul(a, k.reshape(k.transpose(b, order), [inner, columns]));
      return k.reshape(product, [...left.slice(0, -1), ...others]);
    },
    formula: "sum over k of a[.., k] b[.., k, j]",
    rule: "g bᵀ, aᵀ g",
    doc: "Inner product of vectors, which is all that the function and the method `dot` take; the row itself is numpy.dot: of arrays, the sum over the last axis of a and the last but one of b.",
  }),
  defineComposite({
    name: "kron",
    operands: ["a", "b"],
    formulaOf(k, [a, b]) {
      const rank = Math.max(k.shape(a).length, k.shape(b).length);
      const left = led(k.shape(a), rank);
      const right = led(k.shape(b), rank);
      const product = k.mul(k.reshape(a, interleaved(left, true)), k.reshape(b, interleaved(right, false)));
      return k.reshape(
        product,
        left.map((length, axis) => length * right[axis]),
      );
    },
    formula: "blocks a[i, j] b",
    rule: "sum of g b in each block, sum of a g over blocks",
    doc: "Kronecker product: every element of a times the whole of b.",
  }),
];
