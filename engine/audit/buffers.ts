/** What handles and lists show of a failing run: buffers that nodes share, and lists that grow while contributions are paid. */
import type { Judged } from "./judge.js";

/** True where two inputs hold one object, the sweep writes numbers into it, and both gradients are read as the same. */
export function oneBuffer({ outcome, graph }: Judged): boolean {
  const written = new Set(
    outcome.writes.flatMap(({ phase, object, value }) =>
      phase !== "forward" && typeof object === "object" && object !== null && typeof value === "number"
        ? [object]
        : [],
    ),
  );
  const holders = new Map<object, number>();
  for (let v = 0; v < graph.inputs.length; v++) {
    const handle = outcome.handles[v];
    if (typeof handle !== "object" || handle === null) continue;
    for (const { value } of Object.values(Object.getOwnPropertyDescriptors(handle))) {
      if (typeof value !== "object" || value === null || !written.has(value as object)) continue;
      const other = holders.get(value as object);
      if (other === undefined) holders.set(value as object, v);
      else if (other !== v && alike(outcome.gradient[other], outcome.gradient[v])) return true;
    }
  }
  return false;
}

function alike(a: Float64Array | null | undefined, b: Float64Array | null | undefined): boolean {
  return !!a && !!b && a.length === b.length && a.every((x, i) => Object.is(x, b[i]));
}

/** True where a list of nodes grows after the first contribution was paid. */
export function pushedAsPaid({ outcome, graph }: Judged): boolean {
  const sweep = outcome.writes.filter(({ phase }) => phase === "backward");
  const isPush = ({ operator }: (typeof sweep)[number]): boolean => operator === "push";
  const paid = sweep.findIndex(
    (write) =>
      !isPush(write) && typeof write.value === "number" && write.value !== 0 && write.value !== graph.seed,
  );
  return paid >= 0 && sweep.slice(paid).some(isPush);
}
