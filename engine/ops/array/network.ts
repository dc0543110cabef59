/** Layers of networks: linear, embedding, attention, dropout with a given mask. */
import { shapeText, sizeOf, type NDArray, type Shape } from "../../tape/ndarray.js";
import { broadcastShapes } from "./broadcast.js";
import { defineComposite } from "./composite.js";
import { defineArray, ShapeError, type ArrayPrimitive, type Params } from "./row.js";

/** Nested numbers or booleans as an array of numbers. */
function maskArray(name: string, given: unknown): { readonly array: NDArray; readonly boolean: boolean } {
  const shape: number[] = [];
  for (let level = given; Array.isArray(level); level = level[0]) shape.push(level.length);
  const flat: unknown[] = Array.isArray(given) ? (given as unknown[]).flat(Infinity) : [given];
  const boolean = flat.some((x) => typeof x === "boolean");
  if (flat.length !== sizeOf(shape) || !flat.every((x) => typeof x === (boolean ? "boolean" : "number")))
    throw new ShapeError(
      `${name}: the mask must be nested arrays of ${boolean ? "booleans" : "numbers"} of one shape`,
    );
  return { array: { shape, data: Float64Array.from(flat, Number) }, boolean };
}

interface Masks {
  /** added to the scores: 0, -Infinity, or the mask's own numbers */
  readonly added: NDArray | null;
  /** 0 for rows that see nothing */
  readonly rows: NDArray | null;
}

function masksOf(scores: Shape, params: Params): Masks {
  const { mask = null, causal = false } = params;
  if (mask === null && causal !== true) return { added: null, rows: null };
  const [l, s] = scores.slice(-2);
  let shape: Shape = [l, s];
  let data = new Float64Array(l * s);
  if (mask !== null) {
    const { array, boolean } = maskArray("attention", mask);
    shape = broadcastShapes("attention", [array.shape, [l, s]]);
    broadcastShapes("attention", [shape, scores]);
    data = new Float64Array(sizeOf(shape));
    for (let i = 0; i < data.length; i++) {
      const value = array.data[array.data.length === data.length ? i : broadcastIndex(i, shape, array.shape)];
      data[i] = boolean ? (value === 0 ? -Infinity : 0) : value;
    }
  }
  if (causal === true)
    for (let i = 0; i < data.length; i++) if (i % s > Math.floor(i / s) % l) data[i] = -Infinity;
  return openRows(shape, data);
}

/** Index of the element that a broadcast array has at position i of `shape`. */
function broadcastIndex(i: number, shape: Shape, own: Shape): number {
  let rest = i;
  let index = 0;
  let step = 1;
  for (let axis = 1; axis <= shape.length; axis++) {
    const length = shape[shape.length - axis];
    const at = rest % length;
    rest = Math.floor(rest / length);
    const mine = own[own.length - axis] ?? 1;
    if (mine !== 1) index += at * step;
    step *= mine;
  }
  return index;
}

/** Rows that see nothing are opened, and their weights masked to 0 afterwards. */
function openRows(shape: Shape, data: Float64Array): Masks {
  const s = shape[shape.length - 1];
  const rows = new Float64Array(s === 0 ? 0 : data.length / s).fill(1);
  let closed = false;
  for (let row = 0; row < rows.length; row++) {
    const part = data.subarray(row * s, (row + 1) * s);
    if (!part.every((x) => x === -Infinity)) continue;
    part.fill(0);
    rows[row] = 0;
    closed = true;
  }
  return {
    added: { shape, data },
    rows: closed ? { shape: [...shape.slice(0, -1), 1], data: rows } : null,
  };
}

function attentionScale(q: Shape, params: Params): number {
  const { scale = null } = params;
  if (scale === null) return 1 / Math.sqrt(q[q.length - 1]);
  if (typeof scale !== "number") throw new ShapeError("attention: scale must be a number");
  return scale;
}

function indicesOf(rows: number, params: Params): { readonly padding: number | null } {
  const { paddingIdx = null } = params;
  if (paddingIdx === null) return { padding: null };
  if (typeof paddingIdx !== "number" || !Number.isInteger(paddingIdx) || paddingIdx < 0 || paddingIdx >= rows)
    throw new ShapeError(`embedding: paddingIdx ${String(paddingIdx)} is no row from 0 to ${rows - 1}`);
  return { padding: paddingIdx };
}

export const network: readonly ArrayPrimitive[] = [
  defineComposite({
    name: "linear",
    operands: ["x", "w", "...bias"],
    check([x, w, bias]) {
      if (w.length !== 2 || x[x.length - 1] !== w[1])
        throw new ShapeError(
          `linear: weights ${shapeText(w)} are [out, in], which does not fit x ${shapeText(x)}`,
        );
      if (bias !== undefined && (bias.length !== 1 || bias[0] !== w[0]))
        throw new ShapeError(`linear: the bias has the shape ${shapeText(bias)}, expected [${w[0]}]`);
    },
    formulaOf(k, [x, w, bias]) {
      const y = k.matmul(x, w, { transposeB: true });
      return bias === undefined ? y : k.add(y, bias);
    },
    formula: "x wᵀ + bias",
    rule: "g w, gᵀ x, sum of g",
    doc: "Affine layer; the weights are [out, in].",
  }),
  defineComposite({
    name: "embedding",
    operands: ["weight"],
    check([weight], params) {
      if (weight.length !== 2)
        throw new ShapeError(`embedding: the weights must have two axes, got ${shapeText(weight)}`);
      indicesOf(weight[0], params);
    },
    formulaOf(k, [weight], params) {
      const [rows] = k.shape(weight);
      const { padding } = indicesOf(rows, params);
      let table = weight;
      if (padding !== null) {
        const data = new Float64Array(rows).fill(1);
        data[padding] = 0;
        table = k.apply("frozen", [weight, k.constant({ shape: [rows, 1], data })]);
      }
      return k.apply("take", [table], { axis: 0, index: params.indices });
    },
    saves: () => [],
    formula: "weight[indices]",
    rule: "g added to the rows taken",
    doc: "Rows of a table by index; the row `paddingIdx` takes no derivative.",
  }),
  defineArray({
    name: "frozen",
    operands: ["x", "mask"],
    shape: (shapes) => broadcastShapes("frozen", shapes),
    value: ([x]) => x.data,
    vjp: (slot, k, g, [, mask]) => (slot === 0 ? k.apply("masked", [g, mask]) : null),
    jvp: (k, [t], [, mask]) => (t === null ? null : k.apply("masked", [t, mask])),
    saves: () => [1],
    cost: () => 0,
    exact: true,
    formula: "x",
    rule: "g where the mask is 1",
    doc: "x, with no derivative where the mask is 0.",
  }),
  defineComposite({
    name: "attention",
    operands: ["q", "k", "v"],
    check([q, key, v], params) {
      const fits =
        q.length > 1 &&
        key.length === q.length &&
        v.length === q.length &&
        key[key.length - 1] === q[q.length - 1] &&
        key[key.length - 2] === v[v.length - 2];
      if (!fits)
        throw new ShapeError(
          `attention: q ${shapeText(q)}, k ${shapeText(key)} and v ${shapeText(v)} do not fit: expected [..., L, D], [..., S, D], [..., S, E]`,
        );
      attentionScale(q, params);
      masksOf([...q.slice(0, -1), key[key.length - 2]], params);
    },
    formulaOf(k, [q, key, v], params) {
      const scores = k.scale(k.matmul(q, key, { transposeB: true }), attentionScale(k.shape(q), params));
      const { added, rows } = masksOf(k.shape(scores), params);
      const seen = added === null ? scores : k.add(scores, k.constant(added));
      const weights = k.apply("softmax", [seen], { axis: -1 });
      return k.matmul(rows === null ? weights : k.apply("masked", [weights, k.constant(rows)]), v);
    },
    formula: "softmax(q kᵀ scale + mask) v",
    rule: "by its formula",
    doc: "Scaled dot-product attention (Vaswani et al. 2017); a row that sees nothing is 0, with derivative 0.",
  }),
  defineComposite({
    name: "dropoutMask",
    operands: ["x"],
    check([x], params) {
      const { array } = maskArray("dropoutMask", params.mask);
      broadcastShapes("dropoutMask", [x, array.shape]);
      const { p } = params;
      if (typeof p !== "number" || !(p >= 0 && p < 1))
        throw new ShapeError(`dropoutMask: p must be in [0, 1), not ${String(p)}`);
    },
    formulaOf(k, [x], params) {
      const { array } = maskArray("dropoutMask", params.mask);
      const keep = 1 / (1 - (params.p as number));
      const data = array.data.map((kept) => (kept === 0 ? 0 : keep));
      return k.apply("masked", [x, k.constant({ shape: array.shape, data })]);
    },
    saves: () => [],
    formula: "mask x / (1 - p)",
    rule: "mask g / (1 - p)",
    doc: "Inverted dropout with a mask that was drawn before.",
  }),
];
