/** A graph that is built once and swept in each turn of a loop, in which only some of its nodes are set back to nothing. */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import { callsOf } from "../../local.js";
import { callsNamed, partOf } from "../../lookups.js";
import { place } from "../../overwriting/words.js";
import type { Finding } from "../../report.js";
import { loopsAround } from "../../reverse.js";
import {
  bare,
  calleeName,
  child,
  identifier,
  isMember,
  propertyName,
  receiver,
  type Node,
} from "../../tree.js";
import { contributionsOf, stepNames } from "../shared/contributions.js";
import { listLoops } from "../shared/loops.js";
import { inside, runsIn, targetsOf } from "../shared/nodes.js";
import { drivers } from "./drivers.js";
import { placeOfCall } from "./places.js";
import { resets } from "./resets.js";

export function* fixedGraphs(facts: FileFacts): Iterable<Finding> {
  for (const driver of drivers(facts)) {
    const { fn } = driver;
    const list = sweptList(facts, fn);
    if (list === null) continue;
    for (const call of callsOf(facts, fn)) {
      const home = runsIn(facts, call);
      const [around] = loopsAround(facts, call);
      if (around === undefined || home === null || inside(call, fn.node)) continue;
      const runs = reached(facts, around.node);
      // filled in the loop, or the object that owns it is made there: a graph for each turn
      if (grows(facts, list, around.node, runs) || madeIn(facts, call, around.node)) continue;
      const cleared = clears(facts, list, around.node, runs);
      if (cleared === "all") continue;
      yield {
        ...placeOfCall(call, driver),
        message: `\`${fn.name}\` sweeps \`${list}\`, which is built once, in each turn of this loop, and ${cleared === "some" ? "only some of its nodes are set back to zero" : "nothing sets its nodes back to zero"}: interior nodes still hold the cotangents of the turn before. Clear all of them.`,
        evidence: "proven-graph",
        related: resets(facts)
          .filter(({ node }) => inside(node, around.node) || runs.some((one) => inside(node, one.node)))
          .slice(0, 2)
          .map(({ node }) => place(node, "set back to zero")),
      };
    }
  }
}

const nameOf = (node: Node): string | null => {
  const inner = bare(node);
  return isMember(inner) ? propertyName(inner) : identifier(inner);
};

/** The list, of the module or of an object, that a driver walks and that no driver fills. */
function sweptList(facts: FileFacts, fn: Fn): string | null {
  for (const loop of listLoops(facts)) {
    if (!inside(loop.node, fn.node)) continue;
    const list = bare(loop.list);
    const binding = facts.binding(list);
    const outlives = isMember(list)
      ? bare(child(list, "object")!).type === "ThisExpression"
      : binding !== null && binding.kind === "variable" && binding.scope.type === "Program";
    if (!outlives) continue;
    const pays =
      contributionsOf(facts).some(({ write }) => inside(write.node, loop.body)) ||
      partOf(facts.calls, loop.body).some((call) => {
        const name = calleeName(call) ?? "";
        return stepNames(facts).has(name) || facts.names.backward(name);
      });
    if (pays) return nameOf(list);
  }
  return null;
}

/** Functions of this file that run in a loop, one call away. */
const reached = (facts: FileFacts, loop: Node): readonly Fn[] =>
  partOf(facts.calls, loop).flatMap((call) => [...targetsOf(facts, call)]);

function grows(facts: FileFacts, list: string, loop: Node, runs: readonly Fn[]): boolean {
  const within = (node: Node): boolean => inside(node, loop) || runs.some((fn) => inside(node, fn.node));
  return (
    ["push", "unshift", "splice"].some((name) =>
      callsNamed(facts, name).some((call) => {
        const object = receiver(call);
        return object !== null && nameOf(object) === list && within(call);
      }),
    ) ||
    facts.assignments.some((node) => {
      const left = bare(child(node, "left")!);
      if (!within(node)) return false;
      // `tape.length = 0`
      return (
        nameOf(left) === list ||
        (isMember(left) && propertyName(left) === "length" && nameOf(child(left, "object")!) === list)
      );
    })
  );
}

function madeIn(facts: FileFacts, call: Node, loop: Node): boolean {
  const object = receiver(call);
  const binding = object === null ? null : facts.binding(object);
  return (
    binding !== null &&
    (inside(binding.declaration, loop) || binding.definitions.some(({ at }) => inside(at, loop)))
  );
}

/** Whether what runs in the loop sets the nodes of the list back: all of them, some, or none. */
function clears(facts: FileFacts, list: string, loop: Node, runs: readonly Fn[]): "all" | "some" | "none" {
  let found: "some" | "none" = "none";
  for (const { node } of resets(facts)) {
    if (!inside(node, loop) && !runs.some((fn) => inside(node, fn.node))) continue;
    found = "some";
    const walk = listLoops(facts).findLast((one) => inside(node, one.body) && one.node !== loop);
    if (walk === undefined) continue;
    // another list may hold all nodes: that of parameters does not
    const name = nameOf(walk.list);
    if (name === null || name === list || !/param|weight|leaf|leaves|input|var/i.test(name)) return "all";
  }
  // somebody else's function may clear everything
  const unknown = partOf(facts.calls, loop).some(
    (call) => facts.names.reset(calleeName(call) ?? "") && targetsOf(facts, call).length === 0,
  );
  return unknown ? "all" : found;
}
