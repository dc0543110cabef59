/** TensorFlow.js 4.22 (Apache-2.0), single precision, eager; `valueAndGrad` of functions of one vector. */
import { join } from "node:path";
import { places } from "../places.js";
import { loadPeer } from "../peers/load.js";
import type { Tf, TfTensor } from "../peers/tfjs.js";
import type { Problem } from "../problems/problem.js";
import type { Engine, Work } from "./engine.js";
import { tfProgram } from "./tfjs-programs.js";

/** A chain of its operations costs some 40 microseconds each. */
const LIMIT = 30_000;

export async function tfjs(backend: "cpu" | "wasm"): Promise<Engine> {
  const tf = loadPeer<Tf>("tfjs", "./tfjs.cjs");
  if (backend === "wasm") {
    tf.setThreadsCount(1);
    tf.setWasmPaths(`${join(places().peers, "tfjs/node_modules/@tensorflow/tfjs-backend-wasm/dist")}/`);
  }
  if (!(await tf.setBackend(backend))) throw new Error(`the backend ${backend} did not start`);
  await tf.ready();
  return {
    id: `tfjs-${backend}`,
    title: `tfjs ${backend} f32`,
    precision: "f32",
    tolerance: 1e-3,
    prepare: (problem) => Promise.resolve(prepare(tf, problem)),
  };
}

function prepare(tf: Tf, problem: Problem): Work | string {
  if (problem.kind === "chain" && problem.length > LIMIT) return "some 40 µs an operation";
  const point = Float32Array.from(problem.parameters);
  const program = tf.valueAndGrad(tfProgram(tf, problem));
  return {
    run: () =>
      tf.tidy(() => {
        const { value, grad }: { value: TfTensor; grad: TfTensor } = program(
          tf.tensor(point, [point.length], "float32"),
        );
        return { value: value.dataSync()[0], gradient: Float64Array.from(grad.dataSync()) };
      }),
  };
}
