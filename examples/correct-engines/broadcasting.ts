/** Arrays of two axes that broadcast: what an operand was repeated for is summed again on the way back. */
export interface Matrix {
  readonly rows: number;
  readonly columns: number;
  readonly data: Float64Array;
}

export class Tensor {
  grad: Float64Array;
  back: () => void = () => {};
  constructor(
    readonly matrix: Matrix,
    readonly operands: readonly Tensor[] = [],
  ) {
    this.grad = new Float64Array(matrix.data.length);
  }
}

export function tensor(nested: readonly (readonly number[])[]): Tensor {
  return new Tensor({
    rows: nested.length,
    columns: nested[0].length,
    data: Float64Array.from(nested.flat()),
  });
}

const at = ({ rows, columns }: Matrix, i: number, j: number): number =>
  (rows === 1 ? 0 : i) * columns + (columns === 1 ? 0 : j);

function binary(
  a: Tensor,
  b: Tensor,
  value: (x: number, y: number) => number,
  locals: (x: number, y: number) => readonly [number, number],
): Tensor {
  const x = a.matrix;
  const y = b.matrix;
  const rows = Math.max(x.rows, y.rows);
  const columns = Math.max(x.columns, y.columns);
  const data = new Float64Array(rows * columns);
  for (let i = 0; i < rows; i++)
    for (let j = 0; j < columns; j++) data[i * columns + j] = value(x.data[at(x, i, j)], y.data[at(y, i, j)]);
  const out = new Tensor({ rows, columns, data }, [a, b]);
  out.back = () => {
    for (let i = 0; i < rows; i++)
      for (let j = 0; j < columns; j++) {
        const g = out.grad[i * columns + j];
        const [da, db] = locals(x.data[at(x, i, j)], y.data[at(y, i, j)]);
        a.grad[at(x, i, j)] += g * da;
        b.grad[at(y, i, j)] += g * db;
      }
  };
  return out;
}

export const add = (a: Tensor, b: Tensor): Tensor =>
  binary(
    a,
    b,
    (x, y) => x + y,
    () => [1, 1],
  );
export const mul = (a: Tensor, b: Tensor): Tensor =>
  binary(
    a,
    b,
    (x, y) => x * y,
    (x, y) => [y, x],
  );

export function tanh(a: Tensor): Tensor {
  const out = new Tensor({ ...a.matrix, data: a.matrix.data.map(Math.tanh) }, [a]);
  out.back = () => {
    out.grad.forEach((g, i) => {
      a.grad[i] += g * (1 - out.matrix.data[i] ** 2);
    });
  };
  return out;
}

export function matmul(a: Tensor, b: Tensor): Tensor {
  const { rows, columns: inner } = a.matrix;
  const { columns } = b.matrix;
  const data = new Float64Array(rows * columns);
  const out = new Tensor({ rows, columns, data }, [a, b]);
  for (let i = 0; i < rows; i++)
    for (let j = 0; j < columns; j++)
      for (let k = 0; k < inner; k++)
        data[i * columns + j] += a.matrix.data[i * inner + k] * b.matrix.data[k * columns + j];
  out.back = () => {
    for (let i = 0; i < rows; i++)
      for (let j = 0; j < columns; j++)
        for (let k = 0; k < inner; k++) {
          const g = out.grad[i * columns + j];
          a.grad[i * inner + k] += g * b.matrix.data[k * columns + j];
          b.grad[k * columns + j] += g * a.matrix.data[i * inner + k];
        }
  };
  return out;
}

export function backward(output: Tensor): void {
  const order: Tensor[] = [];
  const seen = new Set<Tensor>();
  const visit = (t: Tensor): void => {
    if (seen.has(t)) return;
    seen.add(t);
    t.operands.forEach(visit);
    order.push(t);
  };
  visit(output);
  for (const t of order) t.grad = new Float64Array(t.grad.length);
  output.grad.fill(1);
  for (const t of order.reverse()) t.back();
}
