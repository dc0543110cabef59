import type { Lstm } from "./problem.js";

/** A GradBench file of the kind `lstm`. */
export interface LstmFile {
  readonly input: {
    readonly main_params: number[][];
    readonly extra_params: number[][];
    readonly state: number[][];
    readonly sequence: number[][];
  };
  readonly expected: { readonly objective: number; readonly gradient: number[] };
}

export function lstm({ input, expected }: LstmFile): Lstm {
  const layers = input.main_params.length / 2;
  const b = input.extra_params[0].length;
  const c = input.sequence.length;
  return {
    kind: "lstm",
    id: `lstm-l${layers}-c${c}-b${b}`,
    title: `LSTM l${layers} c${c} b${b}`,
    parameters: Float64Array.from([...input.main_params.flat(), ...input.extra_params.flat()]),
    operations: (c - 1) * b * (17 * layers + 7),
    expected: { value: expected.objective, gradient: Float64Array.from(expected.gradient) },
    layers,
    b,
    c,
    state: Float64Array.from(input.state.flat()),
    sequence: Float64Array.from(input.sequence.flat()),
  };
}

/** Where the three rows behind the layers' weights start. */
export function lstmOffsets({ layers, b }: Lstm): { scale: number; out: number; bias: number } {
  const scale = 8 * layers * b;
  return { scale, out: scale + b, bias: scale + 2 * b };
}
