/** Replays the operations of a rematerialisation and refuses what is not legal: the judge of every planner here. */
import { givenBytes, type RematOp, type RematProblem } from "./problem.js";

export interface RematCost {
  readonly cost: number;
  readonly peak: number;
}

/** Throws a plain Error at an operation that is not legal and where a demand is not met: a plan of ours never does that. */
export function refereeRemat(problem: RematProblem, ops: Iterable<RematOp>): RematCost {
  const { size, demands, given } = problem;
  const live = Uint8Array.from({ length: problem.n }, (_, v) => given?.[v] ?? 0);
  let bytes = givenBytes(problem);
  let peak = bytes;
  let cost = 0;
  let met = 0;
  for (const { kind, node } of ops) {
    const need = (condition: boolean, why: string): void => {
      if (!condition) throw new Error(`${kind} ${node}: ${why}`);
    };
    if (kind === "meet") {
      const demand = demands[met];
      need(node === met, `demand ${met} is next`);
      for (let i = 0; i < demand.nodes.length; i++)
        need(live[demand.nodes[i]] === 1, `${demand.nodes[i]} is not live`);
      peak = Math.max(peak, bytes + demand.during);
      cost += demand.cost;
      met++;
    } else if (kind === "drop") {
      need(live[node] === 1 && given?.[node] !== 1, "not live, or not to be dropped");
      live[node] = 0;
      bytes -= size[node];
    } else {
      need(live[node] === 0, "live already");
      for (let k = problem.parentStart[node]; k < problem.parentStart[node + 1]; k++)
        need(live[problem.parent[k]] === 1, `its parent ${problem.parent[k]} is not live`);
      live[node] = 1;
      bytes += size[node];
      peak = Math.max(peak, bytes + (demands[met]?.before ?? 0));
      cost += problem.cost[node];
    }
  }
  if (met < demands.length) throw new Error(`demand ${met} is not met`);
  return { cost, peak };
}
