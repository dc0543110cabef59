/**
 * The libraries measured against, each group in a folder of its own, at exact versions. None is a dependency of the project:
 * they are installed when the benchmark first needs them. Licences: docs/decisions/0010-bench.md.
 */
export const packages: Readonly<Record<"tfjs" | "jax-js" | "adnn", Readonly<Record<string, string>>>> = {
  tfjs: {
    "@tensorflow/tfjs-core": "4.22.0",
    "@tensorflow/tfjs-backend-cpu": "4.22.0",
    "@tensorflow/tfjs-backend-wasm": "4.22.0",
  },
  "jax-js": { "@jax-js/jax": "0.1.25" },
  adnn: { adnn: "2.0.10" },
};

export type Peer = keyof typeof packages;
