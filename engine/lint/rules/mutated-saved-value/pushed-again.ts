/** Values that the forward loop kept and the reverse loop never takes off: it pushes them once more, or its pointer does not go back. */
import type { FileFacts } from "../../facts.js";
import { assignmentsTo, callsNamed, namesOf, partOf, updatesOf } from "../../lookups.js";
import { place } from "../../overwriting/words.js";
import type { Finding, Suggestion } from "../../report.js";
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
  isMember,
  literal,
  propertyName,
  receiver,
  startOf,
  type Node,
} from "../../tree.js";
import { valuesOf } from "../../values.js";
import { loopsOf } from "../shared/all-loops.js";
import { inside, runsIn } from "../shared/nodes.js";
import { multipliesOn, sweepLoops } from "./sweep-loops.js";

export function* neverTakenOff(facts: FileFacts): Iterable<Finding> {
  yield* pushedAgain(facts);
  yield* pointers(facts);
}

/** `stack.push(x)` in the forward loop and in the reverse one, of a stack that nothing in the file reads. */
function* pushedAgain(facts: FileFacts): Iterable<Finding> {
  const pushes = callsNamed(facts, "push").filter(
    (call) =>
      call.parent?.type === "ExpressionStatement" &&
      argumentsOf(call).length === 1 &&
      receiver(call) !== null,
  );
  if (pushes.length < 2) return;
  const values = valuesOf(facts);
  for (const call of pushes) {
    const loop = sweepLoops(facts).find((one) => inside(call, one));
    if (loop === undefined) continue;
    const list = receiver(call)!;
    const key = values.key(list);
    const forward = pushes.find(
      (other) =>
        startOf(other) < startOf(loop) &&
        values.key(receiver(other)!) === key &&
        loopsAround(facts, other).some(({ reverse }) => !reverse),
    );
    if (forward === undefined || isRead(facts, list)) continue;
    // what a field holds may be read by others: it is a log, unless both push the same
    const [mine, theirs] = [call, forward].map((one) => values.key(argumentsOf(one)[0]));
    if (facts.binding(list) === null && mine !== theirs) continue;
    yield {
      start: startOf(call),
      end: endOf(call),
      message: `the reverse loop puts one more value on \`${facts.source(list)}\`, from which nothing takes what the forward loop kept there: each turn works with the last value. The sweep undoes the steps from the last to the first, and takes what they kept off the end with \`pop\`.`,
      evidence: "structural",
      related: [place(forward, "kept here in the forward pass")],
      suggestions: popping(facts, call, list),
    };
  }
}

/** `stack.push(x)` of a variable becomes `x = stack.pop()`. */
function popping(facts: FileFacts, call: Node, list: Node): readonly Suggestion[] {
  const [value] = argumentsOf(call);
  const binding = facts.binding(value);
  if (binding === null || (binding.kind !== "variable" && binding.kind !== "param")) return [];
  if (isConstant(binding)) return [];
  return [
    {
      title: "Take it off with `pop`",
      kind: "rewrite",
      edits: [
        {
          start: startOf(call),
          end: endOf(call),
          text: `${facts.source(value)} = ${facts.source(list)}.pop()`,
        },
      ],
    },
  ];
}

function isConstant({ declaration }: Binding): boolean {
  for (let at: Node | null | undefined = declaration; at != null; at = at.parent)
    if (at.type === "VariableDeclaration") return at.kind === "const";
  return false;
}

/** Something looks at the list, or may: an element, a call other than `push`, a value handed on. */
function isRead(facts: FileFacts, list: Node): boolean {
  const inner = bare(list);
  const binding = facts.binding(inner);
  let mentions: readonly Node[];
  if (binding !== null) {
    if (binding.kind !== "variable" || isExported(binding)) return true;
    mentions = namesOf(facts, binding).filter((name) => name !== binding.declaration);
  } else {
    const name = isMember(inner) ? propertyName(inner) : null;
    if (name === null || bare(child(inner, "object")!).type !== "ThisExpression") return true;
    mentions = (facts.byType.get("MemberExpression") ?? []).filter((one) => propertyName(one) === name);
  }
  return mentions.some((mention) => {
    let at = mention;
    while (at.parent != null && bare(at.parent) !== at.parent) at = at.parent;
    const parent = at.parent;
    // `this.kept = []`
    if (parent?.type === "AssignmentExpression") return child(parent, "left") !== at;
    if (parent == null || !isMember(parent) || child(parent, "object") !== at) return true;
    const around = parent.parent;
    if (propertyName(parent) === "push")
      return !(around != null && isCall(around) && around.parent?.type === "ExpressionStatement");
    // `stack.length = 0`
    const emptied =
      propertyName(parent) === "length" &&
      around?.type === "AssignmentExpression" &&
      child(around, "left") === parent;
    return !emptied;
  });
}

function isExported({ declaration, scope }: Binding): boolean {
  if (scope.type !== "Program") return false;
  for (let at: Node | null | undefined = declaration; at != null; at = at.parent)
    if (/^Export/.test(at.type)) return true;
  return false;
}

/** `tape[top++] = x` in the forward loop; the reverse one reads `tape[top++]`, or `tape[top]` with a `top` that stays. */
function* pointers(facts: FileFacts): Iterable<Finding> {
  const values = valuesOf(facts);
  for (const store of facts.assignments) {
    const target = bare(child(store, "left")!);
    const index = isMember(target) ? child(target, "property") : null;
    if (index === null || propertyName(target) !== null || store.operator !== "=") continue;
    const pointer = pointed(facts, index);
    if (pointer === null || !countsUp(facts, pointer, index, store)) continue;
    const key = values.key(child(target, "object")!);
    if (!loopsAround(facts, store).some(({ reverse }) => !reverse)) continue;
    for (const loop of readers(facts, store)) {
      if (goesBack(facts, pointer, loop)) continue;
      const read = partOf(facts.byType.get("MemberExpression") ?? [], loop).find(
        (member) =>
          propertyName(member) === null &&
          values.key(child(member, "object")!) === key &&
          pointed(facts, child(member, "property")!) === pointer &&
          !(member.parent?.type === "AssignmentExpression" && child(member.parent, "left") === member),
      );
      if (read === undefined) continue;
      yield {
        start: startOf(read),
        end: endOf(read),
        message: `\`${pointer.name}\` does not go back in the reverse loop: what the forward loop kept there last has to be read first, and each turn steps one place down, \`--${pointer.name}\`.`,
        evidence: "structural",
        related: [place(store, "kept here in the forward pass")],
      };
    }
  }
}

/** `top`, `top++`, `top - 1`, `--top`: the variable that an index is. */
function pointed(facts: FileFacts, index: Node): Binding | null {
  const inner = bare(index);
  if (inner.type === "UpdateExpression") return facts.binding(child(inner, "argument")!);
  const off =
    inner.type === "BinaryExpression" &&
    /^[+-]$/.test(String(inner.operator)) &&
    literal(child(inner, "right")!) === 1;
  const binding = facts.binding(off ? child(inner, "left")! : inner);
  return binding?.kind === "variable" && identifier(bare(off ? child(inner, "left")! : inner)) !== null
    ? binding
    : null;
}

/** The store moves the pointer of a stack: `top++` in its index, or as the statement after it. Counters of loops are none. */
function countsUp(facts: FileFacts, pointer: Binding, index: Node, store: Node): boolean {
  if (pointer.kind !== "variable" || /^For/.test(pointer.scope.type)) return false;
  if (bare(index).type === "UpdateExpression") return bare(index).operator === "++";
  const block = store.parent?.parent;
  return (
    block?.type === "BlockStatement" &&
    updatesOf(facts, pointer).some(
      (one) =>
        one.operator === "++" && one.parent?.type === "ExpressionStatement" && one.parent.parent === block,
    )
  );
}

/** Loops that work a cotangent on, whichever way they run. */
const workingLoops = (facts: FileFacts): readonly Node[] =>
  facts.once("loops that work a cotangent on", (file) =>
    loopsOf(file)
      .filter(({ node, reverse }) =>
        reverse ? sweepLoops(file).includes(node) : multipliesOn(file, node, true),
      )
      .map(({ node }) => node),
  );

/** Those after the store, or in other functions. */
const readers = (facts: FileFacts, store: Node): readonly Node[] =>
  workingLoops(facts).filter(
    (node) =>
      !inside(store, node) &&
      (startOf(node) > startOf(store) || runsIn(facts, node) !== runsIn(facts, store)),
  );

/** The loop steps the pointer down, or its function sets it anew. */
function goesBack(facts: FileFacts, pointer: Binding, loop: Node): boolean {
  const home = runsIn(facts, loop);
  return (
    updatesOf(facts, pointer).some((one) => one.operator === "--" && inside(one, loop)) ||
    assignmentsTo(facts, pointer).some(
      (one) =>
        inside(one, loop) || (home !== null && runsIn(facts, one) === home && startOf(one) < startOf(loop)),
    ) ||
    partOf(facts.calls, loop).some((call) => /^(?:pop|shift)$/.test(calleeName(call) ?? ""))
  );
}
