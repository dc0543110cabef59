/** Nothing is ever changed: a sweep folds a frozen record of gradients over the nodes, newest first. */
export interface Expr {
  readonly key: string;
  readonly depth: number;
  readonly value: number;
  readonly operands: readonly (readonly [Expr, number])[];
}

export type Gradients = Readonly<Record<string, number>>;

let count = 0;

export function expr(value: number, ...operands: (readonly [Expr, number])[]): Expr {
  const depth = Math.max(0, ...operands.map(([operand]) => operand.depth + 1));
  return Object.freeze({ key: `e${count++}`, depth, value, operands });
}

function reach(output: Expr): readonly Expr[] {
  const found = new Set<Expr>([output]);
  // a Set gives out what is added while it is walked
  for (const at of found) for (const [operand] of at.operands) found.add(operand);
  return [...found].sort((a, b) => b.depth - a.depth);
}

const pay = (sums: Gradients, key: string, part: number): Gradients => ({
  ...sums,
  [key]: (sums[key] ?? 0) + part,
});

export function gradientsOf(output: Expr): Gradients {
  return reach(output).reduce<Gradients>(
    (sums, at) =>
      at.operands.reduce(
        (rest, [operand, local]) => pay(rest, operand.key, local * (sums[at.key] ?? 0)),
        sums,
      ),
    { [output.key]: 1 },
  );
}
