/** An operation is a coroutine: it runs to its yield in the forward pass, and from there on in the sweep. */
import { audit } from "backsweep";

class Dual {
  bar = 0;
  constructor(readonly value: number) {}
}
type Routine = Generator<Dual, void>;

let routines: Routine[] = [];

function begin(routine: Routine): Dual {
  routines.push(routine);
  return routine.next().value as Dual;
}

function* add(a: Dual, b: Dual): Routine {
  const out = new Dual(a.value + b.value);
  yield out;
  a.bar += out.bar;
  b.bar += out.bar;
}

function* mul(a: Dual, b: Dual): Routine {
  const out = new Dual(a.value * b.value);
  yield out;
  a.bar += out.bar * b.value;
  b.bar += out.bar * a.value;
}

function* div(a: Dual, b: Dual): Routine {
  const out = new Dual(a.value / b.value);
  yield out;
  a.bar += out.bar / b.value;
  b.bar -= (out.bar * out.value) / b.value;
}

export const coroutines = audit<Dual>({
  begin() {
    routines = [];
  },
  leaf: (value) => new Dual(value),
  operations: {
    add: (a, b) => begin(add(a, b)),
    mul: (a, b) => begin(mul(a, b)),
    div: (a, b) => begin(div(a, b)),
  },
  backward(output) {
    output.bar = 1;
    for (const routine of routines.reverse()) routine.next();
  },
  gradient: (node) => node.bar,
  value: (node) => node.value,
});
