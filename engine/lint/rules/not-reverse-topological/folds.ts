/** Tapes of pullbacks that are folded over a record of cotangents, from their first: `pulls.reduce((bars, pull) => pull(bars), seed)`. */
import type { FileFacts } from "../../facts.js";
import { callsNamed, partOf } from "../../lookups.js";
import { holdsOne } from "../../overwriting/sweeps.js";
import { place } from "../../overwriting/words.js";
import type { Finding } from "../../report.js";
import {
  argumentsOf,
  bare,
  calleeName,
  child,
  children,
  endOf,
  isCall,
  isFunction,
  isMember,
  receiver,
  startOf,
  type Node,
} from "../../tree.js";
import { valuesOf } from "../../values.js";
import { nodesIn } from "../shared/nodes.js";
import { orderOf, type Ordered } from "../shared/orders.js";

interface Fold {
  readonly node: Node;
  readonly list: Node;
  readonly step: Node;
  readonly end: number;
}

export function* foldedForwards(facts: FileFacts): Iterable<{ node: Node; finding: Finding }> {
  for (const { node, list, step, end } of [...reduced(facts), ...threaded(facts)]) {
    const ordered = orderOf(facts, list, node) ?? pushedInRecord(facts, list);
    // what a pullback does is scale: other lists of functions are run in their order
    if (ordered?.order !== "operands-first" || !scales(facts, ordered.push)) continue;
    yield {
      node,
      finding: {
        start: startOf(node),
        end,
        message:
          "the pullbacks are run in the order in which they were recorded, from the inputs: each looks for the cotangent of its output before anybody has paid it. Run them from the end.",
        evidence: "structural",
        related: [place(ordered.push, "recorded as the operation runs"), place(step, "what each one does")],
      },
    };
  }
}

/** `tape.push({ name, pull: (bars) => ... })` of a list that nobody sorts or turns round. */
function pushedInRecord(facts: FileFacts, list: Node): Ordered | null {
  const name = bare(list);
  if (name.type !== "Identifier" && !isMember(name)) return null;
  const own = (call: Node): boolean => {
    const on = receiver(call);
    return on !== null && valuesOf(facts).key(on) === valuesOf(facts).key(name);
  };
  const push = callsNamed(facts, "push").find(
    (call) =>
      own(call) &&
      argumentsOf(call).some((one) =>
        children(bare(one), "properties").some((part) => {
          const value = part === null ? null : child(part, "value");
          return value !== null && isFunction(bare(value));
        }),
      ),
  );
  if (
    push === undefined ||
    ["reverse", "sort", "unshift"].some((other) => callsNamed(facts, other).some(own))
  )
    return null;
  return { order: "operands-first", push };
}

const scales = (facts: FileFacts, push: Node): boolean =>
  nodesIn(facts, "BinaryExpression", push).some(({ operator }) => operator === "*");

/** `list.reduce((bars, pull) => pull(bars), new Map([[out, 1]]))`. */
function* reduced(facts: FileFacts): Iterable<Fold> {
  for (const node of callsNamed(facts, "reduce")) {
    const [callback, seed] = argumentsOf(node);
    const list = receiver(node);
    if (list === null || seed === undefined || !isSeed(facts, seed)) continue;
    const fn = facts.functionOf(bare(callback));
    const [step, ...more] = fn?.returns ?? [];
    if (fn === null || step === undefined || more.length > 0 || fn.params.length < 2) continue;
    if (runs(facts, step, fn.params[1], fn.params[0])) yield { node, list, step, end: endOf(node) };
  }
}

/** `let bars = { [out]: 1 }; for (const pull of list) bars = pull(bars);`. */
function* threaded(facts: FileFacts): Iterable<Fold> {
  for (const node of facts.loops) {
    const left = node.type === "ForOfStatement" ? child(node, "left") : null;
    if (left?.type !== "VariableDeclaration") continue;
    const id = child((left.declarations as Node[])[0], "id")!;
    for (const store of id.type === "Identifier" ? partOf(facts.assignments, node) : []) {
      const target = child(store, "left")!;
      const step = child(store, "right")!;
      if (store.operator !== "=" || !runs(facts, step, id, target)) continue;
      const start = facts.binding(target)?.definitions.find(({ kind }) => kind === "initial");
      if (start !== undefined && isSeed(facts, start.expression))
        yield { node, list: child(node, "right")!, step, end: startOf(child(node, "body")!) };
    }
  }
}

/** A record that holds a one for the output, written out or under a name. */
function isSeed(facts: FileFacts, seed: Node): boolean {
  const made = facts
    .binding(seed)
    ?.definitions.find(({ kind, path }) => kind === "initial" && path.length === 0);
  return holdsOne(bare(made?.expression ?? seed));
}

/** `pull(bars)`, `entry.pull(bars)` of what the fold is at and what it has so far. */
function runs(facts: FileFacts, step: Node, element: Node, state: Node): boolean {
  const call = bare(step);
  if (!isCall(call)) return false;
  const callee = bare(child(call, "callee")!);
  const called = isMember(callee) && calleeName(call) !== null ? bare(child(callee, "object")!) : callee;
  const [own, table] = [facts.binding(element), facts.binding(state)];
  return (
    own !== null &&
    table !== null &&
    facts.binding(called) === own &&
    argumentsOf(call).some((argument) => facts.binding(argument) === table)
  );
}
