import type { Mlp } from "./problem.js";
import { Random } from "./random.js";

/** Weights uniform in +-1/sqrt(fan-in), inputs in [-1, 1), labels drawn. */
export function mlp(inputs: number, hidden: number, classes: number, batch: number): Mlp {
  const random = new Random(20);
  const first = 1 / Math.sqrt(inputs);
  const second = 1 / Math.sqrt(hidden);
  return {
    kind: "mlp",
    id: `mlp-${inputs}-${hidden}-${classes}-b${batch}`,
    title: `MLP ${inputs}-${hidden}-${classes}, batch ${batch}`,
    parameters: Float64Array.of(
      ...random.array(inputs * hidden, first),
      ...random.array(hidden, first),
      ...random.array(hidden * classes, second),
      ...random.array(classes, second),
    ),
    operations: batch * (2 * hidden * (inputs + 1) + 2 * classes * (hidden + 1) + 3 * classes),
    expected: null,
    inputs,
    hidden,
    classes,
    batch,
    x: random.array(batch * inputs, 1),
    labels: Int32Array.from({ length: batch }, () => Math.floor(random.next() * classes)),
  };
}

/** Where the four blocks of the parameters start. */
export function mlpOffsets({ inputs, hidden, classes }: Mlp): { b1: number; w2: number; b2: number } {
  const b1 = inputs * hidden;
  const w2 = b1 + hidden;
  return { b1, w2, b2: w2 + hidden * classes };
}
