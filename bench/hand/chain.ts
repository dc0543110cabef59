import type { Work } from "../engines/engine.js";
import type { Chain } from "../problems/problem.js";

/** The value; leaves the operand of every sine in `argument`, the sine in `sine`. */
function forward(p: Float64Array, length: number, argument: Float64Array, sine: Float64Array): number {
  const a = p[1];
  const b = p[2];
  const whole = Math.floor(length / 3);
  const left = length % 3;
  let s = p[0];
  for (let i = 0; i < whole; i++) {
    argument[i] = s;
    const t = Math.sin(s);
    sine[i] = t;
    s = a * t + b;
  }
  if (left === 0) return s;
  argument[whole] = s;
  s = Math.sin(s);
  sine[whole] = s;
  return left > 1 ? s * a : s;
}

function reverse(
  p: Float64Array,
  length: number,
  argument: Float64Array,
  sine: Float64Array,
  gradient: Float64Array,
): void {
  const a = p[1];
  const whole = Math.floor(length / 3);
  const left = length % 3;
  let bar = 1;
  let aBar = 0;
  let bBar = 0;
  if (left > 0) {
    if (left > 1) {
      aBar = sine[whole];
      bar = a;
    }
    bar *= Math.cos(argument[whole]);
  }
  for (let i = whole - 1; i >= 0; i--) {
    bBar += bar;
    aBar += bar * sine[i];
    bar *= a * Math.cos(argument[i]);
  }
  gradient[0] = bar;
  gradient[1] = aBar;
  gradient[2] = bBar;
}

export function handChain({ length, parameters }: Chain): Work {
  const gradient = new Float64Array(3);
  const argument = new Float64Array(Math.ceil(length / 3));
  const sine = new Float64Array(Math.ceil(length / 3));
  return {
    run() {
      const value = forward(parameters, length, argument, sine);
      reverse(parameters, length, argument, sine, gradient);
      return { value, gradient };
    },
  };
}
