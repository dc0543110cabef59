/** Values with closures. One operation of four assigns its contributions. */
export class Value {
  grad = 0;
  back: () => void = () => {};
  constructor(
    readonly data: number,
    readonly children: readonly Value[] = [],
  ) {}
}

export function add(a: Value, b: Value): Value {
  const out = new Value(a.data + b.data, [a, b]);
  out.back = () => {
    a.grad += out.grad;
    b.grad += out.grad;
  };
  return out;
}

export function mul(a: Value, b: Value): Value {
  const out = new Value(a.data * b.data, [a, b]);
  out.back = () => {
    a.grad += b.data * out.grad;
    b.grad += a.data * out.grad;
  };
  return out;
}

export function tanh(a: Value): Value {
  const out = new Value(Math.tanh(a.data), [a]);
  out.back = () => {
    a.grad += (1 - out.data * out.data) * out.grad;
  };
  return out;
}

export function exp(a: Value): Value {
  const out = new Value(Math.exp(a.data), [a]);
  out.back = () => {
    a.grad = out.data * out.grad; // fault: a sum is due
  };
  return out;
}

export function backward(root: Value): void {
  const order: Value[] = [];
  const seen = new Set<Value>();
  const visit = (v: Value): void => {
    if (seen.has(v)) return;
    seen.add(v);
    for (const child of v.children) visit(child);
    order.push(v);
  };
  visit(root);
  root.grad = 1;
  for (const v of order.reverse()) v.back();
}
