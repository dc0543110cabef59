/** Sweeps over a list of nodes that is in the order of the forward pass, or in preorder. */
import type { FileFacts } from "../../facts.js";
import { isPythonText } from "../../language.js";
import { place } from "../../overwriting/words.js";
import type { Finding, Suggestion } from "../../report.js";
import { callsOf } from "../../local.js";
import { valuesOf } from "../../values.js";
import {
  argumentsOf,
  bare,
  calleeName,
  endOf,
  identifier,
  receiver,
  startOf,
  type Node,
} from "../../tree.js";
import { addingHelpers, contributionsOf, seedsOf, stepNames } from "../shared/contributions.js";
import { listLoops, stepsOn, type ListLoop } from "../shared/loops.js";
import { inside, runsIn } from "../shared/nodes.js";
import { orderOf } from "../shared/orders.js";

export function* listsInWrongOrder(facts: FileFacts): Iterable<{ node: Node; finding: Finding }> {
  for (const loop of listLoops(facts)) {
    const step = sweeps(facts, loop);
    if (step === null) continue;
    const ordered = orderOf(facts, loop.list, loop.node);
    if (ordered === null) continue;
    const { order, push } = ordered;
    if (order === "preorder") {
      yield {
        node: push,
        finding: {
          start: startOf(push),
          end: endOf(push),
          message:
            "a node goes into the list before its operands are visited: that is a preorder, in which a node can come before one of its uses, whichever way the list is walked. Push after the operands, and sweep from the end.",
          evidence: "structural",
          related: [{ ...loop.head, message: "the list is swept here" }],
        },
      };
      continue;
    }
    if ((order === "operands-first") !== !loop.backwards) continue;
    yield {
      node: loop.node,
      finding: {
        ...loop.head,
        message:
          "the sweep walks the list front to back, and the list has operands before the nodes that use them: a node passes its cotangent on before it has one. Walk it from the end.",
        evidence: "structural",
        related: [place(push, "operands come first in this list"), place(step, "what each node does")],
        suggestions: reversing(facts, loop),
      },
    };
  }
}

/** What a loop does of a reverse sweep: pays operands, or runs the steps of its nodes after a seed was stored. */
function sweeps(facts: FileFacts, loop: ListLoop): Node | null {
  const { body, current } = loop;
  const paid = contributionsOf(facts).find(
    ({ write, payer, weighed, operand }) =>
      inside(write.node, body) &&
      weighed!.carried &&
      operand !== current &&
      (payer === current || payer.startsWith(`${current}.`)),
  );
  if (paid !== undefined) return paid.write.node;
  const handed = paysThroughHelper(facts, loop);
  if (handed !== null) return handed;
  const home = runsIn(facts, loop.node);
  const seeded = seedsOf(facts).some(
    ({ node }) => runsIn(facts, node) === home && startOf(node) < startOf(loop.node),
  );
  const names = stepNames(facts);
  return (
    stepsOn(facts, body, new Set([current])).find((call) => {
      const name = calleeName(call) ?? "";
      if (/^_*(?:forward|fwd|zero|reset|clear|init|eval|toString|push|has|get|set|add)(?![a-z])/i.test(name))
        return false;
      const known = names.has(name) || facts.names.backward(name);
      const bareCall = receiver(call) === null || call.parent?.type === "ExpressionStatement";
      return known || (seeded && bareCall) || (seeded && call.parent?.type === "ArrowFunctionExpression");
    }) ?? null
  );
}

/** `o.accumulate(t.adj * d[i])`: a helper that adds is handed what is made of the slot of the node at hand. */
function paysThroughHelper(facts: FileFacts, { body, current }: ListLoop): Node | null {
  const values = valuesOf(facts);
  for (const { fn, node } of addingHelpers(facts))
    for (const call of callsOf(facts, fn)) {
      if (!inside(call, body)) continue;
      const operand = node === -1 ? receiver(call) : argumentsOf(call)[node];
      if (operand == null || values.key(operand) === current) continue;
      const ofCurrent = argumentsOf(call).some((argument) =>
        values
          .reads(argument)
          .some((read) =>
            read.kind === "field"
              ? read.object === current && facts.names.gradient(read.name) > 0
              : read.kind === "element" && read.index === current,
          ),
      );
      if (ofCurrent) return call;
    }
  return null;
}

function reversing(facts: FileFacts, loop: ListLoop): readonly Suggestion[] {
  const list = bare(loop.list);
  if (loop.node.type === "ForStatement" || loop.node.type === "ForInStatement" || identifier(list) === null)
    return [];
  const name = identifier(list)!;
  return [
    {
      title: `Walk \`${name}\` from the end`,
      kind: "rewrite",
      edits: [
        {
          start: startOf(list),
          end: endOf(list),
          text: isPythonText(facts) ? `reversed(${name})` : `[...${name}].reverse()`,
        },
      ],
    },
  ];
}
