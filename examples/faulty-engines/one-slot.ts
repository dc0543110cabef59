/** Rules as objects, one an operation, which keep what the reverse sweep needs: of their last call. */
export interface Item {
  readonly value: number;
  grad: number;
  readonly operands: readonly Item[];
  readonly rule: Rule | null;
}

interface Rule {
  apply(...operands: Item[]): Item;
  locals(): readonly number[];
}

class Multiply implements Rule {
  private a = 0;
  private b = 0;
  apply(x: Item, y: Item): Item {
    this.a = x.value; // fault: the next product's operands take this place
    this.b = y.value;
    return { value: x.value * y.value, grad: 0, operands: [x, y], rule: this };
  }
  locals(): readonly number[] {
    return [this.b, this.a];
  }
}

class Add implements Rule {
  apply(x: Item, y: Item): Item {
    return { value: x.value + y.value, grad: 0, operands: [x, y], rule: this };
  }
  locals(): readonly number[] {
    return [1, 1];
  }
}

const multiply = new Multiply();
const sum = new Add();

export const leaf = (value: number): Item => ({ value, grad: 0, operands: [], rule: null });
export const mul = (a: Item, b: Item): Item => multiply.apply(a, b);
export const add = (a: Item, b: Item): Item => sum.apply(a, b);

export function backward(output: Item): void {
  const order: Item[] = [];
  const seen = new Set<Item>();
  const visit = (item: Item): void => {
    if (seen.has(item)) return;
    seen.add(item);
    item.operands.forEach(visit);
    order.push(item);
  };
  visit(output);
  output.grad = 1;
  for (const item of order.reverse()) {
    const locals = item.rule?.locals() ?? [];
    item.operands.forEach((operand, i) => {
      operand.grad += item.grad * locals[i];
    });
  }
}
