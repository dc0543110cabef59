/** Each value carries a closure that pays its operands; a topological order is made anew for each sweep. */
export class Value {
  grad = 0;
  private pay: () => void = () => {};
  constructor(
    readonly data: number,
    private readonly operands: readonly Value[] = [],
  ) {}

  add(other: Value): Value {
    const out = new Value(this.data + other.data, [this, other]);
    out.pay = () => {
      this.grad += out.grad;
      other.grad += out.grad;
    };
    return out;
  }

  mul(other: Value): Value {
    const out = new Value(this.data * other.data, [this, other]);
    out.pay = () => {
      this.grad += other.data * out.grad;
      other.grad += this.data * out.grad;
    };
    return out;
  }

  tanh(): Value {
    const t = Math.tanh(this.data);
    const out = new Value(t, [this]);
    out.pay = () => {
      this.grad += (1 - t * t) * out.grad;
    };
    return out;
  }

  relu(): Value {
    const out = new Value(Math.max(0, this.data), [this]);
    out.pay = () => {
      this.grad += (out.data > 0 ? 1 : 0) * out.grad;
    };
    return out;
  }

  backward(): void {
    const order: Value[] = [];
    const seen = new Set<Value>();
    const visit = (v: Value): void => {
      if (seen.has(v)) return;
      seen.add(v);
      for (const operand of v.operands) visit(operand);
      order.push(v);
    };
    visit(this);
    this.grad = 1;
    for (const v of order.reverse()) v.pay();
  }
}
