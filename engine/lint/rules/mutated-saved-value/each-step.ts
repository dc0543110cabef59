/** What a net that is run step by step keeps for its backward pass: one buffer, or one field, for all steps. */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import { isBackward } from "../../overwriting/entries.js";
import { isBlank } from "../../overwriting/slots.js";
import { lineOf, place } from "../../overwriting/words.js";
import type { Finding } from "../../report.js";
import { loopsAround } from "../../reverse.js";
import { callsNamed } from "../../lookups.js";
import {
  bare,
  calleeName,
  child,
  endOf,
  isMember,
  propertyName,
  receiver,
  startOf,
  within,
  type Node,
} from "../../tree.js";
import { valuesOf } from "../../values.js";
import { writesOf } from "../../writes.js";
import { nodesIn } from "../shared/nodes.js";
import { keptByReference } from "./kept-by-reference.js";

export function* eachStep(facts: FileFacts): Iterable<Finding> {
  yield* keptByReference(facts);
  yield* oneField(facts);
}

/** `forward` keeps in a field what `backward` reads, and a loop runs all steps forward before another runs them back. */
function* oneField(facts: FileFacts): Iterable<Finding> {
  for (const { forward, backward, first, second } of unrolled(facts)) {
    const told = new Set<string>();
    for (const write of writesOf(facts)) {
      if (facts.home(write.node) !== forward || write.objectKey !== "this" || write.form !== "assign")
        continue;
      if (write.element || told.has(write.name) || isBlank(facts, write.value)) continue;
      const reader = nodesIn(facts, "MemberExpression", backward.node).find(
        (node) =>
          propertyName(node) === write.name &&
          bare(child(node, "object")!).type === "ThisExpression" &&
          node.parent?.type !== "AssignmentExpression",
      );
      if (reader === undefined) continue;
      told.add(write.name);
      yield {
        start: startOf(write.node),
        end: endOf(write.node),
        message: `\`this.${write.name}\` is one place for all steps: the loop at line ${lineOf(facts, first)} runs \`${forward.name}\` for each step, the one at line ${lineOf(facts, second)} runs \`${backward.name}\` afterwards, and it then reads what the last step kept. Keep it on a stack, or in a cache that is handed back.`,
        evidence: "structural",
        related: [
          place(reader, "read in the backward pass"),
          place(first, "all steps forward"),
          place(second, "then back"),
        ],
      };
    }
  }
}

interface Unrolled {
  readonly forward: Fn;
  readonly backward: Fn;
  readonly first: Node;
  readonly second: Node;
}

/** Two loops, of one function or of two methods of one class, that run a method and its backward counterpart on one object. */
function* unrolled(facts: FileFacts): Iterable<Unrolled> {
  const values = valuesOf(facts);
  const done = new Set<Fn>();
  for (const backward of facts.functions) {
    if (backward.kind !== "method" || backward.owner === null || !isBackward(facts, backward)) continue;
    for (const second of callsNamed(facts, backward.name)) {
      const holder = receiver(second);
      if (holder === null) continue;
      const home = facts.home(second);
      const key = values.key(holder);
      const back = loopOf(facts, second);
      // one object in all turns: neither an element nor a name of the turn
      if (
        home === null ||
        home === backward ||
        back === null ||
        /[[?]/.test(key) ||
        declaredInside(facts, holder, back)
      )
        continue;
      for (const first of facts.calls) {
        const object = receiver(first);
        const loop = object === null || values.key(object) !== key ? null : loopOf(facts, first);
        const ran = loop === null ? null : facts.home(first);
        if (loop === null || ran === null || within(first, back)) continue;
        if (ran === home ? !isBefore(loop, back) : !arePair(facts, ran, home, key)) continue;
        const forward = facts.functions.find(
          (fn) => fn.owner === backward.owner && fn.kind === "method" && fn.name === calleeName(first),
        );
        // the step of an object that this class holds, not the method of its own that runs all of them
        if (forward === undefined || forward === ran || forward === backward || done.has(forward)) continue;
        if (isBackward(facts, forward)) continue;
        // a turn that runs the step again has what it kept
        if (runsIn(facts, back, forward.name, key)) continue;
        done.add(forward);
        yield { forward, backward, first, second };
      }
    }
  }
}

const isBefore = (loop: Node, back: Node): boolean =>
  !within(loop, back) && !within(back, loop) && startOf(loop) < startOf(back);

/** The loop that runs all steps and the one that runs them back stand in two methods of the class that holds the object. */
const arePair = (facts: FileFacts, all: Fn, back: Fn, key: string): boolean =>
  key.startsWith("this.") && all.owner !== null && all.owner === back.owner && isBackward(facts, back);

const runsIn = (facts: FileFacts, loop: Node, name: string, key: string): boolean =>
  callsNamed(facts, name).some((call) => {
    const object = receiver(call);
    return object !== null && within(call, loop) && valuesOf(facts).key(object) === key;
  });

/** The outermost loop, or callback of an array's method, around a call inside its function. */
const loopOf = (facts: FileFacts, call: Node): Node | null => loopsAround(facts, call).at(-1)?.node ?? null;

function declaredInside(facts: FileFacts, holder: Node, loop: Node): boolean {
  let root = bare(holder);
  while (isMember(root)) root = bare(child(root, "object")!);
  const binding = facts.binding(root);
  return binding !== null && within(binding.declaration, loop);
}
