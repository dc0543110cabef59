/** Values kept on a stack in the forward pass and taken off in the reverse sweep: pushed again, or taken from the wrong end. */
import type { FileFacts } from "../../facts.js";
import { callsNamed, groupBy, partOf } from "../../lookups.js";
import type { Finding } from "../../report.js";
import { loopsAround } from "../../reverse.js";
import {
  argumentsOf,
  calleeName,
  child,
  literal,
  propertyName,
  receiver,
  startOf,
  type Node,
} from "../../tree.js";
import { valuesOf } from "../../values.js";
import { inside, nodesIn, nodesOf } from "../shared/nodes.js";
import { layerStacks } from "./layer-stacks.js";
import { callsOn, lastOf, reportTaking } from "./stack-reads.js";
import { multipliesOn, pays, sweepLoops } from "./sweep-loops.js";

/** `shown`: the file pays gradients of nodes; elsewhere the loop has to work a cotangent on, and to count its turns itself. */
export function* stacks(facts: FileFacts, shown: boolean): Iterable<Finding> {
  if (shown) yield* layerStacks(facts);
  else if (sweepLoops(facts).length === 0) return;
  const values = valuesOf(facts);
  const pushes = callsNamed(facts, "push").filter((call) => receiver(call) !== null);
  for (const forward of pushes) {
    if (
      reverseAround(facts, forward) !== null ||
      loopsAround(facts, forward).length === 0 ||
      forward.parent?.type !== "ExpressionStatement"
    )
      continue;
    const key = values.key(receiver(forward)!);
    for (const call of callsOn(facts, key)) {
      const loop = reverseAround(facts, call);
      if (loop === null || startOf(loop) < startOf(forward)) continue;
      if (shown ? !pays(facts, loop) : !isChain(facts, loop, key)) continue;
      const name = calleeName(call);
      if (name === "push" && call.parent?.type !== "ExpressionStatement")
        yield reportTaking(facts, call, forward, "`push` puts a value on and gives the new length", "pop");
      else if (name === "shift")
        yield reportTaking(
          facts,
          call,
          forward,
          "`shift` takes the first value, and the sweep needs the last",
          "pop",
        );
      else if (name === "at" && literal(argumentsOf(call)[0] ?? call) === -1 && !takesOff(facts, key, loop))
        yield reportTaking(
          facts,
          call,
          forward,
          "the last value is read and never taken off: each turn reads the same",
          null,
        );
    }
    for (const member of lastsOf(facts, key)) {
      const loop = reverseAround(facts, member);
      if (loop === null || takesOff(facts, key, loop)) continue;
      if (shown ? !pays(facts, loop) : !isChain(facts, loop, key)) continue;
      if (member.parent?.type === "AssignmentExpression" && child(member.parent, "left") === member) continue;
      yield reportTaking(
        facts,
        member,
        forward,
        "the last value is read and never taken off: each turn reads the same",
        null,
      );
    }
  }
}

/** `for (let i = n - 1; i >= 0; i--) bar *= ...`: a chain of numbers, not a walk over what the list holds. */
function isChain(facts: FileFacts, loop: Node, key: string): boolean {
  const test = child(loop, "test");
  return (
    multipliesOn(facts, loop, false) &&
    (test === null ||
      !nodesIn(facts, "MemberExpression", test).some(
        (member) =>
          propertyName(member) === "length" && valuesOf(facts).key(child(member, "object")!) === key,
      ))
  );
}

function reverseAround(facts: FileFacts, node: Node): Node | null {
  const loop = loopsAround(facts, node).find(({ reverse }) => reverse);
  return loop === undefined ? null : loop.node;
}

function takesOff(facts: FileFacts, key: string, loop: Node): boolean {
  return (
    callsOn(facts, key).some(
      (call) => inside(call, loop) && /^(?:pop|splice)$/.test(calleeName(call) ?? ""),
    ) ||
    partOf(facts.assignments, loop).some((node) => /\.length$/.test(facts.source(child(node, "left")!))) ||
    partOf(facts.updates, loop).some((node) => /\.length$/.test(facts.source(child(node, "argument")!)))
  );
}

/** `stack[stack.length - 1]`, by the key of the stack. */
const lastsOf = (facts: FileFacts, key: string): readonly Node[] =>
  facts
    .once("last elements", (file) => groupBy(nodesOf(file, "MemberExpression"), (node) => lastOf(file, node)))
    .get(key) ?? [];
