/**
 * Matrix product. Tiles of 4 rows by 2 vectors are held in registers while k runs, each element from +0 upwards, as the
 * JavaScript build does it. Rows of A are packed four together and B in panels two vectors wide, filled up with zeros, so
 * that edges run the same loop; what the zeros made is not stored.
 */

/** One tile: A packed (4 numbers for each k), B with `bStep` bytes from one k to the next. Writes it to `tile`, rows of 32 bytes. */
@inline
function multiply<T>(a: usize, b: usize, bStep: usize, k: i32, tile: usize): void {
  let c00 = v128.splat<T>(<T>0);
  let c01 = c00;
  let c10 = c00;
  let c11 = c00;
  let c20 = c00;
  let c21 = c00;
  let c30 = c00;
  let c31 = c00;
  while (k > 0) {
    const b0 = v128.load(b);
    const b1 = v128.load(b, 16);
    let x = v128.load_splat<T>(a);
    c00 = v128.add<T>(c00, v128.mul<T>(x, b0));
    c01 = v128.add<T>(c01, v128.mul<T>(x, b1));
    x = v128.load_splat<T>(a, sizeof<T>());
    c10 = v128.add<T>(c10, v128.mul<T>(x, b0));
    c11 = v128.add<T>(c11, v128.mul<T>(x, b1));
    x = v128.load_splat<T>(a, 2 * sizeof<T>());
    c20 = v128.add<T>(c20, v128.mul<T>(x, b0));
    c21 = v128.add<T>(c21, v128.mul<T>(x, b1));
    x = v128.load_splat<T>(a, 3 * sizeof<T>());
    c30 = v128.add<T>(c30, v128.mul<T>(x, b0));
    c31 = v128.add<T>(c31, v128.mul<T>(x, b1));
    a += 4 * sizeof<T>();
    b += bStep;
    k--;
  }
  v128.store(tile, c00);
  v128.store(tile, c01, 16);
  v128.store(tile, c10, 32);
  v128.store(tile, c11, 48);
  v128.store(tile, c20, 64);
  v128.store(tile, c21, 80);
  v128.store(tile, c30, 96);
  v128.store(tile, c31, 112);
}

/** Packs `rows` <= 4 rows of A, zeros below. */
function packRows<T>(to: usize, a: usize, ai: usize, ap: usize, rows: i32, k: i32): void {
  const a1 = rows > 1 ? a + ai : a;
  const a2 = rows > 2 ? a + 2 * ai : a;
  const a3 = rows > 3 ? a + 3 * ai : a;
  let at: usize = 0;
  if (rows == 4) {
    for (let p = 0; p < k; p++) {
      store<T>(to, load<T>(a + at));
      store<T>(to, load<T>(a1 + at), sizeof<T>());
      store<T>(to, load<T>(a2 + at), 2 * sizeof<T>());
      store<T>(to, load<T>(a3 + at), 3 * sizeof<T>());
      to += 4 * sizeof<T>();
      at += ap;
    }
    return;
  }
  for (let p = 0; p < k; p++) {
    store<T>(to, load<T>(a + at));
    store<T>(to, rows > 1 ? load<T>(a1 + at) : <T>0, sizeof<T>());
    store<T>(to, rows > 2 ? load<T>(a2 + at) : <T>0, 2 * sizeof<T>());
    store<T>(to, <T>0, 3 * sizeof<T>());
    to += 4 * sizeof<T>();
    at += ap;
  }
}

/** Packs `cols` columns of B, at most two vectors, zeros beside. */
function packColumns<T>(to: usize, b: usize, bp: usize, bj: usize, cols: i32, k: i32): void {
  const width = <i32>(32 / sizeof<T>());
  if (cols == width && bj == sizeof<T>()) {
    for (let p = 0; p < k; p++) {
      v128.store(to, v128.load(b));
      v128.store(to, v128.load(b, 16), 16);
      to += 32;
      b += bp;
    }
    return;
  }
  for (let j = 0; j < width; j++) {
    let from = b;
    let at = to;
    if (j < cols) {
      for (let p = 0; p < k; p++) {
        store<T>(at, load<T>(from));
        from += bp;
        at += 32;
      }
    } else {
      for (let p = 0; p < k; p++) {
        store<T>(at, <T>0);
        at += 32;
      }
    }
    b += bj;
    to += sizeof<T>();
  }
}

/** Stores or adds a tile. */
function put<T>(c: usize, row: usize, tile: usize, rows: i32, cols: i32, accumulate: bool): void {
  if (cols == <i32>(32 / sizeof<T>())) {
    for (let i = 0; i < rows; i++) {
      let low = v128.load(tile);
      let high = v128.load(tile, 16);
      if (accumulate) {
        low = v128.add<T>(v128.load(c), low);
        high = v128.add<T>(v128.load(c, 16), high);
      }
      v128.store(c, low);
      v128.store(c, high, 16);
      c += row;
      tile += 32;
    }
    return;
  }
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < cols; j++) {
      const at = <usize>j * sizeof<T>();
      const x = load<T>(tile + at);
      store<T>(c + at, accumulate ? load<T>(c + at) + x : x);
    }
    c += row;
    tile += 32;
  }
}

/**
 * Product of a matrix and a vector: out[j] (+)= Σ x[p] M[p, j], M[p, j] at m + p * mp + j * mj. Two vectors of outputs run
 * at once; where M is contiguous along p, pairs of its rows are read and turned.
 */
function vector<T>(
  out: usize,
  x: usize,
  xp: usize,
  m: usize,
  mp: usize,
  mj: usize,
  n: i32,
  k: i32,
  accumulate: bool,
): void {
  const lanes = <i32>(16 / sizeof<T>());
  let j = 0;
  if (mj == sizeof<T>()) {
    for (; j + 4 * lanes <= n; j += 4 * lanes) {
      let s0 = v128.splat<T>(<T>0);
      let s1 = s0;
      let s2 = s0;
      let s3 = s0;
      let row = m + <usize>j * mj;
      let at = x;
      for (let p = 0; p < k; p++) {
        const f = v128.load_splat<T>(at);
        s0 = v128.add<T>(s0, v128.mul<T>(f, v128.load(row)));
        s1 = v128.add<T>(s1, v128.mul<T>(f, v128.load(row, 16)));
        s2 = v128.add<T>(s2, v128.mul<T>(f, v128.load(row, 32)));
        s3 = v128.add<T>(s3, v128.mul<T>(f, v128.load(row, 48)));
        at += xp;
        row += mp;
      }
      const to = out + <usize>j * sizeof<T>();
      if (accumulate) {
        s0 = v128.add<T>(v128.load(to), s0);
        s1 = v128.add<T>(v128.load(to, 16), s1);
        s2 = v128.add<T>(v128.load(to, 32), s2);
        s3 = v128.add<T>(v128.load(to, 48), s3);
      }
      v128.store(to, s0);
      v128.store(to, s1, 16);
      v128.store(to, s2, 32);
      v128.store(to, s3, 48);
    }
  }
  // four chains at once, for the latency of the additions
  for (; j + 4 <= n; j += 4) {
    let s0: T = <T>0;
    let s1: T = <T>0;
    let s2: T = <T>0;
    let s3: T = <T>0;
    let m0 = m + <usize>j * mj;
    let at = x;
    for (let p = 0; p < k; p++) {
      const f = load<T>(at);
      s0 = <T>(s0 + f * load<T>(m0));
      s1 = <T>(s1 + f * load<T>(m0 + mj));
      s2 = <T>(s2 + f * load<T>(m0 + 2 * mj));
      s3 = <T>(s3 + f * load<T>(m0 + 3 * mj));
      m0 += mp;
      at += xp;
    }
    const to = out + <usize>j * sizeof<T>();
    if (accumulate) {
      s0 = <T>(load<T>(to) + s0);
      s1 = <T>(load<T>(to, sizeof<T>()) + s1);
      s2 = <T>(load<T>(to, 2 * sizeof<T>()) + s2);
      s3 = <T>(load<T>(to, 3 * sizeof<T>()) + s3);
    }
    store<T>(to, s0);
    store<T>(to, s1, sizeof<T>());
    store<T>(to, s2, 2 * sizeof<T>());
    store<T>(to, s3, 3 * sizeof<T>());
  }
  for (; j < n; j++) {
    let s: T = <T>0;
    let row = m + <usize>j * mj;
    let at = x;
    for (let p = 0; p < k; p++) {
      s = <T>(s + load<T>(at) * load<T>(row));
      row += mp;
      at += xp;
    }
    const to = out + <usize>j * sizeof<T>();
    store<T>(to, accumulate ? <T>(load<T>(to) + s) : s);
  }
}

/** Rows of A that are packed at once: as many fours as the scratch takes beside a panel of B. */
function rowsAtOnce<T>(k: i32, scratchBytes: i32): i32 {
  const panel = k * 32;
  const four = k * 4 * <i32>sizeof<T>();
  const fours = four > 0 ? (scratchBytes - 128 - panel) / four : 1 << 28;
  return 4 * fours;
}

/**
 * C (m×n) (+)= A·B; strides in bytes: A[i, p] at a + i * ai + p * ap, B[p, j] at b + p * bp + j * bj.
 *
 * @param scratch room for a tile (128 bytes), a panel of B (32 k) and at least four packed rows of A
 */
export function matmul<T>(
  c: usize,
  a: usize,
  ai: usize,
  ap: usize,
  b: usize,
  bp: usize,
  bj: usize,
  m: i32,
  n: i32,
  k: i32,
  accumulate: bool,
  scratch: usize,
  scratchBytes: i32,
): void {
  if (m == 1) return vector<T>(c, a, ap, b, bp, bj, n, k, accumulate);
  if (n == 1) return vector<T>(c, b, bp, a, ap, ai, m, k, accumulate);
  const width = <i32>(32 / sizeof<T>());
  const tile = scratch;
  const panel = scratch + 128;
  const packed = panel + <usize>k * 32;
  const group = rowsAtOnce<T>(k, scratchBytes);
  const row = <usize>n * sizeof<T>();
  const four = <usize>k * 4 * sizeof<T>();
  for (let top = 0; top < m; top += group) {
    const height = min(m - top, group);
    for (let i = 0; i < height; i += 4) {
      packRows<T>(packed + <usize>(i >> 2) * four, a + <usize>(top + i) * ai, ai, ap, min(height - i, 4), k);
    }
    for (let j = 0; j < n; j += width) {
      const cols = min(n - j, width);
      let from = b + <usize>j * bj;
      let step = bp;
      // a panel that is read once or twice, and lies in rows, is not worth the copy
      if (cols < width || bj != sizeof<T>() || height > 8) {
        packColumns<T>(panel, from, bp, bj, cols, k);
        from = panel;
        step = 32;
      }
      for (let i = 0; i < height; i += 4) {
        multiply<T>(packed + <usize>(i >> 2) * four, from, step, k, tile);
        put<T>(c + <usize>(top + i) * row + <usize>j * sizeof<T>(), row, tile, min(height - i, 4), cols, accumulate);
      }
    }
  }
}
