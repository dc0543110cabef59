/** Drivers of the reverse sweep: what seeds a slot and runs the steps of the nodes, in files where no node pays another in sight. */
import type { FileFacts } from "../../facts.js";
import { partOf } from "../../lookups.js";
import { isBackward } from "../../overwriting/entries.js";
import { paramName, slotNamesOf, startsOf } from "../../overwriting/slots.js";
import { isOne, loopsAround } from "../../reverse.js";
import type { Binding } from "../../scopes.js";
import {
  argumentsOf,
  bare,
  calleeName,
  child,
  identifier,
  isFunction,
  keyName,
  receiver,
  type Node,
} from "../../tree.js";
import { writesOf } from "../../writes.js";
import { runsIn } from "./nodes.js";

/** `backward(node, seen)` that goes on to itself and runs a step of the node it is handed. */
const recursiveDriver = (facts: FileFacts): boolean =>
  facts.functions.some((fn) => {
    // itself, or the walk that is written in it
    const driver = [fn.name, fn.parent?.name ?? ""].some((name) =>
      /^_*(?:backward|backprop\w*|reverse_?(?:pass|sweep))$/i.test(name),
    );
    if (!driver || fn.name === "") return false;
    const own = fn.params[0] === undefined ? null : facts.binding(paramName(fn.params[0]) ?? fn.params[0]);
    const calls = partOf(facts.calls, fn.node);
    if (fn.kind === "method" && calls.some((call) => isOwnStep(facts, call)))
      return calls.some((call) => calleeName(call) === fn.name && receiver(call) !== null);
    return (
      own !== null &&
      calls.some(
        (call) =>
          calleeName(call) === fn.name ||
          argumentsOf(call).some((argument) => identifier(bare(argument)) === fn.name),
      ) &&
      calls.some((call) => isStepOf(facts, call, own))
    );
  });

/** `backward(y) { y.z = 1; for (const n of order(y)) n.pay(); }`: a slot that starts at nothing is seeded, whatever it is called. */
const namedDriver = (facts: FileFacts): boolean =>
  facts.functions.some(
    (fn) =>
      isBackward(facts, fn) &&
      writesOf(facts).some(
        ({ node, name, value, object }) =>
          object !== null &&
          isOne(value) &&
          facts.home(node) === fn &&
          startsOf(facts).blank.has(slotNamesOf(facts).canonical(name)),
      ) &&
      partOf(facts.calls, fn.node).some((call) => {
        const node = receiver(call) === null ? null : facts.binding(receiver(call)!);
        return node !== null && loopsAround(facts, call).length > 0 && isStepOf(facts, call, node);
      }),
  );

/** `node.apply();`: a statement, of the node itself, with nothing handed over. */
export function isStepOf(facts: FileFacts, call: Node, node: Binding): boolean {
  const holder = receiver(call);
  return holder !== null && isTold(call) && facts.binding(holder) === node;
}

/** `node.apply();`, `await node.apply();`: nothing is handed over and nothing comes back. */
function isTold(call: Node): boolean {
  const around = call.parent?.type === "AwaitExpression" ? call.parent.parent : call.parent;
  return around?.type === "ExpressionStatement" && argumentsOf(call).length === 0;
}

/** `this.step();` of a field that holds a function. */
export function isOwnStep(facts: FileFacts, call: Node): boolean {
  const holder = receiver(call);
  if (holder === null || bare(holder).type !== "ThisExpression" || !isTold(call)) return false;
  const name = calleeName(call);
  return facts.fields.some(
    (field) =>
      keyName(child(field, "key")!, field.computed === true) === name &&
      child(field, "value") !== null &&
      isFunction(bare(child(field, "value")!)),
  );
}

/** A driver alone: a slot named for a gradient is seeded with one, and steps named for the reverse sweep are run in a loop. */
export const showsDriver = (facts: FileFacts): boolean =>
  facts.once(
    "shows a driver",
    (file) =>
      recursiveDriver(file) ||
      namedDriver(file) ||
      writesOf(file).some(({ node, name, value, object }) => {
        const strength = file.names.gradient(name);
        if (object === null || !isOne(value) || strength === 0) return false;
        const home = runsIn(file, node);
        return (
          home !== null &&
          partOf(file.calls, home.node).some(
            (call) =>
              receiver(call) !== null &&
              file.names.backward(calleeName(call) ?? "") &&
              // `list.reverse()` beside a short name says nothing
              (strength === 2 || calleeName(call) !== "reverse") &&
              loopsAround(file, call).length > 0,
          )
        );
      }),
  );
