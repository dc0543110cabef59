/** The graphs the view is tried on. */
import { TapeBuilder } from "./tape-builder.js";

/** The seed's graph: a = x * y, b = a + x, c = a * y, L = b * c at x = 2, y = 3. */
export function fanOut(): TapeBuilder {
  const g = new TapeBuilder();
  const x = g.input("x", 2);
  const y = g.input("y", 3);
  const a = g.op("a", "mul", "x * y", [x, y]);
  const b = g.op("b", "add", "a + x", [a, x]);
  const c = g.op("c", "mul", "a * y", [a, y]);
  g.op("L", "mul", "b * c", [b, c]);
  return g;
}

/** a = x + x, L = x + a: two edges that run in parallel and are steep. */
export function steepPair(): TapeBuilder {
  const g = new TapeBuilder();
  const x = g.input("x", 3);
  const a = g.op("a", "add", "x + x", [x, x]);
  g.op("L", "add", "x + a", [x, a]);
  return g;
}

/** The fan-out's extension by a third child with two slots: d = a * a, L = b * c + d; cotangent of a: 12 + 18 + 24 = 54. */
export function threeChildren(): TapeBuilder {
  const g = new TapeBuilder();
  const x = g.input("x", 2);
  const y = g.input("y", 3);
  const a = g.op("a", "mul", "x * y", [x, y]);
  const b = g.op("b", "add", "a + x", [a, x]);
  const c = g.op("c", "mul", "a * y", [a, y]);
  const d = g.op("d", "mul", "a * a", [a, a]);
  const p = g.op(null, "mul", "b * c", [b, c]);
  g.op("L", "add", "b * c + d", [p, d]);
  return g;
}

export function chain(length: number): TapeBuilder {
  const g = new TapeBuilder();
  let state = g.input("state@0", 0.3);
  for (let i = 1; i <= length; i++) state = g.op(`state@${i}`, "sin", `Math.sin(state@${i - 1})`, [state]);
  return g;
}

/** A number in [0, 1) that depends on the seed and the count of draws only. */
export function stream(seed: number): () => number {
  let s = seed >>> 0;
  return () => {
    s = (Math.imul(s, 1664525) + 1013904223) >>> 0;
    return s / 4294967296;
  };
}

/** A random expression graph with locality, all of it summed up into one output. */
export function randomDag(n: number, seed = 7): TapeBuilder {
  const random = stream(seed);
  const g = new TapeBuilder();
  for (let i = 0; i < 5; i++) g.input(`p${i}`, 0.5 + random());
  const unused = new Set<number>([0, 1, 2, 3, 4]);
  const pick = (): number => {
    const back = random() < 0.12 ? g.nodes.length : 12;
    return Math.max(0, g.nodes.length - 1 - Math.floor(random() * back));
  };
  while (g.nodes.length < n - 1) {
    const [i, j] = [pick(), pick()];
    const name = `t${g.nodes.length}`;
    const kind = random();
    if (kind < 0.3) g.op(name, "sin", `sin(${i})`, [i]);
    else if (kind < 0.7) g.op(name, "add", `${i} + ${j}`, [i, j]);
    else g.op(name, "mul", `${i} * ${j}`, [i, j]);
    unused.add(g.nodes.length - 1);
    unused.delete(i);
    if (kind >= 0.3) unused.delete(j);
  }
  const rest = Array.from(unused);
  let sum = rest[0];
  for (let k = 1; k < rest.length; k++)
    sum = g.op(k === rest.length - 1 ? "L" : null, "add", "sum", [sum, rest[k]]);
  return g;
}

/** sqrt of a negative number, names that try to be markup, a right-to-left name, extreme magnitudes. */
export function awkward(): TapeBuilder {
  const g = new TapeBuilder();
  const x = g.input("<script>alert(1)</script>", 2);
  const y = g.input("שלום", 3);
  const d = g.op("aVeryLongNameThatGoesOnAndOnForever", "sub", "x - y - something.rather[long] * 3", [x, y]);
  const r = g.op("r", "sqrt", "Math.sqrt(d)", [d]);
  const tiny = g.input("tiny", 1e-300);
  const t = g.op("t", "mul", "tiny * y", [tiny, y]);
  const huge = g.op("q", "div", "y / t", [y, t]);
  const zero = g.input("zero", -0);
  const z = g.op("z", "mul", "zero * q", [zero, huge]);
  const s = g.op(null, "add", "r + z", [r, z]);
  g.op("L", "add", "r + z + t", [s, t]);
  return g;
}
