/** What an operation goes on to change once its closure has it: a local that is stored again, a record that each call pushes. */
import type { FileFacts } from "../../facts.js";
import { assignmentsTo, callsNamed, namesOf } from "../../lookups.js";
import { operationOf } from "../../operations.js";
import { lineOf, place } from "../../overwriting/words.js";
import type { Finding } from "../../report.js";
import { loopsAround } from "../../reverse.js";
import type { Binding } from "../../scopes.js";
import {
  argumentsOf,
  bare,
  child,
  endOf,
  isMember,
  literal,
  propertyName,
  receiver,
  startOf,
  type Node,
} from "../../tree.js";
import { isPropertyPosition } from "../../value-forms.js";
import { backwardClosures } from "../shared/contributions.js";
import { inside, nodesIn } from "../shared/nodes.js";

export function* afterClosure(facts: FileFacts): Iterable<Finding> {
  yield* storedAgain(facts);
  yield* pushedRecords(facts);
}

/** `let y = f(x); out.back = () => ... y ...; y = clip(y);`: the closure sees the last store. */
function* storedAgain(facts: FileFacts): Iterable<Finding> {
  for (const closure of backwardClosures(facts)) {
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

/** The store runs whenever the closure was made: its block is that of the closure or one around it. */
function sameBlock(store: Node, closure: Node): boolean {
  let block = store.parent ?? null;
  while (block !== null && block.type !== "BlockStatement") block = block.parent ?? null;
  return block !== null && inside(closure, block);
}

/** `rec.a = a; tape.push(rec);` of one record for all calls: every entry of the tape is the last operation. */
function* pushedRecords(facts: FileFacts): Iterable<Finding> {
  for (const push of callsNamed(facts, "push")) {
    const [value, ...more] = argumentsOf(push);
    const home = facts.home(push);
    const list = receiver(push);
    if (value === undefined || more.length > 0 || home === null || list === null) continue;
    const binding = facts.binding(value);
    if (binding?.kind !== "variable" || binding.scope.type !== "Program") continue;
    const [made, ...others] = binding.definitions.filter(({ kind }) => kind !== "element");
    if (made === undefined || others.length > 0 || bare(made.expression).type !== "ObjectExpression")
      continue;
    const filled = facts.assignments.find((node) => {
      const target = bare(child(node, "left")!);
      return (
        facts.home(node) === home &&
        startOf(node) < startOf(push) &&
        isMember(target) &&
        propertyName(target) !== null &&
        facts.binding(child(target, "object")!) === binding
      );
    });
    if (filled === undefined || !namesOf(facts, binding).some((name) => inside(name, filled))) continue;
    yield {
      start: startOf(push),
      end: endOf(push),
      message: `\`${binding.name}\` is one record for all calls of \`${home.name}\`, filled anew in each (line ${lineOf(facts, filled)}) and pushed itself: every entry of the list is what the last call put into it. Push a new one.`,
      evidence: "structural",
      related: [place(filled, "filled in each call"), place(binding.declaration, "made once")],
    };
  }
}
