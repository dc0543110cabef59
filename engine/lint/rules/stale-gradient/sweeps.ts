/** What runs in a turn, and the loop there that pays operands. */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import { partOf } from "../../lookups.js";
import { loopsAround } from "../../reverse.js";
import { bare, calleeName, child, isMember, propertyName, type Node } from "../../tree.js";
import { valuesOf } from "../../values.js";
import { backwardClosures, contributionsOf, stepNames } from "../shared/contributions.js";
import { listLoops, type ListLoop } from "../shared/loops.js";
import { inside, keptAs, runsIn, targetsOf } from "../shared/nodes.js";

/** What runs in a turn of a loop: the loop, and functions of this file that are called in it. */
export interface Region {
  readonly loop: Node;
  readonly runs: ReadonlySet<Fn>;
}

const DEPTH = 3;

/** Null where the turn may make nodes: a graph of its own. */
export function regionOf(facts: FileFacts, loop: Node): Region | null {
  const runs = new Set<Fn>();
  let next: readonly Node[] = partOf(facts.calls, loop);
  for (let depth = 0; depth < DEPTH && next.length > 0; depth++) {
    const found = next
      .flatMap((call) => targetsOf(facts, call))
      .filter((fn) => !runs.has(fn) && !inside(loop, fn.node));
    for (const fn of found) runs.add(fn);
    next = found.flatMap((fn) => [...partOf(facts.calls, fn.node)]);
  }
  const makers = facts.once(
    "makers of closures of the sweep",
    (file) => new Set(backwardClosures(file).map((fn) => file.outer(fn))),
  );
  for (const fn of runs) if (makers.has(fn)) return null;
  return { loop, runs };
}

export const isIn = (node: Node, { loop, runs }: Region): boolean =>
  inside(node, loop) || [...runs].some((fn) => inside(node, fn.node));

/** The loop over the nodes or the tape that pays. */
export function sweepIn(facts: FileFacts, region: Region): ListLoop | null {
  return (
    listLoops(facts).find((one) => {
      const strictly = inside(one.node, region.loop)
        ? one.node !== region.loop && one.body !== region.loop
        : isIn(one.node, region);
      if (!strictly || !(one.backwards || runsBack(facts, one))) return false;
      return paysIn(facts, one.body, one.current);
    }) ?? null
  );
}

const runsBack = (facts: FileFacts, { node, body }: ListLoop): boolean =>
  loopsAround(facts, body).some((loop) => loop.reverse && (loop.node === node || loop.node === body));

/** The body pays operands itself, or runs what does: a step by its name, a closure that the list holds. */
export function paysIn(facts: FileFacts, body: Node, current: string): boolean {
  if (contributionsOf(facts).some(({ write }) => inside(write.node, body))) return true;
  const names = stepNames(facts);
  return partOf(facts.calls, body).some((call) => {
    if (names.has(calleeName(call) ?? "")) return true;
    const callee = bare(child(call, "callee")!);
    // `rewind[i]()`, `for (const back of backs) back();`
    const ofList = isMember(callee) ? propertyName(callee) === null : callee.type === "Identifier";
    if (ofList && backwardClosures(facts).length > 0 && valuesOf(facts).key(callee) === current) return true;
    return isMember(callee) && isOfTable(facts, callee);
  });
}

/** `OPS[n.op].send(n)`, `PAY[n.op](n)`: a rule out of a table that is written down in this file and pays. */
function isOfTable(facts: FileFacts, callee: Node): boolean {
  const inner = bare(child(callee, "object")!);
  const rule = propertyName(callee);
  const table =
    rule === null ? inner : isMember(inner) && propertyName(inner) === null ? child(inner, "object")! : null;
  const binding = table === null ? null : facts.binding(table);
  const [made] = binding?.definitions ?? [];
  if (
    made === undefined ||
    binding!.definitions.length > 1 ||
    bare(made.expression).type !== "ObjectExpression"
  )
    return false;
  return contributionsOf(facts).some(({ write, weighed }) => {
    if (!weighed!.reverse || !inside(write.node, made.expression)) return false;
    const fn = runsIn(facts, write.node);
    return fn !== null && (rule === null || fn.name === rule || keptAs(facts, fn).includes(rule));
  });
}
