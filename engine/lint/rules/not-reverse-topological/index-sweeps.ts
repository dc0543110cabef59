/** `for (let i = 0; i < tape.length; i++) bar[tape[i].a] += bar[i] * ...`: a tape swept in the order it was written. */
import type { FileFacts } from "../../facts.js";
import { derivedIndex } from "../../overwriting/upstream.js";
import { place } from "../../overwriting/words.js";
import type { Finding } from "../../report.js";
import { loopsAround } from "../../reverse.js";
import { startOf, type Node } from "../../tree.js";
import { contributionsOf, seedsOf } from "../shared/contributions.js";
import { runsIn } from "../shared/nodes.js";

export function* upwardSweeps(facts: FileFacts): Iterable<{ node: Node; finding: Finding }> {
  const taken = new Set<Node>();
  for (const { write, payer, weighed } of contributionsOf(facts)) {
    if (weighed!.upstream?.kind !== "element" || write.container === "" || !derivedIndex(facts, write))
      continue;
    const loops = loopsAround(facts, write.node);
    const loop = loops.find(
      ({ isCurrent, node, counter }) =>
        node.type === "ForStatement" &&
        // `adj[n + k]` of a tape whose entries come after the inputs
        (isCurrent(`x[${payer}]`) ||
          (counter !== null && payer.startsWith("(") && payer.endsWith(`+${counter})`))),
    );
    if (loop === undefined || loop.reverse || taken.has(loop.node)) continue;
    const home = runsIn(facts, write.node);
    const seed = seedsOf(facts).find(
      ({ container, index, node }) =>
        container === write.container &&
        index !== null &&
        runsIn(facts, node) === home &&
        /-\s*1\b|\.length|^(?:out|output|root|last|end|top|result|loss)\w*$/i.test(facts.source(index)),
    );
    if (seed === undefined) continue;
    taken.add(loop.node);
    yield {
      node: loop.node,
      finding: {
        start: startOf(loop.node),
        end: startOf(loop.node) + 3,
        message: `the sweep counts up from the inputs, and the cotangent is seeded at the end of \`${facts.source(write.target).split("[")[0]}\`: every entry is read before its uses have paid it. Count down.`,
        evidence: "structural",
        related: [place(seed.node, "the seed"), place(write.node, "a contribution")],
      },
    };
  }
}
