/**
 * Sums in a variable around the function that sweeps: `const cot = new Map(); const pull = (bar) => { ... cot.set(...) ... };`. Who asks
 * twice for a pullback gets the cotangents of the first time once more, unless it takes out more than the entries of leaves.
 */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import { callsNamed, partOf } from "../../lookups.js";
import { rootOf } from "../../overwriting/exclusions.js";
import { place } from "../../overwriting/words.js";
import type { Finding } from "../../report.js";
import type { Binding } from "../../scopes.js";
import { bare, calleeName, child, isCall, receiver, type Node } from "../../tree.js";
import { contributionsOf } from "../shared/contributions.js";
import { listLoops, type ListLoop } from "../shared/loops.js";
import { inside, targetsOf } from "../shared/nodes.js";
import { isOfLeaves } from "./leaves.js";
import { runBy, spanOf } from "./places.js";
import { resets } from "./resets.js";
import { turnsOf } from "./turns.js";

export function* keptAround(facts: FileFacts): Iterable<Finding> {
  const seen = new Set<Binding>();
  for (const { write, verdict } of contributionsOf(facts)) {
    const root = verdict === "accumulates" && write.container !== "" ? rootOf(write.target) : null;
    const sums = root === null ? null : facts.binding(root);
    const maker = sums?.kind === "variable" ? facts.enclosing(sums.declaration) : null;
    if (sums === null || maker === null || facts.home(write.node) === maker || seen.has(sums)) continue;
    seen.add(sums);
    for (const fn of facts.functions) {
      if (fn.inline || fn.name === "" || facts.outer(fn) !== maker) continue;
      const sweep = sweepOf(facts, fn, write.node);
      if (sweep === null || clears(facts, fn, sums, sweep)) continue;
      const again = secondCall(facts, fn, maker);
      if (again === null) continue;
      yield {
        ...spanOf(again),
        message: `\`${fn.name}\` adds to \`${sums.name}\`, which outlives it, and no more than the entries of leaves are taken out: the second sweep starts from the cotangents that the first one left.`,
        evidence: "structural",
        related: [place(sums.declaration, "made once")],
      };
    }
  }
}

/** The loop towards the inputs that adds, itself or by the helper that the store stands in. */
function sweepOf(facts: FileFacts, fn: Fn, store: Node): ListLoop | null {
  const adds = (loop: ListLoop): boolean =>
    inside(store, loop.body) ||
    partOf(facts.calls, loop.body).some((call) =>
      targetsOf(facts, call).some((one) => inside(store, one.node)),
    );
  return listLoops(facts).find((loop) => loop.backwards && inside(loop.node, fn.node) && adds(loop)) ?? null;
}

function clears(facts: FileFacts, fn: Fn, sums: Binding, sweep: ListLoop): boolean {
  const runs = [...runBy(facts, fn)];
  const within = (node: Node): boolean => runs.some((one) => inside(node, one.node));
  if (sums.definitions.some(({ kind, at }) => kind !== "element" && within(at))) return true;
  const ofLeaves = (node: Node): boolean => {
    const walk = listLoops(facts).findLast((one) => inside(node, one.body));
    return walk !== undefined && !inside(node, sweep.node) && isOfLeaves(facts, walk, sweep, fn.node);
  };
  const taken = facts.calls.some((call) => {
    const object = receiver(call);
    const own = object !== null && facts.binding(object) === sums && within(call);
    return (
      own &&
      (/^(?:clear|fill|splice)$/.test(calleeName(call) ?? "") ||
        (calleeName(call) === "delete" && !ofLeaves(call)))
    );
  });
  return (
    taken ||
    resets(facts).some(({ node, target }) => {
      const root = rootOf(target);
      return root !== null && facts.binding(root) === sums && within(node) && !ofLeaves(node);
    })
  );
}

/** A call in a turn that finds what was made before it, or the second of two in a row. */
function secondCall(facts: FileFacts, fn: Fn, maker: Fn): Node | null {
  const calls = callsNamed(facts, fn.name).filter((call) => !inside(call, maker.node));
  const made = calls.flatMap((call) => {
    const from = madeAt(facts, call, maker);
    return from === null ? [] : [{ call, from }];
  });
  for (const { call, from } of made)
    if (turnsOf(facts).some((turn) => inside(call, turn) && !inside(from, turn))) return call;
  const second = made.find(({ call, from }, i) =>
    made.slice(0, i).some((one) => one.from === from && facts.home(one.call) === facts.home(call)),
  );
  return second?.call ?? null;
}

/** `const { pull } = linearize(f, x)`, `const lin = linearize(f, x); lin.pull(...)`: the call of the maker. */
function madeAt(facts: FileFacts, call: Node, maker: Fn): Node | null {
  const object = receiver(call);
  const binding = facts.binding(object ?? child(call, "callee")!);
  const [given, ...more] = (binding?.definitions ?? []).filter(({ kind }) => kind === "initial");
  const from = given === undefined || more.length > 0 ? null : bare(given.expression);
  return from !== null && isCall(from) && targetsOf(facts, from).includes(maker) ? from : null;
}
