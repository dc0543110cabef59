/** An activation that works in place: it changes a value that other rules have yet to read. */
export class Slot {
  grad = 0;
  pull: () => void = () => {};
  constructor(
    public data: number,
    readonly from: readonly Slot[] = [],
  ) {}
}

export function add(a: Slot, b: Slot): Slot {
  const out = new Slot(a.data + b.data, [a, b]);
  out.pull = () => {
    a.grad += out.grad;
    b.grad += out.grad;
  };
  return out;
}

export function mul(a: Slot, b: Slot): Slot {
  const out = new Slot(a.data * b.data, [a, b]);
  out.pull = () => {
    a.grad += out.grad * b.data;
    b.grad += out.grad * a.data;
  };
  return out;
}

export function relu(a: Slot): Slot {
  const positive = a.data > 0;
  a.data = Math.max(0, a.data); // fault: the operand is not relu's to change
  const out = new Slot(a.data, [a]);
  out.pull = () => {
    a.grad += positive ? out.grad : 0;
  };
  return out;
}

export function backward(root: Slot): void {
  const order: Slot[] = [];
  const seen = new Set<Slot>();
  const visit = (s: Slot): void => {
    if (seen.has(s)) return;
    seen.add(s);
    s.from.forEach(visit);
    order.push(s);
  };
  visit(root);
  root.grad = 1;
  order.reverse().forEach((s) => s.pull());
}
