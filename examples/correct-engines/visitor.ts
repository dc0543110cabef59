/** A class an operation, and a visitor that walks them in reverse; private fields hold the sums. */
export abstract class Operation {
  #adjoint = 0;
  abstract readonly value: number;
  abstract readonly operands: readonly Operation[];
  abstract accept(visitor: Visitor): void;

  get adjoint(): number {
    return this.#adjoint;
  }
  receive(part: number): void {
    this.#adjoint += part;
  }
  clear(): void {
    this.#adjoint = 0;
  }
}

export class Constant extends Operation {
  readonly operands: readonly Operation[] = [];
  constructor(readonly value: number) {
    super();
  }
  accept(): void {}
}

export class Sum extends Operation {
  readonly operands: readonly Operation[];
  readonly value: number;
  constructor(
    readonly a: Operation,
    readonly b: Operation,
  ) {
    super();
    this.operands = [a, b];
    this.value = a.value + b.value;
  }
  accept(visitor: Visitor): void {
    visitor.sum(this);
  }
}

export class Product extends Operation {
  readonly operands: readonly Operation[];
  readonly value: number;
  constructor(
    readonly a: Operation,
    readonly b: Operation,
  ) {
    super();
    this.operands = [a, b];
    this.value = a.value * b.value;
  }
  accept(visitor: Visitor): void {
    visitor.product(this);
  }
}

export class Sine extends Operation {
  readonly operands: readonly Operation[];
  readonly value: number;
  constructor(readonly a: Operation) {
    super();
    this.operands = [a];
    this.value = Math.sin(a.value);
  }
  accept(visitor: Visitor): void {
    visitor.sine(this);
  }
}

export class Visitor {
  sum(node: Sum): void {
    node.a.receive(node.adjoint);
    node.b.receive(node.adjoint);
  }
  product(node: Product): void {
    node.a.receive(node.adjoint * node.b.value);
    node.b.receive(node.adjoint * node.a.value);
  }
  sine(node: Sine): void {
    node.a.receive(node.adjoint * Math.cos(node.a.value));
  }

  /** Depth first with a stack of its own, so that no graph is too deep. */
  backward(output: Operation): void {
    const order: Operation[] = [];
    const state = new Map<Operation, "open" | "done">();
    const stack = [output];
    while (stack.length > 0) {
      const node = stack[stack.length - 1];
      if (state.get(node) === undefined) {
        state.set(node, "open");
        for (const operand of node.operands) if (!state.has(operand)) stack.push(operand);
      } else {
        stack.pop();
        if (state.get(node) === "done") continue;
        state.set(node, "done");
        order.push(node);
      }
    }
    for (const node of order) node.clear();
    output.receive(1);
    for (const node of order.reverse()) node.accept(this);
  }
}
