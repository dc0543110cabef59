/**
 * An engine of one object a node with a closure for its backward step, as teaching engines have it: a topological order is
 * found from the output, then every node pays its operands. The order is found with a stack, as a recursion would end at
 * some ten thousand operations. Written for this benchmark.
 */
import type { ScalarOps } from "../scalar/ops.js";
import { scalarProgram } from "../scalar/programs.js";
import type { Engine } from "./engine.js";

class Node {
  cotangent = 0;
  backward: (() => void) | null = null;

  constructor(
    readonly value: number,
    readonly operands: readonly Node[],
  ) {}
}

function unary(a: Node, value: number, local: number): Node {
  const out = new Node(value, [a]);
  out.backward = () => {
    a.cotangent += local * out.cotangent;
  };
  return out;
}

function binary(a: Node, b: Node, value: number, localA: number, localB: number): Node {
  const out = new Node(value, [a, b]);
  out.backward = () => {
    a.cotangent += localA * out.cotangent;
    b.cotangent += localB * out.cotangent;
  };
  return out;
}

const ops: ScalarOps<Node> = {
  constant: (c) => c,
  add: (a, b) => binary(a, b, a.value + b.value, 1, 1),
  sub: (a, b) => binary(a, b, a.value - b.value, 1, -1),
  mul: (a, b) => binary(a, b, a.value * b.value, b.value, a.value),
  square: (a) => unary(a, a.value * a.value, 2 * a.value),
  plus: (a, c) => unary(a, a.value + c, 1),
  times: (a, c) => unary(a, a.value * c, c),
  from: (c, a) => unary(a, c - a.value, -1),
  exp: (a) => {
    const e = Math.exp(a.value);
    return unary(a, e, e);
  },
  log: (a) => unary(a, Math.log(a.value), 1 / a.value),
  sin: (a) => unary(a, Math.sin(a.value), Math.cos(a.value)),
  tanh: (a) => {
    const t = Math.tanh(a.value);
    return unary(a, t, 1 - t * t);
  },
  sigmoid: (a) => {
    const s = 1 / (1 + Math.exp(-a.value));
    return unary(a, s, s * (1 - s));
  },
  value: (a) => a.value,
};

/** Every node once, operands before what uses them. */
function topological(output: Node): Node[] {
  const order: Node[] = [];
  const seen = new Set<Node>([output]);
  const stack = [{ node: output, next: 0 }];
  while (stack.length > 0) {
    const top = stack[stack.length - 1];
    if (top.next < top.node.operands.length) {
      const operand = top.node.operands[top.next++];
      if (!seen.has(operand)) {
        seen.add(operand);
        stack.push({ node: operand, next: 0 });
      }
    } else {
      order.push(top.node);
      stack.pop();
    }
  }
  return order;
}

/** Nodes of some 200 bytes: more than these do not fit an ordinary heap together with the set and the order. */
const LIMIT = 2_000_000;

export const objectGraph: Engine = {
  id: "object-graph",
  title: "object graph",
  precision: "f64",
  tolerance: 1e-10,
  prepare(problem) {
    if (problem.operations > LIMIT)
      return Promise.resolve(`${problem.operations.toLocaleString("en-US")} objects do not fit`);
    return Promise.resolve({
      run() {
        const inputs = Array.from(problem.parameters, (value) => new Node(value, []));
        const output = scalarProgram(ops, problem, inputs);
        output.cotangent = 1;
        const order = topological(output);
        for (let i = order.length - 1; i >= 0; i--) order[i].backward?.();
        return { value: output.value, gradient: Float64Array.from(inputs, (node) => node.cotangent) };
      },
    });
  },
};
