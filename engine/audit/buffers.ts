/** What handles and writes show of an engine: buffers that nodes share, lists that grow while contributions are paid, what is written over. */
import type { Foreign } from "./engine.js";
import type { AuditGraph } from "./graph.js";
import type { Judged } from "./judge.js";
import { Listener } from "./listen.js";
import { afterOf } from "./slots.js";

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

/** Graphs that are run again to see what is written over. */
const LOOKED_AT = 12;
const assigning: ReadonlySet<string> = new Set(["=", "set", "with", "spread"]);

/** True where sweeps were seen to write numbers, and none of them to put another one where one stood: `??=`, `g = g || c`. */
export function neverWritesOver(
  foreign: Foreign,
  seen: readonly { readonly graph: AuditGraph; readonly wrong: boolean }[],
): boolean {
  let wrote = 0;
  for (const { graph } of seen.filter(({ wrong }) => wrong).slice(0, LOOKED_AT)) {
    const { writes } = foreign.run(graph, { listener: new Listener() });
    for (const write of writes) {
      const { phase, operator, before } = write;
      const after = afterOf(write);
      if (phase === "forward" || !assigning.has(operator) || Number.isNaN(after)) continue;
      wrote++;
      if (typeof before === "number" && before !== 0 && !Object.is(before, after)) return false;
    }
  }
  return wrote > 0;
}
