/** Draws and times that reach no value: they decide whether something is logged, or are logged themselves. */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import { namesOf } from "../../lookups.js";
import {
  bare,
  calleeName,
  child,
  children,
  identifier,
  isCall,
  isFunction,
  isMember,
  propertyName,
  receiver,
  type Node,
} from "../../tree.js";
import { inside, runsIn } from "../shared/nodes.js";

const TELLING =
  /^(?:log|debug|trace|warn|info|error|print|report|emit|notify|track|profile|assert)(?![a-z])|^on[A-Z]/;
const HEARERS =
  /^(?:console|.*(?:log|logger|stats?|metrics?|profiler?|tracer?|monitor|telemetry|timings?))$/i;

/** A clock, whose differences are durations. */
export const isClock = (node: Node): boolean =>
  node.type === "NewExpression" || /^(?:now|hrtime|uptime)$/.test(calleeName(node) ?? "");

export function isIdle(facts: FileFacts, source: Node, fn: Fn, depth = 0): boolean {
  for (let from = source, at = source.parent; at != null && at !== fn.node; from = at, at = at.parent) {
    if (isCall(at) && child(at, "callee") !== from) {
      if (tells(at)) return true;
      if (facts.functionOf(from) === null) return false;
    }
    if (at.type === "IfStatement") return child(at, "test") === from && onlyTells(at);
    if (inDuration(facts, from)) return true;
    if (at.type === "VariableDeclarator") {
      const binding = facts.binding(child(at, "id")!);
      const names =
        binding === null ? [] : namesOf(facts, binding).filter((name) => !inside(name, child(at, "id")!));
      return depth < 3 && names.length > 0 && names.every((name) => isIdle(facts, name, fn, depth + 1));
    }
    if (at.type === "LogicalExpression" && at.parent?.type === "ExpressionStatement")
      return child(at, "left") === from && isTelling(child(at, "right")!);
    if (/Statement$/.test(at.type) || isFunction(at)) return false;
  }
  return false;
}

/** A side of `now() - start`, where both are times of one run of a function. */
export function inDuration(facts: FileFacts, side: Node): boolean {
  const difference = side.parent;
  if (difference?.type !== "BinaryExpression" || difference.operator !== "-") return false;
  const home = runsIn(facts, difference);
  const isTime = (one: Node): boolean => {
    const at = bare(one);
    if (isClock(at)) return true;
    const binding = facts.binding(at);
    const [made, ...more] = binding?.definitions ?? [];
    return (
      made !== undefined &&
      more.length === 0 &&
      isClock(bare(made.expression)) &&
      runsIn(facts, binding!.declaration) === home
    );
  };
  return isTime(child(difference, "left")!) && isTime(child(difference, "right")!);
}

/** A call that hands something to people, and gives nothing back. */
function tells(call: Node): boolean {
  if (!/^(?:ExpressionStatement|LogicalExpression|ArrowFunctionExpression)$/.test(call.parent?.type ?? ""))
    return false;
  const object = receiver(call);
  const at = object === null ? null : bare(object);
  const hearer = at === null ? null : isMember(at) ? propertyName(at) : identifier(at);
  return TELLING.test(calleeName(call) ?? "") || (hearer !== null && HEARERS.test(hearer));
}

const isTelling = (value: Node): boolean => {
  const at = bare(value);
  return (isCall(at) && tells(at)) || at.type === "UpdateExpression";
};

/** Whatever stands in the branches is said, or counted. */
function onlyTells(test: Node): boolean {
  const branches = [child(test, "consequent")!, child(test, "alternate")];
  return branches.every((branch) => {
    if (branch === null) return true;
    const statements = branch.type === "BlockStatement" ? children(branch, "body") : [branch];
    return statements.every(
      (one) => one !== null && one.type === "ExpressionStatement" && isTelling(child(one, "expression")!),
    );
  });
}
