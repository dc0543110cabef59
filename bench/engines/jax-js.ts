/**
 * jax-js 0.1.25 (MIT) on its WebAssembly backend, one thread, `jit(valueAndGrad(f))` of functions of one vector, in single and
 * in double precision.
 */
import type { Jax } from "../peers/jax-js.js";
import { loadPeer } from "../peers/load.js";
import type { Problem } from "../problems/problem.js";
import type { Engine, Work } from "./engine.js";
import { jaxProgram } from "./jax-js-programs.js";

/** It has no loop: a chain is unrolled, and freeing what was traced recurses over it. At 3,000 operations that overflows the stack. */
const LIMIT = 30_000;

/** It asks whether data are half-precision arrays, which Node before 24 does not have. */
function standInForHalfPrecision(): void {
  const realm = globalThis as { Float16Array?: unknown };
  realm.Float16Array ??= class Float16Array {};
}

export async function jaxJs(precision: "f32" | "f64"): Promise<Engine> {
  standInForHalfPrecision();
  const jax = loadPeer<Jax>("jax-js", "@jax-js/jax");
  await jax.init("wasm");
  jax.defaultDevice("wasm");
  return {
    id: `jax-js-${precision}`,
    title: `jax-js wasm ${precision}`,
    precision,
    // its exp, log and tanh in double precision are good to some five digits
    tolerance: precision === "f32" ? 1e-3 : 1e-4,
    prepare: (problem) => Promise.resolve(prepare(jax, precision, problem)),
  };
}

function prepare(jax: Jax, precision: "f32" | "f64", problem: Problem): Work | string {
  if (problem.kind === "chain" && problem.length > LIMIT)
    return "has no loop, unrolled it overflows the stack";
  const point = precision === "f32" ? Float32Array.from(problem.parameters) : problem.parameters;
  const { numpy: np } = jax;
  const program = jax.jit(jax.valueAndGrad(jaxProgram(jax, precision, problem)));
  const dtype = precision === "f32" ? np.float32 : np.float64;
  return {
    run() {
      const [value, gradient] = program(np.array(point, { dtype }));
      return { value: value.dataSync()[0], gradient: Float64Array.from(gradient.dataSync()) };
    },
  };
}
