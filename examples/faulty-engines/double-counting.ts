/** The list of visits has no visited set: a node that is reached along two ways is in it twice, and pays twice. */
export class Term {
  grad = 0;
  constructor(
    readonly value: number,
    readonly operands: readonly Term[] = [],
    readonly locals: readonly number[] = [],
  ) {}
}

export const add = (a: Term, b: Term): Term => new Term(a.value + b.value, [a, b], [1, 1]);
export const mul = (a: Term, b: Term): Term => new Term(a.value * b.value, [a, b], [b.value, a.value]);
export const neg = (a: Term): Term => new Term(-a.value, [a], [-1]);

function collect(term: Term, into: Term[]): Term[] {
  for (const operand of term.operands) collect(operand, into);
  into.push(term); // fault: it may be there already
  return into;
}

export function backward(output: Term): void {
  output.grad = 1;
  for (const term of collect(output, []).reverse()) {
    term.operands.forEach((operand, i) => {
      operand.grad += term.grad * term.locals[i];
    });
  }
}
