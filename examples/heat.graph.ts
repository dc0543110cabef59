import { chain, graph, tensor } from "backsweep";

/**
 * The adjoint of a time-stepping scheme: the heat equation with a reaction, u_t = k u_xx - c u^3, on a ring, in explicit
 * Euler steps; the output is how far its end is from a wanted temperature. The reverse sweep needs the states of all
 * steps, last to first: `--schedule revolve:5` keeps five of them, `auto:40000` takes what fits 40 kB.
 */
const cells = 32;
const steps = 100;
const dt = 0.2;

const start = Float64Array.from({ length: cells }, (_, i) => Math.exp(-((i - cells / 3) ** 2) / 10));
const wanted = tensor(Array.from({ length: cells }, () => 0.2));

export const heat = graph({ u: start, k: 0.8, c: 0.05 }, ({ u, k, c }) => {
  const end = chain(
    steps,
    u,
    (state) => {
      const diffusion = state.roll(1, 0).add(state.roll(-1, 0)).sub(state.mul(2)).mul(k);
      const reaction = state.mul(state).mul(state).mul(c);
      return state.add(diffusion.sub(reaction).mul(dt));
    },
    { name: "time" },
  );
  return end.sub(wanted).square().sum() / cells;
});
