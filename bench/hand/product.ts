/**
 * out[r][c] += sum_t a[r aRow + t aStep] b[t bStep + c bColumn], for `rows` x `columns` results of `steps` terms each: all
 * products of the MLP, plain and transposed. Blocks of 4 x 2 results stay in variables, which is what makes a matrix
 * product in JavaScript three times as fast as the textbook loops.
 */
export function addProduct(
  out: Float64Array,
  a: Float64Array,
  aRow: number,
  aStep: number,
  b: Float64Array,
  bStep: number,
  bColumn: number,
  rows: number,
  columns: number,
  steps: number,
): void {
  const wholeRows = rows - (rows % 4);
  const wholeColumns = columns - (columns % 2);
  for (let r = 0; r < wholeRows; r += 4) {
    for (let c = 0; c < wholeColumns; c += 2) {
      let s00 = 0;
      let s01 = 0;
      let s10 = 0;
      let s11 = 0;
      let s20 = 0;
      let s21 = 0;
      let s30 = 0;
      let s31 = 0;
      let i = r * aRow;
      let j = c * bColumn;
      for (let t = 0; t < steps; t++) {
        const b0 = b[j];
        const b1 = b[j + bColumn];
        const a0 = a[i];
        const a1 = a[i + aRow];
        const a2 = a[i + 2 * aRow];
        const a3 = a[i + 3 * aRow];
        s00 += a0 * b0;
        s01 += a0 * b1;
        s10 += a1 * b0;
        s11 += a1 * b1;
        s20 += a2 * b0;
        s21 += a2 * b1;
        s30 += a3 * b0;
        s31 += a3 * b1;
        i += aStep;
        j += bStep;
      }
      const at = r * columns + c;
      out[at] += s00;
      out[at + 1] += s01;
      out[at + columns] += s10;
      out[at + columns + 1] += s11;
      out[at + 2 * columns] += s20;
      out[at + 2 * columns + 1] += s21;
      out[at + 3 * columns] += s30;
      out[at + 3 * columns + 1] += s31;
    }
  }
  for (let r = 0; r < rows; r++) {
    for (let c = r < wholeRows ? wholeColumns : 0; c < columns; c++) {
      let sum = 0;
      for (let t = 0; t < steps; t++) sum += a[r * aRow + t * aStep] * b[t * bStep + c * bColumn];
      out[r * columns + c] += sum;
    }
  }
}
