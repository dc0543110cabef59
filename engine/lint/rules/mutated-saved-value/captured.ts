/** Pullbacks that are kept in a list and read a variable which the forward pass stores again: all of them find the last store. */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import { assignmentsTo, namesOf, updatesOf } from "../../lookups.js";
import { lineOf, place } from "../../overwriting/words.js";
import type { Finding } from "../../report.js";
import { loopsAround } from "../../reverse.js";
import type { Binding } from "../../scopes.js";
import {
  argumentsOf,
  bare,
  calleeName,
  child,
  endOf,
  identifier,
  isCall,
  isFunction,
  literal,
  receiver,
  startOf,
  type Node,
} from "../../tree.js";
import { isPropertyPosition } from "../../value-forms.js";
import { inside, keptAs, nodesIn } from "../shared/nodes.js";

const SWEEP = /^_*(?:pull|bwd|back|grad|vjp)/i;

/** `known`: what other looks have found, so that one fault is told once. */
export function* captured(facts: FileFacts, known: readonly Finding[]): Iterable<Finding> {
  const told = new Set<Binding>();
  for (const fn of facts.functions) {
    if (fn.inline || fn.kind !== "function" || !isPullback(facts, fn) || !isListed(facts, fn)) continue;
    const loops = fn.node.parent == null ? [] : loopsAround(facts, fn.node.parent).map(({ node }) => node);
    for (const name of nodesIn(facts, "Identifier", fn.node)) {
      const binding = isPropertyPosition(name) ? null : facts.scopes.resolve(name);
      if (binding === null || told.has(binding) || !/^(?:variable|param)$/.test(binding.kind)) continue;
      if (inside(binding.scope, fn.node) || facts.names.gradient(binding.name) === 2) continue;
      const again = storedAgain(facts, binding, fn, loops);
      if (again === null) continue;
      told.add(binding);
      const where = loops.find((loop) => inside(again, loop)) ?? again;
      if (known.some(({ start, end }) => start >= startOf(where) && end <= endOf(where))) continue;
      yield {
        start: startOf(again),
        end: endOf(again),
        message: `\`${binding.name}\` is stored again here, and the pullbacks that are kept for the reverse sweep read it when they run (line ${lineOf(facts, name)}): they find what was stored last, not what their step worked with. Keep the value of the step in a constant of its own.`,
        evidence: "structural",
        related: [place(name, "read in the reverse sweep")],
      };
    }
  }
}

/** It is handed a cotangent, or is kept under a name of the sweep. */
const isPullback = (facts: FileFacts, fn: Fn): boolean =>
  fn.params.some((param) => facts.names.gradient(identifier(bare(param)) ?? "") > 0) ||
  [fn.name, ...keptAs(facts, fn)].some((name) => SWEEP.test(name) || facts.names.backward(name));

/** It goes into a list or a table, itself, by its name, or as a part of a record. */
function isListed(facts: FileFacts, fn: Fn): boolean {
  if (goesIntoList(fn.node)) return true;
  const holder = fn.node.parent;
  const id =
    holder?.type === "VariableDeclarator" && bare(child(holder, "init")!) === fn.node
      ? child(holder, "id")
      : child(fn.node, "id");
  const binding = id == null ? null : facts.binding(id);
  return binding !== null && namesOf(facts, binding).some((use) => use !== id && goesIntoList(use));
}

function goesIntoList(node: Node): boolean {
  for (let from = node, at = node.parent; at != null; from = at, at = at.parent) {
    if (isCall(at))
      return (
        receiver(at) !== null &&
        /^(?:push|unshift|set)$/.test(calleeName(at) ?? "") &&
        argumentsOf(at).includes(from)
      );
    // `pulls[i] = (bar) => ...`
    if (at.type === "AssignmentExpression") {
      const left = bare(child(at, "left")!);
      return left.type === "MemberExpression" && left.computed === true && child(at, "right") === from;
    }
    if (/Statement$|Declarator$/.test(at.type) || isFunction(at)) return false;
  }
  return false;
}

/** A store into the variable by the function around the closure: in each turn of the loop that makes it, or after it was made. */
function storedAgain(facts: FileFacts, binding: Binding, closure: Fn, loops: readonly Node[]): Node | null {
  const stores = [...assignmentsTo(facts, binding), ...updatesOf(facts, binding)];
  // a state of the closures themselves
  if (stores.length === 0 || stores.some((one) => inside(one, closure.node))) return null;
  const home = facts.outer(closure);
  const own = stores.filter((one) => facts.home(one) === home);
  // it was put back, or is set for each closure where these are run
  if (own.length < stores.length) return null;
  const turn = own.find((one) => loops.some((loop) => inside(one, loop) && !inside(binding.scope, loop)));
  if (turn !== undefined) return turn;
  if (loops.length > 0 || !isThere(facts, binding, closure)) return null;
  return (
    own.find(
      (one) =>
        one.type === "AssignmentExpression" &&
        startOf(one) > endOf(closure.node) &&
        loopsAround(facts, one).length === 0 &&
        sameBlock(one, closure.node),
    ) ?? null
  );
}

/** The variable holds a value of the forward pass when the closure is made; one that is only declared is filled in later. */
const isThere = (facts: FileFacts, binding: Binding, { node }: Fn): boolean =>
  binding.kind === "param" ||
  binding.definitions.some(
    ({ at, expression, kind }) =>
      kind !== "element" &&
      startOf(at) < startOf(node) &&
      literal(expression) === undefined &&
      identifier(bare(expression)) !== "undefined",
  );

/** The store runs whenever the closure was made. */
function sameBlock(store: Node, closure: Node): boolean {
  let block = store.parent ?? null;
  while (block !== null && block.type !== "BlockStatement") block = block.parent ?? null;
  return block !== null && inside(closure, block);
}
