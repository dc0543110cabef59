/** Two values that a forward turn pushes one after the other, and that the reverse one takes off in the same order: each gets the other's. */
import type { FileFacts } from "../../facts.js";
import { callsNamed } from "../../lookups.js";
import { place } from "../../overwriting/words.js";
import type { Finding } from "../../report.js";
import { loopsAround } from "../../reverse.js";
import {
  argumentsOf,
  bare,
  child,
  children,
  endOf,
  identifier,
  isCall,
  isMember,
  propertyName,
  receiver,
  startOf,
  type Node,
} from "../../tree.js";
import { inside, runsIn } from "../shared/nodes.js";
import { sweepLoops } from "./sweep-loops.js";

interface Step {
  readonly call: Node;
  readonly list: string;
  /** what is pushed, or what the value that is taken off is called */
  readonly name: string;
}

export function* popOrder(facts: FileFacts): Iterable<Finding> {
  const pops = callsNamed(facts, "pop");
  const pushes = callsNamed(facts, "push");
  if (pops.length < 2 || pushes.length < 2) return;
  const kept = runsOf(facts, pushes, pushed);
  for (const taken of runsOf(facts, pops, popped)) {
    if (!sweepLoops(facts).some((loop) => inside(taken[0].call, loop))) continue;
    const names = taken.map(({ name }) => name);
    if (new Set(names).size < names.length) continue;
    const forward = kept.find(
      (run) =>
        run.length === taken.length &&
        run[0].list === taken[0].list &&
        startOf(run[0].call) !== startOf(taken[0].call) &&
        run.every(({ name }) => names.includes(name)),
    );
    // the same list is filled in another order elsewhere: nothing is known
    if (forward === undefined || kept.filter(({ 0: one }) => one.list === taken[0].list).length > 1) continue;
    if (!forward.every(({ name }, i) => name === names[i]) || names.length < 2) continue;
    const [first] = taken;
    yield {
      start: startOf(first.call),
      end: endOf(first.call),
      message: `\`${names.join("`, `")}\` are taken off in the order in which they were put on: \`pop\` gives the last first, and \`${names[0]}\` gets what \`${names.at(-1)!}\` was. Take them off the other way round.`,
      evidence: "structural",
      related: [place(forward[0].call, "put on first"), place(forward.at(-1)!.call, "put on last")],
    };
  }
}

/** Calls on one list that follow one another as statements of a block that runs in turns, or of a function. */
function runsOf(
  facts: FileFacts,
  calls: readonly Node[],
  read: (call: Node) => readonly Step[] | null,
): readonly (readonly Step[])[] {
  const out = new Map<string, Step[]>();
  for (const call of calls) {
    const steps = read(call);
    if (steps === null) continue;
    let statement = call;
    while (statement.parent != null && !/^(?:BlockStatement|Program)$/.test(statement.parent.type))
      statement = statement.parent;
    const block = statement.parent;
    if (block == null || !children(block, "body").includes(statement)) continue;
    if (runsIn(facts, call) === null || loopsAround(facts, call).length === 0) continue;
    const key = `${startOf(block)} ${steps[0].list}`;
    out.set(key, [...(out.get(key) ?? []), ...steps]);
  }
  return [...out.values()];
}

/** `stack.push(a)`, `stack.push(a, b)` of plain names. */
function pushed(call: Node): readonly Step[] | null {
  if (call.parent?.type !== "ExpressionStatement") return null;
  const list = listName(call);
  const names = argumentsOf(call).map(nameOf);
  return list === null || names.length === 0 || names.includes(null)
    ? null
    : names.map((name) => ({ call, list, name: name! }));
}

/** `const a = stack.pop()`, `a = stack.pop()`. */
function popped(call: Node): readonly Step[] | null {
  let from = call;
  while (from.parent != null && bare(from.parent) === bare(call)) from = from.parent;
  const parent = from.parent;
  const target =
    parent?.type === "VariableDeclarator"
      ? child(parent, "id")
      : parent?.type === "AssignmentExpression" && parent.operator === "="
        ? child(parent, "left")
        : null;
  const list = listName(call);
  const name = target === null ? null : nameOf(target);
  return list === null || name === null || argumentsOf(call).length > 0 ? null : [{ call, list, name }];
}

const nameOf = (node: Node): string | null => {
  const inner = bare(node);
  return isMember(inner) ? propertyName(inner) : identifier(inner);
};

/** The list by its own name: it may be handed from one function to the other. */
function listName(call: Node): string | null {
  const list = receiver(call);
  return list === null || isCall(bare(list)) ? null : nameOf(list);
}
