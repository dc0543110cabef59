/** A gradient is a small buffer. A sum hands its own buffer on to its operands instead of a copy. */
export class Var {
  grad: Float64Array | null = null;
  backward: (g: Float64Array) => void = () => {};
  constructor(
    readonly value: number,
    readonly operands: readonly Var[] = [],
  ) {}

  accept(g: Float64Array): void {
    if (this.grad === null) {
      this.grad = g; // fault: the giver goes on using this buffer
    } else {
      this.grad[0] += g[0];
    }
  }
}

export function add(a: Var, b: Var): Var {
  const out = new Var(a.value + b.value, [a, b]);
  out.backward = (g) => {
    a.accept(g);
    b.accept(g);
  };
  return out;
}

export function mul(a: Var, b: Var): Var {
  const out = new Var(a.value * b.value, [a, b]);
  out.backward = (g) => {
    a.accept(Float64Array.of(g[0] * b.value));
    b.accept(Float64Array.of(g[0] * a.value));
  };
  return out;
}

export function sweep(output: Var): void {
  const order: Var[] = [];
  const seen = new Set<Var>();
  const visit = (v: Var): void => {
    if (seen.has(v)) return;
    seen.add(v);
    v.operands.forEach(visit);
    order.push(v);
  };
  visit(output);
  output.grad = Float64Array.of(1);
  for (let i = order.length - 1; i >= 0; i--) order[i].backward(order[i].grad!);
}
