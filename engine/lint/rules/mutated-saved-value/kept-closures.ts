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

export const SWEEP = /^_*(?:pull|bwd|back|grad|vjp)/i;

export const keptPullbacks = (facts: FileFacts): readonly Fn[] =>
  facts.once("kept pullbacks", (file) =>
    file.functions.filter((fn) => {
      if (fn.inline || fn.kind !== "function") return false;
      if (outlives(file, fn.node)) return isPullback(file, fn);
      const id = localOf(fn);
      // what has to be looked up by its names is looked up last
      return id !== null && isPullback(file, fn) && isKeptByName(file, id);
    }),
  );

/** It is handed a cotangent, or has a name of the sweep. */
export const isNamedPullback = (facts: FileFacts, fn: Fn): boolean =>
  SWEEP.test(fn.name) ||
  facts.names.backward(fn.name) ||
  fn.params.some((param) => facts.names.gradient(identifier(bare(param)) ?? "") > 0);

/** The same, or it is kept under a name of the sweep. */
const isPullback = (facts: FileFacts, fn: Fn): boolean =>
  isNamedPullback(facts, fn) ||
  keptAs(facts, fn).some((name) => SWEEP.test(name) || facts.names.backward(name));

/** The local that it is stored under. */
function localOf(fn: Fn): Node | null {
  const holder = fn.node.parent;
  return holder?.type === "VariableDeclarator" && bare(child(holder, "init")!) === fn.node
    ? child(holder, "id")
    : child(fn.node, "id");
}

function isKeptByName(facts: FileFacts, id: Node): boolean {
  const binding = facts.binding(id);
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
