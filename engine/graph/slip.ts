/** What may have been meant by a name that is none: slips of the pen, and what other libraries call it. */

/** Insertions, deletions, replacements and swaps of neighbours that make b of a (Damerau 1964), as far as `most`. */
function distance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return Infinity;
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        next[j] = Math.min(next[j], before[j - 2] + 1);
    }
    before = row;
    row = next;
  }
  return row[b.length];
}

/** The first of the known names that is a slip away from this one. */
export function near(name: string, known: readonly string[]): string | undefined {
  if (name.length < 4 || name.length > 40) return undefined;
  const most = name.length < 6 ? 1 : 2;
  return known.find((one) => one.length > 2 && distance(name.toLowerCase(), one.toLowerCase(), most) <= most);
}

/** Options as PyTorch, JAX, NumPy, TensorFlow and SciPy call them, in lower case and without underscores. */
const elsewhere: Readonly<Record<string, readonly string[]>> = {
  dim: ["axis"],
  dims: ["axis"],
  axes: ["axis"],
  along: ["axis"],
  keepdim: ["keepdims"],
  ddof: ["correction"],
  unbiased: ["correction"],
  epsilon: ["eps"],
  varianceepsilon: ["eps"],
  reduce: ["reduction"],
  p: ["ord", "value"],
  order: ["ord"],
  lower: ["upper"],
  trans: ["transpose"],
  rtol: ["rcond"],
  rcondition: ["rcond"],
  offset: ["k"],
  diagonal: ["k"],
  times: ["n"],
  kernelsize: ["kernel"],
  poolsize: ["kernel"],
  windowshape: ["kernel"],
  size: ["kernel"],
  pad: ["padding"],
  pads: ["padding"],
  rhsdilation: ["dilation"],
  featuregroupcount: ["groups"],
  numgroups: ["groups"],
  constantvalues: ["value"],
  constant: ["value"],
  gamma: ["weight"],
  scale: ["weight"],
  beta: ["delta", "bias"],
  offsets: ["bias"],
  shape: ["normalizedShape"],
  train: ["training"],
  istraining: ["training"],
  mean: ["runningMean"],
  var: ["runningVar"],
  iscausal: ["causal"],
  attnmask: ["mask"],
  smoothing: ["labelSmoothing"],
  precision: ["dtype"],
  type: ["dtype"],
  ct: ["cotangent"],
  upstream: ["cotangent"],
  tangent: ["direction"],
  tangents: ["direction"],
  v: ["direction"],
  primals: ["at"],
  point: ["at"],
  backward: ["vjp"],
  bwd: ["vjp"],
  pullback: ["vjp"],
  grad: ["vjp"],
  derivative: ["vjp"],
  fwd: ["forward"],
  fn: ["forward"],
  value: ["forward"],
  pushforward: ["jvp"],
};

/** The option that may have been meant, among those there are. */
export function optionMeant(given: string, known: readonly string[]): string | undefined {
  const plain = given.toLowerCase().replace(/_/g, "");
  return (
    known.find((one) => one.toLowerCase() === plain) ??
    (elsewhere[plain] ?? []).find((one) => known.includes(one)) ??
    near(plain, known)
  );
}
