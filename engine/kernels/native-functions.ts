/**
 * Functions that the module computes itself (wasm/functions.ts), where its results are those of the engine's own Math: that is
 * tried on a few hundred numbers at first use, and an engine that computes otherwise goes on with its own.
 */
import { Op, type OpCode } from "./codes.js";
import { functionLoop } from "./f64/functions.js";
import { tanhSlope } from "./slopes.js";
import type { Native } from "./native.js";

const names: Readonly<Partial<Record<OpCode, string>>> = {
  [Op.exp]: "exp",
  [Op.tanh]: "tanh",
  [Op.sigmoid]: "sigmoid",
};

/** Numbers around every border of the reductions, and many sizes between. */
function samples(): number[] {
  const borders = [0, -0, 1, -1, 22, -22, 0.35, -0.35, 1.04, -1.04, 709.7, 710, -708.4, -740, -746, NaN];
  const out = [...borders, Infinity, -Infinity, 5e-324, 1e-9, -1e-9];
  for (let i = 1; i <= 400; i++) {
    // multiples of the golden section lie evenly between 0 and 1
    const even = (i * 0.6180339887498949) % 1;
    out.push((even - 0.5) * [2, 8, 60, 1500][i % 4]);
  }
  return out;
}

/** True where the module's functions give the bits of Math on the samples. */
export function agrees({ run, arena }: Native): boolean {
  run.constants();
  const given = samples();
  const mark = arena.mark();
  const x = arena.copy64(given);
  const y = arena.float64(given.length);
  const ones = arena.float64(given.length).fill(1);
  const [at, to] = [arena.place(x), arena.place(y)];
  const wanted = new Float64Array(given.length);
  let same = at >= 0 && to >= 0 && arena.place(ones) >= 0;
  for (const [code, name] of Object.entries(names)) {
    if (!same) break;
    run[name](to, at, given.length);
    functionLoop(Number(code))(wanted, 0, x, 0, given.length);
    same = y.every((value, i) => Object.is(value, wanted[i]));
  }
  if (same) {
    run.tanhSlope(to, arena.place(ones), at, given.length);
    same = y.every((value, i) => Object.is(value, tanhSlope(x[i])));
  }
  arena.release(mark);
  return same;
}

const checked = new WeakMap<Native, boolean>();

/** True where the module's functions may be used. */
export function functionsAgree(native: Native): boolean {
  let known = checked.get(native);
  if (known === undefined) checked.set(native, (known = agrees(native)));
  return known;
}

/** The module's function for a code, over doubles; null where it has none that agrees. */
export function nativeFunction(
  native: Native,
  op: OpCode,
): ((out: number, a: number, n: number) => number) | null {
  const name = names[op];
  return name === undefined || !functionsAgree(native) ? null : native.run[name];
}
