/** An engine on arrays that takes like shapes only, and sweeps from single numbers only. It says so by throwing. */
import { audit } from "backsweep";

class Volume {
  readonly gradient: Float32Array;
  constructor(
    readonly data: Float32Array,
    readonly shape: string,
    readonly operands: readonly Volume[] = [],
    readonly back: (gradient: Float32Array) => void = () => {},
  ) {
    this.gradient = new Float32Array(data.length);
  }
}

function same(a: Volume, b: Volume): void {
  if (a.shape !== b.shape) throw new RangeError(`shapes ${a.shape} and ${b.shape} differ`);
}

export const refusing = audit<Volume>({
  mode: "array",
  leaf(value) {
    const axes: number[] = [];
    for (let inner = value; typeof inner !== "number"; inner = inner[0]) axes.push(inner.length);
    return new Volume(Float32Array.from([value as number[]].flat(99)), axes.join("x"));
  },
  operations: {
    add(a, b) {
      same(a, b);
      const data = a.data.map((x, i) => x + b.data[i]);
      return new Volume(data, a.shape, [a, b], (g) => {
        for (let i = 0; i < g.length; i++) {
          a.gradient[i] += g[i];
          b.gradient[i] += g[i];
        }
      });
    },
    mul(a, b) {
      same(a, b);
      const data = a.data.map((x, i) => x * b.data[i]);
      return new Volume(data, a.shape, [a, b], (g) => {
        for (let i = 0; i < g.length; i++) {
          a.gradient[i] += g[i] * b.data[i];
          b.gradient[i] += g[i] * a.data[i];
        }
      });
    },
    sum(a) {
      const data = Float32Array.of(a.data.reduce((sum, x) => sum + x, 0));
      return new Volume(data, "", [a], ([g]) => {
        for (let i = 0; i < a.gradient.length; i++) a.gradient[i] += g;
      });
    },
  },
  backward(output) {
    if (output.data.length !== 1) throw new Error("a sweep starts from a single number");
    const order: Volume[] = [];
    const seen = new Set<Volume>();
    const visit = (node: Volume): void => {
      if (seen.has(node)) return;
      seen.add(node);
      node.operands.forEach(visit);
      order.push(node);
    };
    visit(output);
    output.gradient[0] = 1;
    for (const node of order.reverse()) node.back(node.gradient);
  },
  gradient: (node) => node.gradient,
});
