/** Functions that WebAssembly computes: the bits of Math, on every border of the reductions and between. */
import { describe, expect, it } from "vitest";
import { Op, type OpCode } from "../../../engine/kernels/kernels.js";
import { nativeKernels } from "../../../engine/kernels/instance.js";
import { functionsAgree } from "../../../engine/kernels/native-functions.js";
import { tanhSlope } from "../../../engine/kernels/slopes.js";
import { arena, formats, hard, numbers } from "./helpers.js";

/** Numbers at which a case of fdlibm begins or ends, with their neighbours. */
function borders(): number[] {
  const ln2 = Math.LN2;
  const at = [0, 2 ** -54, 2 ** -28, 0.5 * ln2, ln2, 1, 1.5 * ln2, 2, 20 * ln2, 22, 56 * ln2, 708, 709.78];
  const far = [709.782712893384, 709.7827128933841, 745.1332191019411, 745.1332191019412, 746, 1e300];
  return [...at, ...far].flatMap((x) =>
    [x, x * (1 + 2 ** -52), x * (1 - 2 ** -52), x * 1.0000001, x * 0.9999999].flatMap((y) => [y, -y]),
  );
}

function inputs(): Float64Array {
  const next = numbers(7, 0);
  const random = [1e-9, 1e-3, 0.5, 1, 4, 30, 900].flatMap((size) =>
    Array.from({ length: 600 }, () => size * next()),
  );
  return Float64Array.from([...hard, ...borders(), ...random]);
}

describe("functions", () => {
  it("are the module's here", () => {
    expect(functionsAgree(nativeKernels()!)).toBe(true);
  });

  for (const { format, wasm, javascript, inArena, ordinary } of formats) {
    for (const name of ["exp", "tanh", "sigmoid"] as const) {
      it(`${name} in ${format} is the same in both builds, in place too`, () => {
        const x = inputs();
        const out = inArena(x);
        wasm.unary(Op[name] as OpCode, out, out);
        const wanted = ordinary(x);
        javascript.unary(Op[name] as OpCode, wanted, ordinary(x));
        const wrong = [...x].filter((_, i) => !Object.is(out[i], wanted[i]));
        expect(wrong).toEqual([]);
      });
    }

    it(`contributions in ${format} are the same in both builds`, () => {
      const x = inputs();
      const g = Float64Array.from(x, (_, i) => (i % 7) - 3.3);
      const n = x.length;
      const [a, b] = [inArena(new Float64Array(n)), ordinary(new Float64Array(n))];
      wasm.tanhPull(a, inArena(g), inArena(x));
      javascript.tanhPull(b, ordinary(g), ordinary(x));
      expect([...x].filter((_, i) => !Object.is(a[i], b[i]))).toEqual([]);
      wasm.scaledBy(a, 0.3, 2, inArena(x));
      javascript.scaledBy(b, 0.3, 2, ordinary(x));
      expect([...x].filter((_, i) => !Object.is(a[i], b[i]))).toEqual([]);
    });
  }

  it("tanhPull is g times the slope of the scalar row", () => {
    const x = inputs();
    const out = arena.float64(x.length);
    formats[0].wasm.tanhPull(out, arena.copy64(x.map(() => -0.7)), arena.copy64(x));
    expect([...x].filter((a, i) => !Object.is(out[i], -0.7 * tanhSlope(a)))).toEqual([]);
  });
});
