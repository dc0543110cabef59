/** Depth first with a visited set: a node is passed on when it is first met, and what arrives later stays where it is. */
export interface Cell {
  readonly value: number;
  grad: number;
  readonly parents: readonly (readonly [Cell, number])[];
}

const cell = (value: number, ...parents: (readonly [Cell, number])[]): Cell => ({ value, grad: 0, parents });

export const leaf = (value: number): Cell => cell(value);
export const add = (a: Cell, b: Cell): Cell => cell(a.value + b.value, [a, 1], [b, 1]);
export const sub = (a: Cell, b: Cell): Cell => cell(a.value - b.value, [a, 1], [b, -1]);
export const mul = (a: Cell, b: Cell): Cell => cell(a.value * b.value, [a, b.value], [b, a.value]);
export const sin = (a: Cell): Cell => cell(Math.sin(a.value), [a, Math.cos(a.value)]);

export function backward(output: Cell): void {
  const visited = new Set<Cell>();
  const visit = (node: Cell): void => {
    visited.add(node);
    for (const [parent, local] of node.parents) {
      parent.grad += local * node.grad;
      if (!visited.has(parent)) visit(parent); // fault: other uses of the parent may not have paid yet
    }
  };
  output.grad = 1;
  visit(output);
}
