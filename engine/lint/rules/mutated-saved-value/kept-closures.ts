/** Pullbacks that outlive the turn that makes them: in a list or a table, or each around the one before. */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import { namesOf } from "../../lookups.js";
import type { Binding } from "../../scopes.js";
import {
  argumentsOf,
  bare,
  calleeName,
  child,
  identifier,
  isCall,
  isFunction,
  receiver,
  type Node,
} from "../../tree.js";
import { keptAs, partsOf } from "../shared/nodes.js";

const SWEEP = /^_*(?:pull|bwd|back|grad|vjp)/i;

export const keptPullbacks = (facts: FileFacts): readonly Fn[] =>
  facts.once("kept pullbacks", (file) =>
    file.functions.filter(
      (fn) => !fn.inline && fn.kind === "function" && isPullback(file, fn) && isKept(file, fn),
    ),
  );

/** It is handed a cotangent, or is kept under a name of the sweep. */
const isPullback = (facts: FileFacts, fn: Fn): boolean =>
  fn.params.some((param) => facts.names.gradient(identifier(bare(param)) ?? "") > 0) ||
  [fn.name, ...keptAs(facts, fn)].some((name) => SWEEP.test(name) || facts.names.backward(name));

/** Itself, by its name, or as a part of a record. */
function isKept(facts: FileFacts, fn: Fn): boolean {
  if (outlives(facts, fn.node)) return true;
  const holder = fn.node.parent;
  const id =
    holder?.type === "VariableDeclarator" && bare(child(holder, "init")!) === fn.node
      ? child(holder, "id")
      : child(fn.node, "id");
  const binding = id == null ? null : facts.binding(id);
  return binding !== null && namesOf(facts, binding).some((use) => use !== id && outlives(facts, use));
}

function outlives(facts: FileFacts, node: Node): boolean {
  for (let from = node, at = node.parent; at != null; from = at, at = at.parent) {
    if (isCall(at))
      return (
        receiver(at) !== null &&
        /^(?:push|unshift|set)$/.test(calleeName(at) ?? "") &&
        argumentsOf(at).includes(from)
      );
    if (at.type === "AssignmentExpression") {
      if (child(at, "right") !== from) return false;
      const left = bare(child(at, "left")!);
      // `pulls[i] = (bar) => ...`
      if (left.type === "MemberExpression") return left.computed === true;
      const chained = facts.binding(left);
      return chained !== null && isAround(facts, from, chained);
    }
    if (/Statement$|Declarator$/.test(at.type) || isFunction(at)) return false;
  }
  return false;
}

/** `tail = { pull: ..., prev: tail }`, `back = (bar) => rest(...)` of `const rest = back`. */
const isAround = (facts: FileFacts, value: Node, chained: Binding): boolean =>
  partsOf(value).some((part) => {
    const binding = part.type === "Identifier" ? facts.binding(part) : null;
    return (
      binding === chained ||
      (binding !== null &&
        binding.definitions.length === 1 &&
        facts.binding(binding.definitions[0].expression) === chained)
    );
  });
