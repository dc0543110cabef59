/** Nodes know nothing of gradients: a sweep returns them in a Map, one entry a node that was reached. */
export interface Term {
  readonly id: number;
  readonly value: number;
  readonly operands: readonly Term[];
  readonly pullback: (g: number) => readonly number[];
}

let next = 0;

export function term(
  value: number,
  operands: readonly Term[] = [],
  pullback: Term["pullback"] = () => [],
): Term {
  return { id: next++, value, operands, pullback };
}

export function gradients(output: Term): ReadonlyMap<number, number> {
  const reached = new Map<number, Term>();
  const open = [output];
  while (open.length > 0) {
    const at = open.pop()!;
    if (reached.has(at.id)) continue;
    reached.set(at.id, at);
    open.push(...at.operands);
  }
  const sums = new Map<number, number>([[output.id, 1]]);
  // ids count up, so a node's uses have larger ones
  for (const id of [...reached.keys()].sort((a, b) => b - a)) {
    const { operands, pullback } = reached.get(id)!;
    const parts = pullback(sums.get(id) ?? 0);
    operands.forEach((operand, i) => {
      sums.set(operand.id, (sums.get(operand.id) ?? 0) + parts[i]);
    });
  }
  return sums;
}
