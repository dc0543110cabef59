/** A node is passed on when the last of its uses has paid: uses on a path to the output are counted first. */
export interface Node {
  readonly value: number;
  readonly operands: readonly Node[];
  readonly locals: readonly number[];
}

export const leaf = (value: number): Node => ({ value, operands: [], locals: [] });
export const make = (value: number, operands: Node[], locals: number[]): Node => ({
  value,
  operands,
  locals,
});

export function backward(output: Node): Map<Node, number> {
  const pending = new Map<Node, number>([[output, 0]]);
  const open = [output];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    for (const operand of node.operands) {
      if (!pending.has(operand)) open.push(operand);
      pending.set(operand, (pending.get(operand) ?? 0) + 1);
    }
  }
  const gradient = new Map<Node, number>([[output, 1]]);
  const ready = [output];
  for (let node = ready.shift(); node !== undefined; node = ready.shift()) {
    const g = gradient.get(node)!;
    node.operands.forEach((operand, i) => {
      gradient.set(operand, (gradient.get(operand) ?? 0) + g * node.locals[i]);
      const left = pending.get(operand)! - 1;
      pending.set(operand, left);
      if (left === 0) ready.push(operand);
    });
  }
  return gradient;
}
