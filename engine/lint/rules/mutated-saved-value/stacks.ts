/** Values kept on a stack in the forward pass and taken off in the reverse sweep: pushed again, or taken from the wrong end. */
import type { FileFacts } from "../../facts.js";
import { callsNamed, groupBy, partOf } from "../../lookups.js";
import { isBackward } from "../../overwriting/entries.js";
import { place } from "../../overwriting/words.js";
import type { Finding, Suggestion } from "../../report.js";
import { loopsAround } from "../../reverse.js";
import {
  argumentsOf,
  bare,
  calleeName,
  child,
  endOf,
  isMember,
  literal,
  propertyName,
  receiver,
  startOf,
  type Node,
} from "../../tree.js";
import { valuesOf } from "../../values.js";
import { inside, nodesOf, runsIn } from "../shared/nodes.js";
import { pays } from "./sweep-loops.js";

export function* stacks(facts: FileFacts): Iterable<Finding> {
  yield* layers(facts);
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
      if (loop === null || !pays(facts, loop) || startOf(loop) < startOf(forward)) continue;
      const name = calleeName(call);
      if (name === "push" && call.parent?.type !== "ExpressionStatement")
        yield report(facts, call, forward, "`push` puts a value on and gives the new length", "pop");
      else if (name === "shift")
        yield report(
          facts,
          call,
          forward,
          "`shift` takes the first value, and the sweep needs the last",
          "pop",
        );
      else if (name === "at" && literal(argumentsOf(call)[0] ?? call) === -1 && !takesOff(facts, key, loop))
        yield report(
          facts,
          call,
          forward,
          "the last value is read and never taken off: each turn reads the same",
          null,
        );
    }
    for (const member of lastsOf(facts, key)) {
      const loop = reverseAround(facts, member);
      if (loop === null || !pays(facts, loop) || takesOff(facts, key, loop)) continue;
      if (member.parent?.type === "AssignmentExpression" && child(member.parent, "left") === member) continue;
      yield report(
        facts,
        member,
        forward,
        "the last value is read and never taken off: each turn reads the same",
        null,
      );
    }
  }
}

/** A layer that pushes what it saves in its forward method, and takes it from the start of the list in the backward one. */
function* layers(facts: FileFacts): Iterable<Finding> {
  const values = valuesOf(facts);
  for (const forward of callsNamed(facts, "push")) {
    const fn = runsIn(facts, forward);
    const list = receiver(forward);
    if (fn?.kind !== "method" || list === null || isBackward(facts, fn) || argumentsOf(forward).length !== 1)
      continue;
    const key = values.key(list);
    if (!key.startsWith("this.") || loopsAround(facts, forward).length > 0) continue;
    // a list that is made anew or emptied holds one run
    const emptied =
      callsOn(facts, key).some((call) => /^(?:pop|splice)$/.test(calleeName(call) ?? "")) ||
      facts.assignments.some((node) => {
        const left = bare(child(node, "left")!);
        const home = runsIn(facts, node);
        return (
          home !== null &&
          home.kind !== "constructor" &&
          isMember(left) &&
          (values.key(left) === key || values.key(left) === `${key}.length`)
        );
      });
    if (emptied) continue;
    for (const member of nodesOf(facts, "MemberExpression")) {
      const home = runsIn(facts, member);
      if (home === null || home.owner !== fn.owner || !isBackward(facts, home)) continue;
      if (loopsAround(facts, member).length > 0 || values.key(child(member, "object")!) !== key) continue;
      const first = member.computed === true && literal(child(member, "property")!) === 0;
      const call = member.parent;
      const shifted = propertyName(member) === "shift" && call != null && /Call/.test(call.type);
      if (first) yield report(facts, member, forward, "the first value is read and never taken off", null);
      else if (shifted)
        yield report(
          facts,
          call,
          forward,
          "`shift` takes the first value, and the sweep needs the last",
          "pop",
        );
    }
  }
}

function reverseAround(facts: FileFacts, node: Node): Node | null {
  const loop = loopsAround(facts, node).find(({ reverse }) => reverse);
  return loop === undefined ? null : loop.node;
}

/** Calls of methods on a place. */
const callsOn = (facts: FileFacts, key: string): readonly Node[] =>
  facts
    .once("calls by receiver", (file) =>
      groupBy(file.calls, (call) => {
        const object = receiver(call);
        return object === null ? null : valuesOf(file).key(object);
      }),
    )
    .get(key) ?? [];

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

function lastOf(facts: FileFacts, member: Node): string | null {
  if (member.computed !== true) return null;
  const index = bare(child(member, "property")!);
  if (index.type !== "BinaryExpression" || index.operator !== "-" || literal(child(index, "right")!) !== 1)
    return null;
  const left = bare(child(index, "left")!);
  if (!isMember(left) || propertyName(left) !== "length" || runsIn(facts, member) === null) return null;
  const key = valuesOf(facts).key(child(member, "object")!);
  return valuesOf(facts).key(child(left, "object")!) === key ? key : null;
}

function report(facts: FileFacts, node: Node, forward: Node, what: string, instead: string | null): Finding {
  const object = receiver(node);
  const suggestions: readonly Suggestion[] =
    instead === null || object === null
      ? []
      : [
          {
            title: `Take it off with \`${instead}\``,
            kind: "rewrite",
            edits: [{ start: startOf(node), end: endOf(node), text: `${facts.source(object)}.${instead}()` }],
          },
        ];
  return {
    start: startOf(node),
    end: endOf(node),
    message: `${what}: the reverse sweep undoes the steps from the last to the first, and takes what they kept off the end with \`pop\`.`,
    evidence: "structural",
    related: [place(forward, "kept here in the forward pass")],
    suggestions,
  };
}
