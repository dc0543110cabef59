/** A buffer that an operation is handed, fills, and has its closure read: two calls that hand the same one share what they keep. */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import { callsOf } from "../../local.js";
import { operationOf } from "../../operations.js";
import { place } from "../../overwriting/words.js";
import type { Finding } from "../../report.js";
import { loopsAround } from "../../reverse.js";
import type { Binding } from "../../scopes.js";
import { argumentsOf, bare, child, endOf, isMember, startOf, type Node } from "../../tree.js";
import { valuesOf } from "../../values.js";
import { writesOf } from "../../writes.js";
import { inside, nodesIn } from "../shared/nodes.js";
import { sweepClosures } from "./pullbacks.js";

export function* handedScratch(facts: FileFacts): Iterable<Finding> {
  for (const closure of sweepClosures(facts)) {
    const operation = operationOf(facts, closure)!.fn;
    for (let at = 0; at < operation.params.length; at++) {
      const binding = facts.binding(bare(operation.params[at]));
      if (binding === null || facts.names.gradient(binding.name) > 0) continue;
      const read = nodesIn(facts, "MemberExpression", closure.node).find(
        (member) => facts.binding(child(member, "object")!) === binding && !isTarget(member),
      );
      const fill = read === undefined ? undefined : fillOf(facts, operation, closure, binding);
      if (read === undefined || fill === undefined) continue;
      const again = handedTwice(facts, operation, at);
      if (again === null) continue;
      yield {
        start: startOf(fill),
        end: endOf(fill),
        message: `\`${binding.name}\` is what the caller hands over, more than one call of \`${operation.name}\` is handed the same, and the backward pass reads it: the next call replaces what this one keeps there. Make one for each call.`,
        evidence: "structural",
        related: [place(read, "read in the backward pass"), place(again, "hands the same buffer over")],
      };
    }
  }
}

const isTarget = (node: Node): boolean =>
  node.parent?.type === "AssignmentExpression" && child(node.parent, "left") === node;

/** The store of the operation itself into the elements of the buffer. */
const fillOf = (facts: FileFacts, operation: Fn, closure: Fn, buffer: Binding): Node | undefined =>
  writesOf(facts).find(({ node, target, form, element }) => {
    if (!element || !/^(?:assign|buffer-set)$/.test(form)) return false;
    if (facts.home(node) !== operation || inside(node, closure.node)) return false;
    const inner = bare(target);
    return facts.binding(isMember(inner) ? child(inner, "object")! : inner) === buffer;
  })?.node;

/** A call that hands over what another hands over too, or in a loop what was made before it. */
function handedTwice(facts: FileFacts, operation: Fn, at: number): Node | null {
  const values = valuesOf(facts);
  const seen = new Set<string>();
  for (const call of callsOf(facts, operation)) {
    const argument = argumentsOf(call)[at];
    if (argument === undefined) continue;
    const inner = bare(argument);
    if (inner.type !== "Identifier" && !isMember(inner)) continue;
    const key = values.key(inner);
    const binding = facts.binding(inner);
    const [loop] = loopsAround(facts, call);
    const before = loop !== undefined && binding !== null && !inside(binding.declaration, loop.node);
    if (seen.has(key) || before) return call;
    seen.add(key);
  }
  return null;
}
