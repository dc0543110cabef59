/** A chain of layers whose backward pass walks the list in the direction of the forward pass. */
import type { FileFacts } from "../../facts.js";
import { place } from "../../overwriting/words.js";
import type { Finding } from "../../report.js";
import { loopsAround } from "../../reverse.js";
import { argumentsOf, bare, calleeName, child, isCall, receiver, within, type Node } from "../../tree.js";
import { valuesOf } from "../../values.js";
import { listLoops, type ListLoop } from "../shared/loops.js";
import { inside } from "../shared/nodes.js";

/** A loop that hands one value through the elements of a list: `x = layer.forward(x)`. */
interface Chain {
  readonly loop: ListLoop;
  readonly list: string;
  readonly step: Node;
  readonly name: string;
}

export function* chainsForwards(facts: FileFacts): Iterable<{ node: Node; finding: Finding }> {
  if (!facts.functions.some((fn) => facts.names.backward(fn.name))) return;
  const all = chains(facts);
  for (const chain of all) {
    if (!facts.names.backward(chain.name) || runsBack(facts, chain)) continue;
    const forward = all.find(
      (other) =>
        other.list === chain.list &&
        !other.loop.backwards &&
        /^_*(?:forward|fwd|apply|call|run)/i.test(other.name),
    );
    if (forward === undefined) continue;
    yield {
      node: chain.loop.node,
      finding: {
        ...chain.loop.head,
        message:
          "the backward pass walks the layers front to back, as the forward pass does: the cotangent of the output goes into the first layer. Walk them from the end.",
        evidence: "structural",
        related: [place(forward.step, "the forward pass"), place(chain.step, "what each layer does")],
      },
    };
  }
}

/** Counted down, or over a list turned round: `[...this.layers].reverse()`. */
const runsBack = (facts: FileFacts, { loop, step }: Chain): boolean =>
  loop.backwards || loopsAround(facts, step).some(({ node, reverse }) => reverse && within(node, loop.node));

function chains(facts: FileFacts): readonly Chain[] {
  const values = valuesOf(facts);
  const out: Chain[] = [];
  // few assignments are such steps, and most files have none: loops are looked at for them alone
  for (const node of facts.assignments) {
    const call = bare(child(node, "right")!);
    if (node.operator !== "=" || !isCall(call)) continue;
    const holder = receiver(call);
    const [first, ...more] = argumentsOf(call);
    const name = calleeName(call);
    if (holder === null || name === null || first === undefined || more.length > 0) continue;
    const running = facts.binding(child(node, "left")!);
    if (running === null || facts.binding(first) !== running) continue;
    const loop = listLoops(facts).find(
      ({ body, current }) => inside(node, body) && values.key(holder) === current,
    );
    if (loop !== undefined) out.push({ loop, list: values.key(loop.list), step: node, name });
  }
  return out;
}
