/** Closures that hand an operand a bare local derivative, where those of other operations hand over what they are given, scaled. */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import { isBlank } from "../../overwriting/slots.js";
import { lineOf, place } from "../../overwriting/words.js";
import type { Finding } from "../../report.js";
import { operationName } from "../../operations.js";
import { endOf, identifier, startOf } from "../../tree.js";
import { handedToAdders, type Handed } from "../shared/adders.js";
import { keptAs, partsOf } from "../shared/nodes.js";
import { LOSS, readsNamed } from "./stored.js";

/** `out.gradFn = () => a.accumulate(y.map((s) => s * (1 - s)))` beside `out.gradFn = (g) => a.accumulate(multiply(g, y))`. */
export function* handedOver(facts: FileFacts): Iterable<Finding> {
  const all = handedToAdders(facts);
  if (all.length < 2) return;
  const right = all.filter((one) => readsParameter(facts, one));
  if (right.length === 0) return;
  for (const one of all) {
    if (right.includes(one) || isBlank(facts, one.value) || LOSS.test(one.operation.fn.name)) continue;
    if (readsNamed(facts, one.value) || readsOutput(facts, one)) continue;
    const kept = keptAs(facts, one.closure);
    const sibling = right.find(({ closure }) => keptAs(facts, closure).some((name) => kept.includes(name)));
    if (sibling === undefined) continue;
    yield {
      start: startOf(one.call),
      end: endOf(one.call),
      message: `\`${operationName(facts, one.call)}\` hands a local derivative over without the cotangent of its output as a factor: right only where that is 1. Others multiply by what they are handed (line ${lineOf(facts, sibling.call)}).`,
      evidence: "proven-siblings",
      related: [place(sibling.call, "multiplies by the cotangent")],
    };
  }
}

/** What is handed over is made of a parameter of the closure, through its locals. */
const readsParameter = (facts: FileFacts, { value, closure }: Handed): boolean =>
  madeOf(facts, value, closure);

function madeOf(facts: FileFacts, value: Handed["value"], closure: Fn): boolean {
  const queue = [value];
  const seen = new Set<unknown>();
  while (queue.length > 0)
    for (const node of partsOf(queue.pop()!)) {
      const binding = identifier(node) === null ? null : facts.scopes.resolve(node);
      if (binding === null || seen.has(binding)) continue;
      seen.add(binding);
      if (binding.kind === "param" && facts.scopes.declaredIn(binding, closure.node)) return true;
      if (binding.kind === "variable")
        for (const { expression, at } of binding.definitions)
          if (facts.home(at) === closure) queue.push(expression);
    }
  return false;
}

/** The output itself goes into it (`rule(out)`), or a slot of it under any name but that of its primal. */
function readsOutput(facts: FileFacts, { value, operation, closure }: Handed): boolean {
  return partsOf(value).some((node) => {
    if (identifier(node) === null && node.type !== "ThisExpression") return false;
    const parent = node.parent;
    const isPart = parent?.type === "MemberExpression" && parent.object === node;
    if (node.type === "ThisExpression") return !isPart;
    const binding = facts.scopes.resolve(node);
    if (binding === null || binding.kind !== "variable") return false;
    const output = operation.outputs.has(`${binding.name}~${binding.id}`);
    return output && !facts.scopes.declaredIn(binding, closure.node) && !isPart;
  });
}
