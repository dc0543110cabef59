/** Queues and stacks of nodes that are paid and passed on at once, without a count of the uses that are still open. */
import type { FileFacts } from "../../facts.js";
import { callsNamed, partOf } from "../../lookups.js";
import { isBackward } from "../../overwriting/entries.js";
import { multiplies } from "../../overwriting/parts.js";
import { giverOf } from "../../overwriting/upstream.js";
import { place } from "../../overwriting/words.js";
import type { Finding } from "../../report.js";
import { valuesOf } from "../../values.js";
import { writesOf } from "../../writes.js";
import { argumentsOf, bare, calleeName, child, endOf, receiver, startOf, type Node } from "../../tree.js";
import { contributionsOf, stepNames } from "../shared/contributions.js";
import { isStepOf } from "../shared/drivers.js";
import { listLoops, stepsOn } from "../shared/loops.js";
import { inside } from "../shared/nodes.js";
import { guardOf } from "../shared/recursion.js";

export function* worklists(facts: FileFacts): Iterable<{ node: Node; finding: Finding }> {
  const values = valuesOf(facts);
  for (const loop of facts.loops) {
    if (loop.type === "ForInStatement") continue;
    const calls = partOf(facts.calls, loop);
    const pushes = calls.filter((call) => /^(?:push|unshift)$/.test(calleeName(call) ?? ""));
    for (const push of pushes) {
      const queue = receiver(push);
      if (queue === null) continue;
      const key = values.key(queue);
      const taken = calls.find(
        (call) =>
          /^(?:pop|shift)$/.test(calleeName(call) ?? "") &&
          receiver(call) !== null &&
          values.key(receiver(call)!) === key,
      );
      const innermost = partOf(facts.loops, loop).every(
        (other) => other === loop || taken === undefined || !inside(taken, other),
      );
      if (taken === undefined || !innermost || chosen(facts, key)) continue;
      const current = new Set([`${key}[*]`, ...namesOf(facts, taken)]);
      const paid = pays(facts, loop, current, push) ?? handsTotalOn(facts, loop, key, push);
      if (paid === null || guardOf(facts, push, loop) === "counter") continue;
      yield {
        node: push,
        finding: passedOn(push, [place(taken, "taken from the list here"), place(paid, "paid here")]),
      };
      break;
    }
  }
}

/** `queue.push([p, n.grad * d])` after `n.grad += c` of the `[n, c]` that was taken: the total goes on, once for each arrival. */
function handsTotalOn(facts: FileFacts, loop: Node, queue: string, push: Node): Node | null {
  const received = writesOf(facts).find(
    ({ node, form, objectKey, name }) =>
      form === "add" &&
      inside(node, loop) &&
      objectKey.startsWith(`${queue}[*]`) &&
      argumentsOf(push).some(
        (argument) =>
          multiplies(facts, argument) &&
          valuesOf(facts)
            .reads(argument)
            .some((read) => read.kind === "field" && read.object === objectKey && read.name === name),
      ),
  );
  return received?.node ?? null;
}

/** `for (const n of level) { n.step(); for (const p of n.ins) next.add(p); } level = next;`: by the shortest way from the output. */
export function* levels(facts: FileFacts): Iterable<{ node: Node; finding: Finding }> {
  const values = valuesOf(facts);
  for (const move of facts.assignments) {
    const level = move.operator === "=" ? facts.binding(child(move, "left")!) : null;
    const next = level === null ? null : facts.binding(child(move, "right")!);
    if (level === null || next === null || next.kind !== "variable") continue;
    let outer: Node | null = move;
    while (outer !== null && !/^(?:While|DoWhile|For)Statement$/.test(outer.type))
      outer = outer.parent ?? null;
    if (outer === null || !inside(next.declaration, outer)) continue;
    const around = outer;
    const inner = listLoops(facts).find(
      ({ node, list }) => inside(node, around) && facts.binding(list) === level,
    );
    if (inner === undefined) continue;
    const push = partOf(facts.calls, inner.node).find((call) => {
      const list = /^(?:push|add)$/.test(calleeName(call) ?? "") ? receiver(call) : null;
      return list !== null && facts.binding(list) === next;
    });
    if (push === undefined || guardOf(facts, push, inner.node) === "counter") continue;
    const paid = pays(facts, inner.node, new Set([inner.current, `${values.key(inner.list)}[*]`]), push);
    if (paid !== null) yield { node: push, finding: passedOn(push, [place(paid, "paid here")]) };
  }
}

const NO_STEP = /^_*(?:forward|fwd|zero|reset|clear|init|mark|free|dispose|release|log|print)/i;

const passedOn = (push: Node, related: Finding["related"]): Finding => ({
  start: startOf(push),
  end: endOf(push),
  message:
    "an operand is passed on as soon as one use has paid it: uses that come later are lost, or are paid on twice. Count the uses that are still open and pass a node on at the last, or sort first.",
  evidence: "structural",
  ...(related === undefined ? {} : { related }),
});

/** A queue that is sorted, or from which the latest node is chosen, is in order. */
function chosen(facts: FileFacts, key: string): boolean {
  return ["sort", "splice", "findIndex", "reduce"].some((name) =>
    callsNamed(facts, name).some((call) => {
      const object = receiver(call);
      return object !== null && valuesOf(facts).key(object) === key;
    }),
  );
}

function namesOf(facts: FileFacts, taken: Node): string[] {
  let at: Node | null | undefined = taken;
  while (at != null && bare(at) === bare(taken) && at.parent != null && bare(at.parent) === bare(taken))
    at = at.parent;
  const parent = at?.parent;
  if (parent == null) return [];
  const id =
    parent.type === "VariableDeclarator"
      ? child(parent, "id")
      : parent.type === "AssignmentExpression"
        ? child(parent, "left")
        : null;
  return id === null || id.type !== "Identifier" ? [] : [valuesOf(facts).key(id)];
}

function pays(facts: FileFacts, loop: Node, current: ReadonlySet<string>, push: Node): Node | null {
  const own = contributionsOf(facts).find(
    ({ write, payer, weighed }) =>
      inside(write.node, loop) &&
      weighed!.carried &&
      current.has(payer) &&
      // `paths[w] += paths[v]` counts in a search; without a name a contribution is a product
      (facts.names.gradient(write.name) === 2 ||
        multiplies(facts, write.value) ||
        giverOf(facts, write.value) !== null),
  );
  if (own !== undefined) return own.write.node;
  const names = stepNames(facts);
  const home = facts.home(loop);
  const driver = home !== null && isBackward(facts, home);
  const step = stepsOn(facts, loop, current).find((call) => {
    const name = calleeName(call) ?? "";
    const node = driver ? facts.binding(receiver(call) ?? call) : null;
    return (
      names.has(name) ||
      (facts.names.backward(name) && argumentsOf(call).length === 0) ||
      // whatever a step is called: in a function named for the sweep, on a node that is taken off the list
      (node !== null && isStepOf(facts, call, node) && !NO_STEP.test(name))
    );
  });
  return step !== undefined && !inside(push, step) ? step : null;
}
