/** Pullbacks that are kept in a list and read a variable which the forward pass stores again: all of them find the last store. */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import { assignmentsTo, partOf, updatesOf } from "../../lookups.js";
import { lineOf, place } from "../../overwriting/words.js";
import type { Finding } from "../../report.js";
import { loopsAround } from "../../reverse.js";
import type { Binding } from "../../scopes.js";
import { bare, child, endOf, identifier, literal, startOf, type Node } from "../../tree.js";
import { isPropertyPosition } from "../../value-forms.js";
import { inside, nodesIn } from "../shared/nodes.js";
import { keptPullbacks } from "./kept-closures.js";

/** `known`: what other looks have found, so that one fault is told once. */
export function* captured(facts: FileFacts, known: readonly Finding[]): Iterable<Finding> {
  const told = new Set<Binding>();
  for (const fn of keptPullbacks(facts)) {
    const loops = fn.node.parent == null ? [] : loopsAround(facts, fn.node.parent).map(({ node }) => node);
    for (const name of nodesIn(facts, "Identifier", fn.node)) {
      const binding = isPropertyPosition(name) ? null : facts.scopes.resolve(name);
      if (binding === null || told.has(binding) || !/^(?:variable|param)$/.test(binding.kind)) continue;
      if (inside(binding.scope, fn.node) || facts.names.gradient(binding.name) === 2) continue;
      if (!isWorkedWith(name, fn.node)) continue;
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

/** It gets into a value: what is only compared or logged is not worked with. */
function isWorkedWith(name: Node, closure: Node): boolean {
  for (let from = name, at = name.parent; at != null && from !== closure; from = at, at = at.parent) {
    if (at.type === "BinaryExpression" && /^(?:[<>]=?|[=!]==?)$/.test(String(at.operator))) return false;
    if (/^(?:If|While|DoWhile|Throw|Switch)/.test(at.type)) return false;
    if (at.type === "ExpressionStatement") return from.type === "AssignmentExpression";
    if (/^(?:ReturnStatement|VariableDeclarator)$/.test(at.type)) return true;
  }
  return true;
}

/** A store into the variable by the function around the closure: in each turn of the loop that makes it, or after it was made. */
function storedAgain(facts: FileFacts, binding: Binding, closure: Fn, loops: readonly Node[]): Node | null {
  const declared = partOf(facts.declarators, binding.scope).filter(
    (one) => child(one, "init") !== null && child(one, "id") === binding.declaration,
  );
  // `var before = acc;` in the loop: one of the function
  const stores = [
    ...assignmentsTo(facts, binding),
    ...updatesOf(facts, binding),
    ...(isVar(declared[0]) ? declared : []),
  ];
  // a state of the closures themselves
  if (stores.length === 0 || stores.some((one) => inside(one, closure.node))) return null;
  const home = facts.outer(closure);
  const own = stores.filter((one) => facts.home(one) === home);
  // it was put back, or is set for each closure where these are run
  if (own.length < stores.length) return null;
  const turn = own.find((one) => loops.some((loop) => inside(one, loop) && !inside(binding.scope, loop)));
  if (turn !== undefined) return turn;
  if (loops.length > 0 || !isThere(binding, closure)) return null;
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

const isVar = (declarator: Node | undefined): boolean => declarator?.parent?.kind === "var";

/** The variable holds a value of the forward pass when the closure is made; one that is only declared is filled in later. */
const isThere = (binding: Binding, { node }: Fn): boolean =>
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
