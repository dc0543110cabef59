/** What an operation goes on to change once its closure has it: a local that is stored again. */
import type { FileFacts } from "../../facts.js";
import { assignmentsTo } from "../../lookups.js";
import { operationOf } from "../../operations.js";
import { isBlank } from "../../overwriting/slots.js";
import { lineOf, place } from "../../overwriting/words.js";
import type { Finding } from "../../report.js";
import { loopsAround } from "../../reverse.js";
import type { Binding } from "../../scopes.js";
import { bare, child, endOf, isMember, literal, propertyName, startOf, type Node } from "../../tree.js";
import { isForm, isPropertyPosition } from "../../value-forms.js";
import { valuesOf } from "../../values.js";
import { writesOf } from "../../writes.js";
import { inside, nodesIn } from "../shared/nodes.js";
import { sweepClosures } from "./pullbacks.js";

export function* afterClosure(facts: FileFacts): Iterable<Finding> {
  yield* storedAgain(facts);
  yield* changedAgain(facts);
}

/** `let y = f(x); out.back = () => ... y ...; y = clip(y);`: the closure sees the last store. */
function* storedAgain(facts: FileFacts): Iterable<Finding> {
  for (const closure of sweepClosures(facts)) {
    const operation = operationOf(facts, closure)!.fn;
    const told = new Set<Binding>();
    for (const name of nodesIn(facts, "Identifier", closure.node)) {
      const binding = isPropertyPosition(name) ? null : facts.scopes.resolve(name);
      if (binding === null || told.has(binding) || !facts.scopes.declaredIn(binding, operation.node))
        continue;
      told.add(binding);
      if (binding.kind !== "variable" || facts.names.gradient(binding.name) === 2) continue;
      // a node that the closure reaches its slot through may be made after it
      if (name.parent != null && isMember(name.parent) && child(name.parent, "object") === name) continue;
      const started = binding.definitions.some(
        ({ kind, at, expression }) =>
          kind !== "element" &&
          startOf(at) < startOf(closure.node) &&
          literal(expression) !== null &&
          bare(expression).name !== "undefined",
      );
      const again = assignmentsTo(facts, binding).find(
        (node) =>
          startOf(node) > endOf(closure.node) &&
          facts.home(node) === operation &&
          loopsAround(facts, node).length === 0 &&
          sameBlock(node, closure.node),
      );
      if (!started || again === undefined) continue;
      yield {
        start: startOf(again),
        end: endOf(again),
        message: `\`${binding.name}\` is stored once more after the closure was made that reads it (line ${lineOf(facts, name)}): the backward pass finds this value, not the one that the forward pass worked with. Store it under another name.`,
        evidence: "structural",
        related: [place(name, "read in the backward pass")],
      };
    }
  }
}

/** `for (...) p[i] *= k;` of an array that was there when the closure was made, which reads its elements. */
function* changedAgain(facts: FileFacts): Iterable<Finding> {
  for (const closure of sweepClosures(facts)) {
    const operation = operationOf(facts, closure)!.fn;
    const told = new Set<Binding>();
    for (const member of nodesIn(facts, "MemberExpression", closure.node)) {
      const binding = propertyName(member) === null ? facts.binding(child(member, "object")!) : null;
      if (binding?.kind !== "variable" || told.has(binding) || isTarget(member)) continue;
      if (!facts.scopes.declaredIn(binding, operation.node) || facts.names.gradient(binding.name) > 0)
        continue;
      told.add(binding);
      const key = valuesOf(facts).key(child(member, "object")!);
      const [made, ...more] = binding.definitions.filter(({ kind }) => kind !== "element");
      if (made === undefined || more.length > 0 || isBlank(facts, made.expression)) continue;
      if (bare(made.expression).type === "NewExpression" && isForm(bare(made.expression))) continue;
      const change = writesOf(facts).find(
        ({ node, element, form, value, target }) =>
          element &&
          startOf(node) > endOf(closure.node) &&
          facts.home(node) === operation &&
          facts.binding(rootOf(target)) === binding &&
          (/^(?:scale|add)$/.test(form) ||
            (form === "assign" &&
              valuesOf(facts)
                .reads(value)
                .some((read) => read.kind === "element" && read.container === key))),
      )?.node;
      if (change === undefined) continue;
      yield {
        start: startOf(change),
        end: endOf(change),
        message: `\`${binding.name}\` is changed after the closure was made that reads it (line ${lineOf(facts, member)}): the backward pass finds these values, not the ones that the forward pass worked with. Write into a new array.`,
        evidence: "structural",
        related: [place(member, "read in the backward pass")],
      };
    }
  }
}

const isTarget = (node: Node): boolean =>
  node.parent?.type === "AssignmentExpression" && child(node.parent, "left") === node;

function rootOf(target: Node): Node {
  let at = bare(target);
  while (isMember(at) && propertyName(at) === null) at = bare(child(at, "object")!);
  return at;
}

/** The store runs whenever the closure was made: its block is that of the closure or one around it. */
function sameBlock(store: Node, closure: Node): boolean {
  let block = store.parent ?? null;
  while (block !== null && block.type !== "BlockStatement") block = block.parent ?? null;
  return block !== null && inside(closure, block);
}
