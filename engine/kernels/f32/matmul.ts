/**
 * Matrix product in JavaScript, tiles of 2 × 4 held in locals. Each element is summed over k ascending from +0, so the
 * tiling does not show in the result.
 */
const fround = Math.fround; // f32 only

type Floats = Float32Array;

/**
 * C[i, j] (+)= Σ A[i, p] B[p, j]; A[i, p] stands at a0 + i * ai + p * ap, B[p, j] at b0 + p * bp + j * bj, C[i, j] at
 * c0 + i * n + j.
 */
export function matmul(
  c: Floats,
  c0: number,
  a: Floats,
  a0: number,
  ai: number,
  ap: number,
  b: Floats,
  b0: number,
  bp: number,
  bj: number,
  m: number,
  n: number,
  k: number,
  accumulate: boolean,
): void {
  const wide = n - (n % 4);
  const tall = m - (m % 2);
  for (let i = 0; i < tall; i += 2) {
    for (let j = 0; j < wide; j += 4) {
      let c00 = 0;
      let c01 = 0;
      let c02 = 0;
      let c03 = 0;
      let c10 = 0;
      let c11 = 0;
      let c12 = 0;
      let c13 = 0;
      let x = a0 + i * ai;
      let y = b0 + j * bj;
      for (let p = 0; p < k; p++) {
        const u = a[x];
        const v = a[x + ai];
        const b0j = b[y];
        const b1j = b[y + bj];
        const b2j = b[y + 2 * bj];
        const b3j = b[y + 3 * bj];
        c00 = fround(c00 + fround(u * b0j));
        c01 = fround(c01 + fround(u * b1j));
        c02 = fround(c02 + fround(u * b2j));
        c03 = fround(c03 + fround(u * b3j));
        c10 = fround(c10 + fround(v * b0j));
        c11 = fround(c11 + fround(v * b1j));
        c12 = fround(c12 + fround(v * b2j));
        c13 = fround(c13 + fround(v * b3j));
        x += ap;
        y += bp;
      }
      const at = c0 + i * n + j;
      const below = at + n;
      if (accumulate) {
        c[at] += c00;
        c[at + 1] += c01;
        c[at + 2] += c02;
        c[at + 3] += c03;
        c[below] += c10;
        c[below + 1] += c11;
        c[below + 2] += c12;
        c[below + 3] += c13;
      } else {
        c[at] = c00;
        c[at + 1] = c01;
        c[at + 2] = c02;
        c[at + 3] = c03;
        c[below] = c10;
        c[below + 1] = c11;
        c[below + 2] = c12;
        c[below + 3] = c13;
      }
    }
    edge(c, c0, a, a0, ai, ap, b, b0, bp, bj, i, i + 2, wide, n, n, k, accumulate);
  }
  edge(c, c0, a, a0, ai, ap, b, b0, bp, bj, tall, m, 0, n, n, k, accumulate);
}

/** Rows [i0, i1) and columns [j0, j1), one element at a time. */
function edge(
  c: Floats,
  c0: number,
  a: Floats,
  a0: number,
  ai: number,
  ap: number,
  b: Floats,
  b0: number,
  bp: number,
  bj: number,
  i0: number,
  i1: number,
  j0: number,
  j1: number,
  n: number,
  k: number,
  accumulate: boolean,
): void {
  for (let i = i0; i < i1; i++) {
    for (let j = j0; j < j1; j++) {
      let sum = 0;
      let x = a0 + i * ai;
      let y = b0 + j * bj;
      for (let p = 0; p < k; p++) {
        sum = fround(sum + fround(a[x] * b[y]));
        x += ap;
        y += bp;
      }
      if (accumulate) c[c0 + i * n + j] += sum;
      else c[c0 + i * n + j] = sum;
    }
  }
}
