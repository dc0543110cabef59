/** An operation calls what follows it, and pays its operands when that returns: the stack is the tape. */
import { audit } from "backsweep";

interface Cell {
  readonly value: number;
  bar: number;
}
type Rest = (out: Cell) => void;
type Step = (cells: readonly Cell[], rest: Rest) => void;

const cell = (value: number): Cell => ({ value, bar: 0 });
let program: Step[] = [];
let cells: Cell[] = [];

const record = (step: Step): number => program.push(step) - 1;

function run(at: number, output: number): void {
  program[at](cells, (out) => {
    cells[at] = out;
    if (at === output) out.bar = 1;
    else run(at + 1, output);
  });
}

export const continuations = audit<number>({
  begin() {
    program = [];
  },
  leaf: (value) => record((_, rest) => rest(cell(value))),
  operations: {
    add: (a, b) =>
      record((of, rest) => {
        const out = cell(of[a].value + of[b].value);
        rest(out);
        of[a].bar += out.bar;
        of[b].bar += out.bar;
      }),
    mul: (a, b) =>
      record((of, rest) => {
        const out = cell(of[a].value * of[b].value);
        rest(out);
        of[a].bar += out.bar * of[b].value;
        of[b].bar += out.bar * of[a].value;
      }),
    tanh: (a) =>
      record((of, rest) => {
        const out = cell(Math.tanh(of[a].value));
        rest(out);
        of[a].bar += out.bar * (1 - out.value ** 2);
      }),
  },
  backward(output) {
    cells = [];
    run(0, output);
  },
  gradient: (node) => cells[node]?.bar,
  reset: () => undefined,
});
